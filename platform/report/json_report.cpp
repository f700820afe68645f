// SPDX-License-Identifier: Apache-2.0
#include "platform/report/json_report.h"

#include "platform/report/analysis.h"
#include "platform/report/json_curves.h"
#include "platform/report/json_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace strobe::platform {

using json = nlohmann::ordered_json;

namespace {

json number(const StatisticValue& value)
{
    if (const auto* time = std::get_if<Time>(&value))
        return time->count();
    if (const auto* ratio = std::get_if<double>(&value))
        return rounded(*ratio);
    if (const auto* count = std::get_if<std::uint64_t>(&value))
        return *count;
    return nullptr;
}

json object(const std::vector<Statistic>& statistics)
{
    json out = json::object();
    for (const Statistic& s : statistics) {
        if (s.isReported)
            out[s.key()] = number(s.value);
    }
    return out;
}

// The object at a path such as "flash.ecc", made if it is not there.
json& objectAt(json& root, std::string_view path)
{
    json* at = &root;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        at = &(*at)[std::string(path.substr(0, end))];
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return *at;
}

json totals(const std::vector<KindTotals>& kinds, const LatencySummary& all, Time time)
{
    json out = json::object();
    json total = object(statisticsGiven(throughputOf(kinds, time)));
    total["latency"] = object(statisticsOf(all));
    out["all"] = std::move(total);
    for (const KindTotals& k : kinds) {
        json row = object(statisticsGiven(Throughput{k.requests, k.bytes, time}));
        row.update(object(statisticsGiven(k)));
        row["latency"] = object(statisticsOf(k.latency));
        out[std::string(enumName(k.kind))] = std::move(row);
    }
    return out;
}

json phase(const PhaseReport& p)
{
    const Time time = p.end - p.start;
    json out = {{"name", p.name},
                {"workload", p.workload},
                {"measured", p.measured},
                {"pacing", enumName(p.pacing)},
                {"queue_depth", p.queueDepth}};
    out.update(object(statisticsGiven(p)));
    out["totals"] = totals(p.kinds, p.all, time);
    out["source"] = object(statisticsOf(p.source));
    if (p.isFunctional)
        out["functional"] = true;
    for (const JobReport& job : p.jobs)
        out["jobs"].push_back({{"name", job.name},
                               {"workload", job.workload},
                               {"pacing", enumName(job.pacing)},
                               {"queue_depth", job.queueDepth},
                               {"totals", totals(job.kinds, job.all, time)},
                               {"source", object(statisticsOf(job.source))}});
    return out;
}

void addPlace(json& to, const ResourcePlace& place)
{
    if (place.channel)
        to["channel"] = *place.channel;
    if (place.way)
        to["way"] = *place.way;
    if (place.lun)
        to["lun"] = *place.lun;
}

json resources(const Report& report)
{
    json groups = json::array();
    for (const GroupUsage& g : groupResources(report)) {
        Statistics use;
        g.declareUse(use);
        Statistics waits;
        g.declareWaits(waits);
        json& row = groups.emplace_back(json{{"group", enumName(g.group)}, {"title", rowOf(g.group).title}});
        row.update(object(use.values()));
        row["busiest"] = g.busiest;
        row.update(object(waits.values()));
    }
    json single = json::array();
    for (const ResourceReport& r : report.resources) {
        single.push_back({{"name", r.name}, {"group", enumName(r.group)}});
        addPlace(single.back(), r.place);
        single.back().update(object(statisticsGiven(ResourceUsage(r.usage), report.measured)));
        if (r.pool)
            single.back().update(object(statisticsOf(*r.pool)));
    }
    const Limiting limits = limitingResource(report);
    json limiting = {{"limit", limitName(limits.limit)}, {"group", limits.group}};
    limiting.update(object(statisticsGiven(limits)));
    limiting["sentence"] = limits.sentence;
    return {{"limiting", std::move(limiting)}, {"groups", std::move(groups)}, {"resources", std::move(single)}};
}

json wear(const WearReport& w)
{
    json out = object(statisticsGiven(w));
    out["histogram"] = w.histogram;
    if (w.preAged > 0) {
        Statistics before;
        w.declarePreAge(before);
        out.update(object(before.values()));
    }
    if (w.overwrites)
        out["overwrites"] = object(statisticsGiven(*w.overwrites));
    if (!w.history.empty()) {
        json& history = out["history"] = json::array();
        for (const WearSample& s : w.history)
            history.push_back(object(statisticsOf(s)));
    }
    if (!w.map.empty()) {
        json& map = out["map"] = json::array();
        for (const DieWear& die : w.map)
            map.push_back({{"channel", die.channel},
                           {"position", die.position},
                           {"erases", die.erases},
                           {"factory_bad", die.factoryBad},
                           {"failed", die.failed}});
    }
    return out;
}

json flash(const Report& report)
{
    json byPurpose = json::object();
    for (const FlashCounts& row : report.flash)
        byPurpose[jsonKey(row.purpose)] = object(statisticsOf(row));
    json total = object(statisticsOf(flashTotal(report)));
    json out{{"operations", {{"total", std::move(total)}, {"by_purpose", std::move(byPurpose)}}},
             {"page_bytes", report.pageBytes}};
    Statistics amplification;
    declareAmplification(amplification, report);
    out.update(object(amplification.values()));
    out["write_amplification_note"] = writeAmplificationNote(report);
    out["wear"] = wear(report.wear);
    return out;
}

json energy(const Report& report)
{
    json out = object(statisticsGiven(energyUse(report, totalJoule(report))));
    json& components = out["components"] = json::array();
    for (const EnergyReport& row : report.energy) {
        Statistics stats;
        energyUse(report, row.joule).declareComponent(stats);
        json& component = components.emplace_back(json{{"component", row.component}, {"group", row.group}});
        component.update(object(stats.values()));
        component["source"] = row.source;
    }
    if (report.powerStates.empty())
        return out;
    json& states = out["power_states"] = json::array();
    for (const PowerStateReport& state : report.powerStates)
        states.push_back(object(statisticsGiven(state)));
    return out;
}

json thermalOf(const ThermalReport& report)
{
    json out = object(statisticsOf(report.figures));
    out["light"] = object(statisticsOf(report.figures.light));
    out["heavy"] = object(statisticsOf(report.figures.heavy));
    out["course"] = jsonCourse(report.course);
    return out;
}

// With what the longest was, if there is one.
json response(const std::vector<Statistic>& statistics, const ResponseTimes& times, const std::string& of,
              const std::string& place)
{
    json out = object(statistics);
    if (times.times == 0)
        return out;
    if (!of.empty())
        out["longest_of"] = of;
    if (!place.empty())
        out["longest_place"] = place;
    return out;
}

json response(const FirmwareResponse& firmware)
{
    const host::CommandTimes& commands = firmware.commands.times;
    json out{{"commands", response(statisticsGiven(commands), commands.pickup, commandText(commands.longestOf),
                                   firmware.commands.place)}};
    const host::HandlingTimes& handling = firmware.handling.times;
    out["handling"] = response(statisticsGiven(handling), handling.handling, commandText(handling.longestOf),
                               firmware.handling.place);
    json& cores = out["cores"] = json::array();
    for (const FirmwareResponse::Core& core : firmware.cores) {
        const cpu::InterruptTimes& interrupts = core.interrupts.times;
        Statistics rounds;
        FirmwareResponse::declareRounds(rounds, core.rounds.times);
        cores.push_back({{"interrupts", response(statisticsGiven(interrupts), interrupts.latency,
                                                 std::string(enumName(interrupts.longestOf)), core.interrupts.place)},
                         {"rounds", response(rounds.values(), core.rounds.times, "", core.rounds.place)}});
    }
    return out;
}

json powerOf(const PowerReport& power)
{
    json out = object(statisticsOf(power));
    json& starts = out["starts"] = json::array();
    for (const RecoveryReport& start : power.starts)
        starts.push_back(object(statisticsGiven(start)));
    return out;
}

json memoryOf(const FirmwareMemory& memory)
{
    json stacks = json::array();
    for (const FirmwareMemory::Stack& stack : memory.stacks) {
        json row = object(statisticsGiven(stack));
        row["name"] = stack.name;
        stacks.push_back(std::move(row));
    }
    json out{{"stacks", std::move(stacks)}, {"unwritten_reads", memory.unwrittenReads}, {"bad_frees", memory.badFrees}};
    if (memory.heap)
        out["heap"] = object(statisticsGiven(*memory.heap));
    if (memory.races)
        out["races"] = *memory.races;
    if (!memory.areAllRaces)
        out["more_races"] = true;
    return out;
}

json firmware(const FirmwareReport& firmware, Time measured)
{
    const std::uint64_t cycles = firmware.cycles();
    json costs = json::object();
    for (const FirmwareCost& c : firmware.costs) {
        Statistics stats;
        FirmwareCost cost = c;
        cost.declare(stats, cycles);
        if (firmware.instructions)
            cost.declareDeviation(stats);
        costs[c.point] = object(stats.values());
    }
    json out = {{"image", firmware.image}, {"mode", firmware.mode}};
    out.update(object(statisticsGiven(firmware)));
    out["costs"] = std::move(costs);
    out.update(response(firmware.response));
    out["log"] = firmware.log;
    if (firmware.memory)
        out["memory"] = memoryOf(*firmware.memory);
    if (firmware.instructions)
        out.update(object(statisticsGiven(ExecutedInstructions(*firmware.instructions), measured)));
    return out;
}

json served(const ServedReport& s)
{
    json kinds = json::object();
    for (const ServedReport::Kind& kind : s.kinds)
        kinds[kind.name] = object(statisticsOf(kind));
    json out{{"requests", std::move(kinds)}};
    out.update(object(statisticsOf(s)));
    if (s.pace)
        out["pace"] = object(statisticsOf(*s.pace));
    return out;
}

json calibration(const CalibrationReport& c)
{
    json dies = json::array();
    for (const DieCalibration& d : c.dies) {
        dies.push_back({{"channel", d.channel}, {"position", d.position}});
        dies.back().update(object(statisticsOf(d)));
    }
    json out = object(statisticsGiven(c));
    out.update(object(statisticsOf(c.capture)));
    out["dies"] = std::move(dies);
    return out;
}

json platform(const PlatformReport& p)
{
    json blocks = json::array();
    for (const PlatformReport::Block& b : p.blocks)
        blocks.push_back({{"name", b.name}, {"kind", b.kind}, {"detail", b.detail}, {"resources", b.resources}});
    json links = json::array();
    for (const PlatformReport::Link& l : p.links)
        links.push_back({{"from", l.from}, {"to", l.to}, {"kind", l.isData ? "data" : "control"}});
    return {{"blocks", std::move(blocks)}, {"links", std::move(links)}};
}

json failures(const std::vector<FailureReport>& rows)
{
    json out = json::array();
    for (const FailureReport& f : rows) {
        json& row = out.emplace_back(json{{"kind", f.kind}});
        row.update(object(statisticsGiven(f)));
        row["is_error"] = f.isError;
        row["details"] = f.details;
    }
    return out;
}

} // namespace

std::string jsonReport(const Report& report, const Program& program)
{
    json out{{"schema_version", reportSchemaVersion},
             {"program",
              {{"name", "strobe"},
               {"version", program.version},
               {"revision", program.revision},
               {"build", program.build},
               {"systemc", program.systemc}}},
             {"scenario", report.scenario},
             {"description", report.description},
             {"seed", report.seed},
             {"data", report.dataMode},
             {"interrupted", report.interrupted},
             {"interruption", report.interruption},
             {"errors", report.foundErrors()}};
    out.update(object(statisticsGiven(report)));
    out["latency_histograms"] = jsonDistributions(report.kinds);
    out["totals"] = totals(report.kinds, report.all, report.measured);
    out.update(resources(report));
    out["link"] = object(report.link);
    json phases = json::array();
    for (const PhaseReport& p : report.phases)
        phases.push_back(phase(p));
    out["phases"] = std::move(phases);
    if (report.requestStages)
        out["stages"] = stageJson(*report.requestStages);
    if (!report.series.length.empty())
        out["series"] = jsonSeries(report.series, report.pageBytes);
    out["flash"] = flash(report);
    out["energy"] = energy(report);
    if (report.thermal)
        out["thermal"] = thermalOf(*report.thermal);
    json& integrity = out["integrity"] = {{"enabled", report.integrity.enabled}};
    integrity.update(object(statisticsGiven(report.integrity)));
    integrity["details"] = report.integrity.details;
    if (report.power.cuts != 0 || report.power.cutsAfterEnd != 0)
        out["power"] = powerOf(report.power);
    for (const CounterBlock& block : report.counters)
        objectAt(out, block.place().path).update(object(block.statistics()));
    if (report.served)
        out["served"] = served(*report.served);
    if (report.calibration)
        out["calibration"] = calibration(*report.calibration);
    if (!report.platform.blocks.empty())
        out["platform"] = platform(report.platform);
    out["failures"] = failures(report.failures);
    out["firmware"] = firmware(report.firmware, report.measured);
    out["memory"] = object(statisticsGiven(report.memory));
    if (report.host)
        out["host"] = object(statisticsGiven(*report.host));
    out["config"] = json::parse(report.resolvedJson.empty() ? "{}" : report.resolvedJson);
    if (!report.differencesJson.empty())
        out["config_differences"] = json::parse(report.differencesJson);
    return out.dump(2) + "\n";
}

} // namespace strobe::platform
