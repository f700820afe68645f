// SPDX-License-Identifier: Apache-2.0
#include "platform/report/json_report.h"

#include "models/base/content.h"
#include "platform/report/analysis.h"
#include "platform/report/json_curves.h"
#include "platform/report/json_number.h"

#include <nlohmann/json.hpp>

namespace strobe::platform {

using json = nlohmann::ordered_json;

namespace {

json orNull(const std::optional<double>& value)
{
    return value ? json(rounded(*value)) : json(nullptr);
}

json number(const StatisticValue& value)
{
    if (const auto* time = std::get_if<Time>(&value))
        return time->count();
    if (const auto* ratio = std::get_if<double>(&value))
        return rounded(*ratio);
    return std::get<std::uint64_t>(value);
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

json throughput(std::uint64_t requests, std::uint64_t bytes, Time time)
{
    const double rate = perSecond(static_cast<double>(bytes), time);
    return {{"requests", requests},
            {"bytes", bytes},
            {"iops", rounded(perSecond(static_cast<double>(requests), time))},
            {"megabytes_per_second", rounded(rate / 1e6)},
            {"mebibytes_per_second", rounded(rate / 1048576.0)}};
}

json totals(const std::vector<KindTotals>& kinds, const LatencySummary& all, Time time)
{
    json out = json::object();
    json total = throughput(requestsOf(kinds), bytesOf(kinds), time);
    total["latency"] = object(statisticsOf(all));
    out["all"] = std::move(total);
    for (const KindTotals& k : kinds) {
        json row = throughput(k.requests, k.bytes, time);
        row["failed"] = k.failed;
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
                {"queue_depth", p.queueDepth},
                {"start_ps", p.start.count()},
                {"end_ps", p.end.count()},
                {"totals", totals(p.kinds, p.all, time)},
                {"source", object(statisticsOf(p.source))}};
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
        groups.push_back({{"group", enumName(g.group)},
                          {"members", g.members},
                          {"mean_utilisation", rounded(g.mean)},
                          {"max_utilisation", rounded(g.maximum)},
                          {"busiest", g.busiest},
                          {"jobs", g.jobs},
                          {"mean_wait_ps", g.meanWait.count()},
                          {"max_wait_ps", g.maxWait.count()},
                          {"mean_queue", rounded(g.meanQueue)},
                          {"max_queue", g.maxQueue}});
    }
    json single = json::array();
    for (const ResourceReport& r : report.resources) {
        Statistics stats;
        ResourceUsage usage = r.usage;
        usage.declare(stats, report.measured);
        single.push_back({{"name", r.name}, {"group", enumName(r.group)}});
        addPlace(single.back(), r.place);
        single.back().update(object(stats.values()));
        if (r.pool)
            single.back().update(object(statisticsOf(*r.pool)));
    }
    const Limiting limiting = limitingResource(report);
    return {{"limiting",
             {{"limit", limitName(limiting.limit)},
              {"group", limiting.group},
              {"utilisation", rounded(limiting.utilisation)},
              {"sentence", limiting.sentence}}},
            {"groups", std::move(groups)},
            {"resources", std::move(single)}};
}

json wear(const WearReport& w)
{
    json out = {{"blocks", w.blocks},
                {"factory_bad", w.factoryBad},
                {"failed", w.failed},
                {"min_erases", w.minimum},
                {"mean_erases", rounded(meanErases(w))},
                {"max_erases", w.maximum},
                {"erases", w.erases},
                {"rated_endurance", w.endurance == 0 ? json(nullptr) : json(w.endurance)},
                {"mean_life_used", orNull(lifeUsed(w, meanCycles(w)))},
                {"max_life_used", orNull(lifeUsed(w, mostCycles(w)))},
                {"histogram", w.histogram}};
    if (w.preAged > 0)
        out["pre_aged"] = rounded(w.preAged);
    if (w.overwrites) {
        const WearReport::Overwrites& o = *w.overwrites;
        out["overwrites"] = {
            {"pages", o.pages}, {"min", o.minimum}, {"mean", rounded(meanCycles(w))}, {"max", o.maximum}};
    }
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
        byPurpose[row.purpose] = object(statisticsOf(row));
    json stages = json::object();
    for (const Statistic& stage : report.stages)
        stages[stage.name] = number(stage.value);
    json total = object(statisticsOf(flashTotal(report)));
    json out{{"operations", {{"total", std::move(total)}, {"by_purpose", std::move(byPurpose)}}},
             {"page_bytes", report.pageBytes},
             {"write_amplification", rounded(writeAmplification(report))},
             {"write_amplification_note", writeAmplificationNote(report)},
             {"unit_stages_ps", std::move(stages)}};
    out.update(object(report.dispatch));
    out["ecc"] = object(statisticsOf(report.ecc));
    if (const auto& r = report.reliability)
        out["reliability"] = object(statisticsOf(r->reads, r->cells, r->disturb));
    out["wear"] = wear(report.wear);
    if (!report.readAhead.empty())
        out["read_ahead"] = object(report.readAhead);
    if (!report.care.empty())
        out["care"] = object(report.care);
    if (!report.foreground.empty())
        out["foreground"] = object(report.foreground);
    if (!report.pslc.empty())
        out["pslc"] = object(report.pslc);
    if (!report.snapReads.empty())
        out["snap_reads"] = object(report.snapReads);
    if (!report.planeReads.empty())
        out["plane_reads"] = object(report.planeReads);
    return out;
}

json energy(const Report& report)
{
    const double total = totalJoule(report);
    const auto bytes = static_cast<double>(bytesOf(report.kinds));
    const auto perSector = [bytes](double joule) { return rounded(bytes == 0 ? 0 : joule * sectorBytes / bytes); };
    json components = json::array();
    for (const EnergyReport& row : report.energy)
        components.push_back({{"component", row.component},
                              {"group", row.group},
                              {"joule", rounded(row.joule)},
                              {"joule_per_sector", perSector(row.joule)},
                              {"source", row.source}});
    return {{"total_joule", rounded(total)},
            {"mean_watt", rounded(perSecond(total, report.measured))},
            {"joule_per_byte", rounded(bytes == 0 ? 0 : total / bytes)},
            {"joule_per_sector", perSector(total)},
            {"components", std::move(components)}};
}

json firmware(const FirmwareReport& firmware, Time measured)
{
    std::uint64_t cycles = 0;
    for (const FirmwareCost& c : firmware.costs)
        cycles += c.cycles;
    json costs = json::object();
    for (const FirmwareCost& c : firmware.costs) {
        const double share = cycles == 0 ? 0 : static_cast<double>(c.cycles) / static_cast<double>(cycles);
        costs[c.point] = object(statisticsOf(c));
        costs[c.point]["share"] = rounded(share);
        if (firmware.instructions)
            costs[c.point]["deviation"] = rounded(c.deviation());
    }
    json out = {{"image", firmware.image},
                {"mode", firmware.mode},
                {"cycles", cycles},
                {"costs", std::move(costs)},
                {"log", firmware.log}};
    if (firmware.instructions) {
        out["instructions"] = *firmware.instructions;
        out["instructions_per_second"] = rounded(perSecond(static_cast<double>(*firmware.instructions), measured));
    }
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
    json out{{"base_cycle_ps", c.baseCycle.count()}};
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
    for (const FailureReport& f : rows)
        out.push_back({{"kind", f.kind}, {"count", f.count}, {"is_error", f.isError}, {"details", f.details}});
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
             {"errors", report.foundErrors()},
             {"capacity_bytes", report.capacitySectors * sectorBytes},
             {"simulated_ps", report.simulated.count()},
             {"ready_ps", report.ready.count()},
             {"measured_ps", report.measured.count()}};
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
    const IntegrityReport& integrity = report.integrity;
    out["integrity"] = {{"enabled", integrity.enabled},
                        {"checked_sectors", integrity.checkedSectors},
                        {"mismatches", integrity.mismatches},
                        {"details", integrity.details}};
    if (report.power.cuts != 0 || report.power.cutsAfterEnd != 0)
        out["power"] = object(statisticsOf(report.power));
    if (report.flashFaults)
        out["faults"]["flash"] = object(statisticsOf(*report.flashFaults));
    if (report.hostFaults)
        out["faults"]["host"] = object(statisticsOf(*report.hostFaults));
    if (report.served)
        out["served"] = served(*report.served);
    if (report.calibration)
        out["calibration"] = calibration(*report.calibration);
    if (!report.platform.blocks.empty())
        out["platform"] = platform(report.platform);
    out["failures"] = failures(report.failures);
    out["firmware"] = firmware(report.firmware, report.measured);
    json memory = json::object();
    for (const MemoryUse& m : report.memory)
        memory[m.what] = m.bytes;
    out["memory_bytes"] = std::move(memory);
    if (report.host) {
        const HostTime& h = *report.host;
        out["host"] = {
            {"set_up_seconds", rounded(h.setUpSeconds)},
            {"run_seconds", rounded(h.runSeconds)},
            {"peak_memory_bytes", h.peakMemoryBytes},
            {"requests_per_second", rounded(h.runSeconds > 0 ? static_cast<double>(h.requests) / h.runSeconds : 0)}};
    }
    out["config"] = json::parse(report.resolvedJson.empty() ? "{}" : report.resolvedJson);
    if (!report.differencesJson.empty())
        out["config_differences"] = json::parse(report.differencesJson);
    return out.dump(2) + "\n";
}

} // namespace strobe::platform
