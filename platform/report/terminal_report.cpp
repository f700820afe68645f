// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_report.h"

#include "models/base/content.h"
#include "platform/report/analysis.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace strobe::platform {

namespace {

constexpr std::size_t width = 98;

class Writer {
public:
    Writer(const Report& report, const TerminalStyle& style) : report_(report), style_(style) {}

    std::string run()
    {
        head();
        throughput();
        latencies();
        requestStages();
        phases();
        resources();
        flash();
        energy();
        firmware();
        calibration();
        power();
        verdict();
        return std::move(out_);
    }

private:
    std::string marked(const std::string& text, const char* code) const
    {
        return style_.colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
    }
    void heading(const std::string& text) { out_ += "\n" + marked(text, "1") + "\n"; }
    void paragraph(const std::string& text, std::size_t indent = 2)
    {
        for (const std::string& line : wrapped(text, width - indent))
            out_ += std::string(indent, ' ') + line + "\n";
    }
    void table(const TextTable& table) { out_ += table.text(); }

    void head()
    {
        out_ += marked(report_.scenario, "1") + "\n";
        if (!report_.description.empty())
            paragraph(report_.description);
        paragraph(fmt::format("{} drive{}, ready after {}; data {}, seed {}",
                              shortBytes(report_.capacitySectors * sectorBytes),
                              report_.drive.empty() ? "" : " (" + report_.drive + ")", shortTime(report_.ready),
                              report_.dataMode, report_.seed));
        if (report_.interrupted) {
            paragraph(marked(
                fmt::format("INTERRUPTED ({}): the figures cover the time until then", report_.interruption), "1;31"));
        }
        std::string time =
            fmt::format("simulated {}, measured {}", shortTime(report_.simulated), shortTime(report_.measured));
        if (report_.host)
            time += fmt::format("; host time {:.2f} s", report_.host->setUpSeconds + report_.host->runSeconds);
        paragraph(time);
        if (report_.measured <= Time{})
            paragraph(marked("nothing was measured: no measured phase has completed a request", "1;31"));
    }

    void throughput()
    {
        heading("Throughput");
        TextTable rows({"", "requests", "data", "MB/s", "MiB/s", "IOPS", "failed"});
        const auto add = [&](std::string name, std::uint64_t requests, std::uint64_t bytes, std::uint64_t failed) {
            const double rate = perSecond(static_cast<double>(bytes), report_.measured);
            rows.row({std::move(name), grouped(requests), shortBytes(bytes), shortNumber(rate / 1e6),
                      shortNumber(rate / 1048576.0),
                      shortNumber(perSecond(static_cast<double>(requests), report_.measured)),
                      failed == 0 ? "" : grouped(failed)});
        };
        std::uint64_t failed = 0;
        for (const KindTotals& k : report_.kinds) {
            add(std::string(enumName(k.kind)), k.requests, k.bytes, k.failed);
            failed += k.failed;
        }
        if (report_.kinds.size() != 1)
            add("all", requestsOf(report_.kinds), bytesOf(report_.kinds), failed);
        table(rows);
    }

    void latencies()
    {
        TextTable rows({"", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"});
        const auto add = [&](std::string name, const LatencySummary& l) {
            if (l.count != 0) {
                rows.row({std::move(name), shortTime(l.minimum), shortTime(l.mean), shortTime(l.p50), shortTime(l.p90),
                          shortTime(l.p99), shortTime(l.p999), shortTime(l.p9999), shortTime(l.maximum)});
            }
        };
        for (const KindTotals& k : report_.kinds)
            add(std::string(enumName(k.kind)), k.latency);
        if (report_.kinds.size() != 1)
            add("all", report_.all);
        if (rows.empty())
            return;
        heading("Latency");
        table(rows);
    }

    void requestStages()
    {
        if (!report_.requestStages || report_.requestStages->kinds.empty())
            return;
        heading("Where the time of a request goes");
        out_ += stageText(*report_.requestStages);
        if (report_.requestStages->slowest.empty())
            return;
        heading("Slowest requests");
        out_ += slowestText(*report_.requestStages);
    }

    void phases()
    {
        heading("Phases");
        TextTable rows({"", "", "time", "requests", "MB/s", "IOPS", "mean", "p99"}, {0, 1});
        for (const PhaseReport& p : report_.phases) {
            if (p.isFunctional) {
                rows.row({p.name, "(without time)", "", grouped(requestsOf(p.kinds)), "", "", "", ""});
                continue;
            }
            const Time time = p.end - p.start;
            rows.row(phaseRow(p, p.name, p.measured ? "" : "(not measured)", shortTime(time), time));
            for (const JobReport& job : p.jobs)
                rows.row(phaseRow(job, "", job.name, "", time));
        }
        table(rows);
        for (const PhaseReport& p : report_.phases) {
            if (p.measured && p.jobs.empty() && !p.workload.empty())
                paragraph(fmt::format("{}: {}{}", p.name, p.workload, sourceNotes(p.source)));
            for (const JobReport& job : p.jobs) {
                if (p.measured)
                    paragraph(fmt::format("{}, job {}: {}{}", p.name, job.name, job.workload, sourceNotes(job.source)));
            }
        }
    }

    // A row of a phase, or of a job: rates are over the time of the phase.
    static std::vector<std::string> phaseRow(const JobReport& p, std::string first, std::string second,
                                             std::string length, Time time)
    {
        return {std::move(first),
                std::move(second),
                std::move(length),
                grouped(requestsOf(p.kinds)),
                shortNumber(perSecond(static_cast<double>(bytesOf(p.kinds)), time) / 1e6),
                shortNumber(perSecond(static_cast<double>(requestsOf(p.kinds)), time)),
                shortTime(p.all.mean),
                shortTime(p.all.p99)};
    }

    static std::string sourceNotes(host::SourceCounts source)
    {
        std::string text;
        Statistics changes;
        source.declareChanges(changes);
        for (const Statistic& change : changes.values()) {
            if (const auto count = std::get<std::uint64_t>(change.value); count != 0)
                text += fmt::format("; {} {}", grouped(count), change.sentence);
        }
        return text;
    }

    void resources()
    {
        if (report_.measured <= Time{})
            return;
        heading("Resources");
        TextTable rows({"", "", "busy", "busiest", "", "mean wait", "max wait", "queue", "max", "jobs"}, {0, 4});
        for (const GroupUsage& g : groupResources(report_)) {
            rows.row({std::string(rowOf(g.group).title), g.members > 1 ? "x " + std::to_string(g.members) : "",
                      shortPercent(g.mean), g.members > 1 ? shortPercent(g.maximum) : "",
                      g.members > 1 ? g.busiest : "", shortTime(g.meanWait), shortTime(g.maxWait),
                      fmt::format("{:.2f}", g.meanQueue), grouped(g.maxQueue), grouped(g.jobs)});
        }
        table(rows);
        stages();
        paragraph(marked(limitingResource(report_).sentence, "1"));
    }

    void stages()
    {
        double sum = 0;
        for (const Statistic& stage : report_.stages)
            sum += toSeconds(std::get<Time>(stage.value));
        std::string text;
        for (const Statistic& stage : report_.stages) {
            if (const Time time = std::get<Time>(stage.value); time > Time{})
                text +=
                    fmt::format("{}{} {}", text.empty() ? "" : ", ", stage.name, shortPercent(toSeconds(time) / sum));
        }
        if (!text.empty())
            paragraph("time in the flash units: " + text);
        counts("foreground unit", report_.foreground);
        counts("read-ahead", report_.readAhead);
        counts("data care", report_.care);
    }

    void counts(const std::string& what, const std::vector<Statistic>& counters)
    {
        std::string text;
        for (const Statistic& counter : counters) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(std::get<std::uint64_t>(counter.value)),
                                words(counter.name));
        }
        if (!text.empty())
            paragraph(what + ": " + text);
    }
    static std::string words(std::string name)
    {
        std::replace(name.begin(), name.end(), '_', ' ');
        return name;
    }

    void reliability(const Report::Reliability& r)
    {
        std::uint64_t retried = 0;
        for (std::size_t i = 1; i < r.reads.byRetries.size(); ++i)
            retried += r.reads.byRetries[i];
        paragraph(fmt::format("pages delivered after retries {}, mean retries {}; soft decodes {}, changes of read "
                              "references {}; most reads of a block {}, blocks to reclaim {}",
                              grouped(retried), shortNumber(r.reads.meanRetries()), grouped(r.reads.softDecodes),
                              grouped(r.cells.featureSets), grouped(r.disturb.mostReads),
                              grouped(r.disturb.toReclaim)));
    }
    void flash()
    {
        heading("Flash");
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
        table(rows);
        const std::string note = writeAmplificationNote(report_);
        if (bytesOf(report_.kinds, host::RequestKind::Write) != 0)
            paragraph(fmt::format("write amplification {:.3f}{}", writeAmplification(report_),
                                  note.empty() ? "" : " (" + note + ")"));
        if (const controller::EccCounters& e = report_.ecc; e.pages() != 0) {
            paragraph(fmt::format("bit errors in {} pages read, {} at most in a codeword; ECC corrected {} bits in {} "
                                  "iterations on average, {} at most",
                                  grouped(e.pages()), e.maxBitErrors, grouped(e.correctedBits),
                                  shortNumber(e.meanIterations()), e.maxIterations));
            if (e.uncorrectable + e.undetected != 0)
                paragraph(fmt::format("pages beyond correction {}, delivered with errors {}", grouped(e.uncorrectable),
                                      grouped(e.undetected)));
        }
        if (const auto& r = report_.reliability)
            reliability(*r);
        const WearReport& w = report_.wear;
        if (w.blocks > w.factoryBad) {
            paragraph(fmt::format("erase counts {} to {}, mean {:.2f}; {} blocks, {} factory bad, {} failed", w.minimum,
                                  w.maximum, meanErases(w), grouped(w.blocks), grouped(w.factoryBad),
                                  grouped(w.failed)));
            if (w.overwrites)
                paragraph(
                    fmt::format("pages overwritten {} to {} times", w.overwrites->minimum, w.overwrites->maximum));
            if (!w.history.empty()) {
                const WearSample& last = w.history.back();
                paragraph(fmt::format("blocks in use differ by up to {} erases at the end ({} points of history)",
                                      last.maximum - last.minimum, w.history.size()));
            }
            if (w.endurance != 0)
                paragraph(fmt::format("life used {:.3g} % on average, {:.3g} % by the most worn {} (rated for {} {})",
                                      *lifeUsed(w, meanCycles(w)) * 100, *lifeUsed(w, mostCycles(w)) * 100,
                                      w.overwrites ? "page" : "block", grouped(w.endurance),
                                      w.overwrites ? "programs" : "erases"));
        }
    }

    void energy()
    {
        if (report_.energy.empty())
            return;
        heading("Energy");
        const double total = totalJoule(report_);
        const auto bytes = static_cast<double>(bytesOf(report_.kinds));
        const auto perByte = [bytes](double joule) { return bytes == 0 ? std::string() : shortEnergy(joule / bytes); };
        TextTable rows({"", "energy", "mean power", "per byte", "per sector", "share"});
        const auto add = [&](std::string name, double joule) {
            rows.row({std::move(name), shortEnergy(joule),
                      fmt::format("{:.2f} mW", perSecond(joule, report_.measured) * 1e3), perByte(joule),
                      perByte(joule * sectorBytes), total == 0 ? "" : shortPercent(joule / total)});
        };
        for (const EnergyReport& row : report_.energy)
            add(row.component, row.joule);
        add("total", total);
        table(rows);
    }

    // Firmware on the RV32 core.
    void executed(std::uint64_t instructions)
    {
        heading(fmt::format("Firmware ({} on the {} core)", report_.firmware.image, report_.firmware.mode));
        std::uint64_t requests = 0;
        for (const KindTotals& kind : report_.kinds)
            requests += kind.requests;
        const auto count = static_cast<double>(instructions);
        std::string text = fmt::format("{} instructions, {} million per second of simulated time",
                                       grouped(instructions), shortNumber(perSecond(count, report_.measured) / 1e6));
        if (requests != 0)
            text += fmt::format(", {} per request", shortNumber(count / static_cast<double>(requests)));
        paragraph(text);
    }

    void firmware()
    {
        if (report_.firmware.instructions) {
            executed(*report_.firmware.instructions);
            return;
        }
        std::uint64_t cycles = 0;
        std::vector<FirmwareCost> costs = report_.firmware.costs;
        for (const FirmwareCost& c : costs)
            cycles += c.cycles;
        if (cycles == 0)
            return;
        heading(fmt::format("Firmware ({})", report_.firmware.image));
        std::stable_sort(costs.begin(), costs.end(),
                         [](const FirmwareCost& a, const FirmwareCost& b) { return a.cycles > b.cycles; });
        TextTable rows({"", "times", "cycles", "share"});
        constexpr std::size_t shown = 6;
        for (std::size_t i = 0; i < costs.size() && i < shown && costs[i].cycles != 0; ++i) {
            rows.row({costs[i].point, grouped(costs[i].times), grouped(costs[i].cycles),
                      shortPercent(static_cast<double>(costs[i].cycles) / static_cast<double>(cycles))});
        }
        table(rows);
        std::size_t more = 0;
        std::uint64_t rest = 0;
        for (std::size_t i = shown; i < costs.size() && costs[i].cycles != 0; ++i, ++more)
            rest += costs[i].cycles;
        if (more != 0)
            paragraph(fmt::format("and {} more with {} of the cycles", more,
                                  shortPercent(static_cast<double>(rest) / static_cast<double>(cycles))));
    }

    void calibration()
    {
        if (!report_.calibration || report_.calibration->dies.empty())
            return;
        const CalibrationReport& c = *report_.calibration;
        heading("Data out");
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
        table(rows);
        paragraph(fmt::format("{} pattern reads; samples took wrong bits of {} pages", grouped(c.capture.patternReads),
                              grouped(c.capture.pagesWithErrors)));
    }

    void power()
    {
        const PowerReport& p = report_.power;
        if (p.cuts == 0 && p.cutsAfterEnd == 0)
            return;
        heading("Power losses");
        if (p.cutsAfterEnd != 0)
            paragraph(fmt::format("{} of the listed cuts are after the end of the run", grouped(p.cutsAfterEnd)));
        if (p.cuts == 0)
            return;
        TextTable rows({"", "number"});
        const auto add = [&rows](const char* what, std::uint64_t count) { rows.row({what, grouped(count)}); };
        add("power lost", p.cuts);
        add("during recovery", p.cutsInRecovery);
        add("programs and erases cut", p.operationsCut);
        add("commands lost", p.commandsLost);
        add("pages scanned by recovery", p.pagesScanned);
        add("sectors acknowledged, not flushed", p.sectorsAtRisk);
        add("of these, gone back to an older version", p.sectorsReverted);
        add("sectors read back", p.sectorsReadBack);
        table(rows);
        if (p.holdUps != 0)
            paragraph(fmt::format("capacitors supplied the drive for {} at most ({:.3g} J) while it saved its buffer",
                                  toText(p.longestHoldUp), p.holdUpJoule()));
        if (p.recoveries != 0)
            paragraph(fmt::format("ready again after {} on average, {} at most", toText(p.meanRecovery()),
                                  toText(p.longestRecovery)));
    }

    void verdict()
    {
        heading("Result");
        const IntegrityReport& integrity = report_.integrity;
        if (!integrity.enabled)
            paragraph(integrity.isGuests ? "the guest's software is responsible for checking its data"
                                         : "data was not checked (data mode none)");
        else if (integrity.checkedSectors == 0)
            paragraph("nothing was read back, so no data was checked");
        else if (integrity.mismatches == 0)
            paragraph(fmt::format("data intact: {} sectors read back and checked", grouped(integrity.checkedSectors)));
        else
            failure(fmt::format("DATA MISMATCH in {} of {} sectors checked", grouped(integrity.mismatches),
                                grouped(integrity.checkedSectors)),
                    integrity.details);
        if (report_.power.unreadable != 0)
            failure(fmt::format("{} sectors cannot be read after a power loss", grouped(report_.power.unreadable)), {});
        if (report_.power.notSaved != 0)
            failure(fmt::format("the capacitors were empty before the write buffer was saved, at {} power losses",
                                grouped(report_.power.notSaved)),
                    {});
        for (const FailureReport& f : report_.failures) {
            if (f.count == 0)
                continue;
            if (f.isError)
                failure(fmt::format("{}: {}", f.kind, grouped(f.count)), f.details);
            else
                paragraph(fmt::format("{}: {}, handled by firmware{}", f.kind, grouped(f.count),
                                      f.details.empty() ? "" : "; the first: " + f.details.front()));
        }
        std::uint64_t failed = 0;
        for (const KindTotals& k : report_.kinds)
            failed += k.failed;
        if (failed != 0)
            failure(fmt::format("{} requests failed", grouped(failed)), {});
    }
    void failure(const std::string& text, const std::vector<std::string>& details)
    {
        out_ += "  " + marked(text, "1;31") + "\n";
        for (const std::string& detail : details)
            paragraph(detail, 4);
    }

    const Report& report_;
    TerminalStyle style_;
    std::string out_;
};

} // namespace

std::string terminalReport(const Report& report, const TerminalStyle& style)
{
    return Writer(report, style).run();
}

} // namespace strobe::platform
