// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_drive.h"

#include "models/controller/ecc.h"
#include "models/controller/unit_port.h"
#include "models/nand/cell_errors.h"
#include "platform/report/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace strobe::platform {

namespace {

class DriveSections {
public:
    DriveSections(const Report& report, TerminalPage& page) : report_(report), page_(page) {}

    void write()
    {
        resources();
        flash();
        energy();
        powerStates();
        temperature();
        firmware();
        response();
        calibration();
    }

private:
    void resources()
    {
        if (report_.measured <= Time{})
            return;
        page_.heading("Resources");
        TextTable rows({"", "", "busy", "busiest", "", "mean wait", "max wait", "queue", "max", "jobs"}, {0, 4});
        for (const GroupUsage& g : groupResources(report_)) {
            rows.row({std::string(rowOf(g.group).title), g.members > 1 ? "x " + std::to_string(g.members) : "",
                      shortPercent(g.mean), g.members > 1 ? shortPercent(g.maximum) : "",
                      g.members > 1 ? g.busiest : "", shortTime(g.meanWait), shortTime(g.maxWait),
                      fmt::format("{:.2f}", g.meanQueue), grouped(g.maxQueue), grouped(g.jobs)});
        }
        page_.table(rows);
        stages();
        page_.paragraph(page_.marked(limitingResource(report_).sentence, "1"));
    }

    void stages()
    {
        const auto* units = findCounters<controller::FlashUnitCounters>(report_.counters);
        const std::vector<Statistic> stages = units == nullptr ? std::vector<Statistic>{} : statisticsOf(*units);
        double sum = 0;
        for (const Statistic& stage : stages)
            sum += toSeconds(std::get<Time>(stage.value));
        std::string text;
        for (const Statistic& stage : stages) {
            if (const Time time = std::get<Time>(stage.value); time > Time{})
                text +=
                    fmt::format("{}{} {}", text.empty() ? "" : ", ", stage.name, shortPercent(toSeconds(time) / sum));
        }
        if (!text.empty())
            page_.paragraph("time in the flash units: " + text);
        titledCounters();
    }

    // A line for each title in the table of counters.
    void titledCounters()
    {
        std::vector<std::pair<std::string, std::string>> lines;
        for (const CounterBlock& block : report_.counters) {
            const std::string& title = block.place().title;
            if (title.empty())
                continue;
            if (lines.empty() || lines.back().first != title)
                lines.emplace_back(title, "");
            std::string& line = lines.back().second;
            for (const Statistic& counter : block.statistics()) {
                if (counter.isReported)
                    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", valueOf(counter), words(counter.name));
            }
        }
        for (const auto& [title, line] : lines)
            page_.paragraph(fmt::format("{}: {}", title, line));
    }
    static std::string valueOf(const Statistic& counter)
    {
        if (const auto* count = std::get_if<std::uint64_t>(&counter.value))
            return grouped(*count);
        if (const auto* time = std::get_if<Time>(&counter.value))
            return shortTime(*time);
        const auto* ratio = std::get_if<double>(&counter.value);
        return ratio == nullptr ? "no" : shortNumber(*ratio);
    }
    static std::string words(std::string name)
    {
        std::replace(name.begin(), name.end(), '_', ' ');
        return name;
    }

    void reliability()
    {
        const auto* reads = findCounters<controller::ReadCounters>(report_.counters);
        const auto* cells = findCounters<nand::CellErrorCounters>(report_.counters);
        const auto* disturb = findCounters<nand::ReadDisturb>(report_.counters);
        if (reads == nullptr || cells == nullptr || disturb == nullptr)
            return;
        std::uint64_t retried = 0;
        for (std::size_t i = 1; i < reads->byRetries.size(); ++i)
            retried += reads->byRetries[i];
        page_.paragraph(
            fmt::format("pages delivered after retries {}, mean retries {}; soft decodes {}, changes of read "
                        "references {}; most reads of a block {}, blocks to reclaim {}",
                        grouped(retried), shortNumber(reads->meanRetries()), grouped(reads->softDecodes),
                        grouped(cells->featureSets), grouped(disturb->mostReads), grouped(disturb->toReclaim)));
    }
    void flash()
    {
        page_.heading("Flash");
        TextTable rows({"", "reads", "programs", "copy-backs", "erases"});
        const auto add = [&](const FlashCounts& c) {
            rows.row({c.purpose, grouped(c.reads), grouped(c.programs), grouped(c.copyBacks), grouped(c.erases)});
        };
        for (const FlashCounts& c : report_.flash) {
            if (c.reads + c.programs + c.copyBacks + c.erases != 0)
                add(c);
        }
        if (report_.flash.size() != 1)
            add(flashTotal(report_));
        page_.table(rows);
        const std::string note = writeAmplificationNote(report_);
        if (bytesWritten(report_.kinds) != 0)
            page_.paragraph(fmt::format("write amplification {:.3f}{}", writeAmplification(report_),
                                        note.empty() ? "" : " (" + note + ")"));
        if (const auto* ecc = findCounters<controller::EccCounters>(report_.counters);
            ecc != nullptr && ecc->pages() != 0) {
            const controller::EccCounters& e = *ecc;
            page_.paragraph(fmt::format("bit errors in {}, {} at most in a codeword; ECC corrected {} bits in {} "
                                        "iterations on average, {} at most",
                                        counted(e.pages(), "pages read"), e.maxBitErrors, grouped(e.correctedBits),
                                        shortNumber(e.meanIterations()), e.maxIterations));
            if (e.uncorrectable + e.undetected != 0)
                page_.paragraph(fmt::format("pages beyond correction {}, delivered with errors {}",
                                            grouped(e.uncorrectable), grouped(e.undetected)));
        }
        reliability();
        const WearReport& w = report_.wear;
        if (w.blocks > w.factoryBad) {
            page_.paragraph(fmt::format("erase counts {} to {}, mean {:.2f}; {} blocks, {} factory bad, {} failed",
                                        w.minimum, w.maximum, meanErases(w), grouped(w.blocks), grouped(w.factoryBad),
                                        grouped(w.failed)));
            if (w.overwrites)
                page_.paragraph(
                    fmt::format("pages overwritten {} to {} times", w.overwrites->minimum, w.overwrites->maximum));
            if (!w.history.empty()) {
                const WearSample& last = w.history.back();
                page_.paragraph(fmt::format("blocks in use differ by up to {} at the end ({})",
                                            counted(last.maximum - last.minimum, "erases"),
                                            counted(w.history.size(), "points of history")));
            }
            if (w.endurance != 0)
                page_.paragraph(fmt::format(
                    "life used {:.3g} % on average, {:.3g} % by the most worn {} (rated for {} {})",
                    *lifeUsed(w, meanCycles(w)) * 100, *lifeUsed(w, mostCycles(w)) * 100,
                    w.overwrites ? "page" : "block", grouped(w.endurance), w.overwrites ? "programs" : "erases"));
        }
    }

    void energy()
    {
        if (report_.energy.empty())
            return;
        page_.heading("Energy");
        const double total = totalJoule(report_);
        TextTable rows({"", "energy", "mean power", "per byte", "per sector", "share"});
        const auto add = [&](std::string name, double joule) {
            const EnergyUse use = energyUse(report_, joule);
            rows.row({std::move(name), shortEnergy(joule), fmt::format("{:.2f} mW", use.watt() * 1e3),
                      use.bytes == 0 ? "" : shortEnergy(use.joulePerByte()),
                      use.bytes == 0 ? "" : shortEnergy(use.joulePerSector()),
                      total == 0 ? "" : shortPercent(joule / total)});
        };
        for (const EnergyReport& row : report_.energy)
            add(row.component, row.joule);
        add("total", total);
        page_.table(rows);
    }

    void powerStates()
    {
        if (report_.powerStates.empty())
            return;
        page_.heading("Power states");
        TextTable rows({"state", "rated", "time", "share", "entered", "energy", "mean power"});
        for (std::size_t i = 0; i < report_.powerStates.size(); ++i) {
            const PowerStateReport& state = report_.powerStates[i];
            const double seconds = toSeconds(state.time);
            rows.row({std::to_string(i), fmt::format("{:.4g} W", state.watt), shortTime(state.time),
                      report_.measured == Time{} ? "" : shortPercent(seconds / toSeconds(report_.measured)),
                      grouped(state.entries), shortEnergy(state.joule),
                      seconds == 0 ? "" : fmt::format("{:.4g} W", state.joule / seconds)});
        }
        page_.table(rows);
    }

    void temperature()
    {
        if (!report_.thermal)
            return;
        page_.heading("Temperature");
        const thermal::ThermalFigures& figures = report_.thermal->figures;
        TextTable rows({"", "highest", "at the end"});
        const auto celsius = [](double value) { return fmt::format("{:.1f} degC", value); };
        rows.row(
            {"controller", celsius(figures.highest[thermal::Controller]), celsius(figures.last[thermal::Controller])});
        rows.row({"flash", celsius(figures.highest[thermal::Flash]), celsius(figures.last[thermal::Flash])});
        page_.table(rows);
        TextTable levels({"", "time", "entered"});
        levels.row({"light throttling", shortTime(figures.light.time), grouped(figures.light.entries)});
        levels.row({"heavy throttling", shortTime(figures.heavy.time), grouped(figures.heavy.entries)});
        levels.row({"fewer dies at a time", shortTime(figures.limited), ""});
        levels.row({"above warning", shortTime(figures.warning), ""});
        levels.row({"above critical", shortTime(figures.critical), ""});
        page_.table(levels);
        page_.paragraph(fmt::format("peak power {:.3g} W", figures.peakWatt));
    }

    // Firmware on the RV32 core.
    void executed(const ExecutedInstructions& instructions)
    {
        page_.heading(fmt::format("Firmware ({} on the {} core)", report_.firmware.image, report_.firmware.mode));
        std::string text =
            fmt::format("{} instructions, {} million per second of simulated time", grouped(instructions.count),
                        shortNumber(instructions.perSecond(report_.measured) / 1e6));
        if (const std::uint64_t requests = requestsOf(report_.kinds); requests != 0)
            text += fmt::format(", {} per request",
                                shortNumber(static_cast<double>(instructions.count) / static_cast<double>(requests)));
        page_.paragraph(text);
    }

    void firmware()
    {
        if (report_.firmware.instructions) {
            executed(*report_.firmware.instructions);
            return;
        }
        const std::uint64_t cycles = report_.firmware.cycles();
        std::vector<FirmwareCost> costs = report_.firmware.costs;
        if (cycles == 0)
            return;
        page_.heading(fmt::format("Firmware ({})", report_.firmware.image));
        std::stable_sort(costs.begin(), costs.end(),
                         [](const FirmwareCost& a, const FirmwareCost& b) { return a.cycles > b.cycles; });
        TextTable rows({"", "times", "cycles", "share"});
        constexpr std::size_t shown = 6;
        for (std::size_t i = 0; i < costs.size() && i < shown && costs[i].cycles != 0; ++i) {
            rows.row({costs[i].point, grouped(costs[i].times), grouped(costs[i].cycles),
                      shortPercent(costs[i].share(cycles))});
        }
        page_.table(rows);
        std::size_t more = 0;
        std::uint64_t rest = 0;
        for (std::size_t i = shown; i < costs.size() && costs[i].cycles != 0; ++i, ++more)
            rest += costs[i].cycles;
        if (more != 0)
            page_.paragraph(fmt::format("and {} more with {} of the cycles", more,
                                        shortPercent(static_cast<double>(rest) / static_cast<double>(cycles))));
    }

    // How fast firmware responded. The begin of the longest is a time for --trace-from.
    void response()
    {
        const FirmwareResponse& firmware = report_.firmware.response;
        TextTable rows({"", "times", "mean", "longest", "from us"});
        std::vector<std::string> longest;
        const auto add = [&](const std::string& what, const ResponseTimes& times, const std::string& of,
                             const std::string& place) {
            if (times.times == 0)
                return;
            rows.row({what, grouped(times.times), shortTime(times.mean()), shortTime(times.longest),
                      fmt::format("{:.3f}", toMicroseconds(times.longestFrom))});
            if (!of.empty() || !place.empty())
                longest.push_back(fmt::format("longest {}: {}{}{}", what, of, of.empty() || place.empty() ? "" : "; ",
                                              place.empty() ? "" : "until " + place));
        };
        const host::CommandTimes& commands = firmware.commands.times;
        add("wait of a command", commands.pickup, commandText(commands.longestOf), firmware.commands.place);
        const host::HandlingTimes& handling = firmware.handling.times;
        add("handling of a command", handling.handling, commandText(handling.longestOf), firmware.handling.place);
        for (std::size_t i = 0; i < firmware.cores.size(); ++i) {
            const FirmwareResponse::Core& core = firmware.cores[i];
            const std::string number = firmware.cores.size() == 1 ? "" : fmt::format(", core {}", i);
            const cpu::InterruptTimes& interrupts = core.interrupts.times;
            add("wait of an interrupt" + number, interrupts.latency,
                fmt::format("line {}", enumName(interrupts.longestOf)), core.interrupts.place);
            add("round of the loop" + number, core.rounds.times, "", core.rounds.place);
        }
        if (rows.empty())
            return;
        page_.heading("Response of firmware");
        page_.table(rows);
        for (const std::string& text : longest)
            page_.paragraph(text);
    }

    void calibration()
    {
        if (!report_.calibration || report_.calibration->dies.empty())
            return;
        const CalibrationReport& c = *report_.calibration;
        page_.heading("Data out");
        TextTable rows({"clock", "dies", "least margin", "calibrations", "mean", "longest"}, {0});
        std::map<Time, std::vector<const DieCalibration*>> byClock;
        for (const DieCalibration& die : c.dies)
            byClock[die.cycle].push_back(&die);
        for (const auto& [cycle, dies] : byClock) {
            Time margin = never;
            Time took{};
            Time longest{};
            std::uint64_t count = 0;
            for (const DieCalibration* die : dies) {
                margin = std::min(margin, die->margin);
                took += die->took;
                longest = std::max(longest, die->longest);
                count += die->calibrations;
            }
            rows.row({fmt::format("{:.1f} MHz", 1e6 / static_cast<double>(cycle.count())), grouped(dies.size()),
                      cycle == c.baseCycle ? "base" : shortTime(margin), grouped(count),
                      shortTime(took / static_cast<std::int64_t>(std::max<std::uint64_t>(count, 1))),
                      shortTime(longest)});
        }
        page_.table(rows);
        page_.paragraph(fmt::format("{} pattern reads; {} pages with wrongly sampled bits",
                                    grouped(c.capture.patternReads), grouped(c.capture.pagesWithErrors)));
    }

    const Report& report_;
    TerminalPage& page_;
};

} // namespace

void writeDriveSections(const Report& report, TerminalPage& page)
{
    DriveSections(report, page).write();
}

} // namespace strobe::platform
