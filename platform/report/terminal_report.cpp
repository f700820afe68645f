// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_report.h"

#include "models/base/content.h"
#include "models/host/queue_use.h"
#include "platform/report/analysis.h"
#include "platform/report/terminal_drive.h"
#include "platform/report/terminal_page.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

class HostSections {
public:
    HostSections(const Report& report, TerminalPage& page) : report_(report), page_(page) {}

    void beforeTheDrive()
    {
        head();
        throughput();
        latencies();
        requestStages();
        phases();
    }
    void afterTheDrive()
    {
        power();
        served();
        queues();
        faults();
        verdict();
    }

private:
    void head()
    {
        page_.add(page_.marked(report_.scenario, "1") + "\n");
        if (!report_.description.empty())
            page_.paragraph(report_.description);
        page_.paragraph(fmt::format("{} drive{}, ready after {}; data {}, seed {}",
                                    shortBytes(report_.capacitySectors * sectorBytes),
                                    report_.drive.empty() ? "" : " (" + report_.drive + ")", shortTime(report_.ready),
                                    report_.dataMode, report_.seed));
        if (report_.interrupted) {
            page_.paragraph(page_.marked(
                fmt::format("INTERRUPTED ({}): the figures cover the time until then", report_.interruption), "1;31"));
        }
        std::string time =
            fmt::format("simulated {}, measured {}", shortTime(report_.simulated), shortTime(report_.measured));
        if (report_.host)
            time += fmt::format("; host time {:.2f} s", report_.host->setUpSeconds + report_.host->runSeconds);
        page_.paragraph(time);
        if (report_.measured <= Time{})
            page_.paragraph(page_.marked("nothing was measured: no measured phase has completed a request", "1;31"));
    }

    void throughput()
    {
        page_.heading("Throughput");
        TextTable rows({"", "requests", "data", "MB/s", "MiB/s", "IOPS", "failed"});
        const auto add = [&](std::string name, const Throughput& t, std::uint64_t failed) {
            rows.row({std::move(name), grouped(t.requests), shortBytes(t.bytes), shortNumber(t.megabytesPerSecond()),
                      shortNumber(t.mebibytesPerSecond()), shortNumber(t.iops()), failed == 0 ? "" : grouped(failed)});
        };
        std::uint64_t failed = 0;
        for (const KindTotals& k : report_.kinds) {
            add(std::string(enumName(k.kind)), {k.requests, k.bytes, report_.measured}, k.failed);
            failed += k.failed;
        }
        if (report_.kinds.size() != 1)
            add("all", throughputOf(report_.kinds, report_.measured), failed);
        page_.table(rows);
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
        page_.heading("Latency");
        page_.table(rows);
    }

    void requestStages()
    {
        if (!report_.requestStages || report_.requestStages->kinds.empty())
            return;
        page_.heading("Where the time of a request goes");
        page_.add(stageText(*report_.requestStages));
        if (report_.requestStages->slowest.empty())
            return;
        page_.heading("Slowest requests");
        page_.add(slowestText(*report_.requestStages));
    }

    void phases()
    {
        page_.heading("Phases");
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
        page_.table(rows);
        for (const PhaseReport& p : report_.phases) {
            if (p.measured && p.jobs.empty() && !p.workload.empty())
                page_.paragraph(fmt::format("{}: {}{}", p.name, p.workload, sourceNotes(p.source)));
            for (const JobReport& job : p.jobs) {
                if (p.measured)
                    page_.paragraph(
                        fmt::format("{}, job {}: {}{}", p.name, job.name, job.workload, sourceNotes(job.source)));
            }
        }
    }

    // A row of a phase, or of a job: rates are over the time of the phase.
    static std::vector<std::string> phaseRow(const JobReport& p, std::string first, std::string second,
                                             std::string length, Time time)
    {
        const Throughput t = throughputOf(p.kinds, time);
        return {std::move(first),
                std::move(second),
                std::move(length),
                grouped(t.requests),
                shortNumber(t.megabytesPerSecond()),
                shortNumber(t.iops()),
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
                text += "; " + counted(count, change.sentence);
        }
        return text;
    }

    void power()
    {
        const PowerReport& p = report_.power;
        if (p.cuts == 0 && p.cutsAfterEnd == 0)
            return;
        page_.heading("Power losses");
        if (p.cutsAfterEnd != 0)
            page_.paragraph(fmt::format("{} of the listed cuts are after the end of the run", grouped(p.cutsAfterEnd)));
        if (p.cuts == 0)
            return;
        TextTable rows({"", "number"});
        const auto add = [&rows](const char* what, std::uint64_t count) { rows.row({what, grouped(count)}); };
        add("power lost", p.cuts);
        add("during recovery", p.cutsInRecovery);
        add("programs and erases cut", p.operationsCut);
        add("commands lost", p.commandsLost);
        add("pages scanned by recovery", p.pagesScanned);
        if (!report_.integrity.isGuests) {
            add("sectors acknowledged, not flushed", p.sectorsAtRisk);
            add("of these, gone back to an older version", p.sectorsReverted);
            add("sectors read back", p.sectorsReadBack);
        }
        page_.table(rows);
        if (p.holdUps != 0)
            page_.paragraph(
                fmt::format("capacitors supplied the drive for {} at most ({:.3g} J) while it saved its buffer",
                            toText(p.longestHoldUp), p.holdUpJoule()));
        if (p.recoveries != 0)
            page_.paragraph(fmt::format("ready again after {} on average, {} at most", toText(p.meanRecovery()),
                                        toText(p.longestRecovery)));
    }

    void served()
    {
        if (!report_.served)
            return;
        const ServedReport& served = *report_.served;
        page_.heading("Requests of clients");
        TextTable rows({"", "requests", "data", "with FUA", "failed"});
        for (const ServedReport::Kind& kind : served.kinds)
            rows.row({kind.name, grouped(kind.requests), shortBytes(kind.bytes), grouped(kind.forced),
                      grouped(kind.failed)});
        page_.table(rows);
        page_.paragraph(fmt::format("connections: {}; requests for allocated ranges: {}", grouped(served.clients),
                                    grouped(served.extents)));
        if (!served.pace)
            return;
        const ServedReport::Pace& pace = *served.pace;
        page_.paragraph(
            fmt::format("a simulated second took {:g} s; largest lag {}", pace.factor, toText(pace.mostBehind)) +
            (pace.lost == Time{} ? "" : fmt::format(", {} not recovered", toText(pace.lost))));
    }

    void queues()
    {
        TextTable rows({"", "reads", "writes", "others", "MSI-X vector", "interrupts"});
        for (const CounterBlock& block : report_.counters) {
            if (const auto* use = block.as<host::QueueUse>())
                rows.row({fmt::format("queue {}", use->queue), grouped(use->reads), grouped(use->writes),
                          grouped(use->others), use->vector ? std::to_string(*use->vector) : "polled",
                          grouped(use->messages)});
        }
        if (rows.empty())
            return;
        page_.heading("Queues of the guest's driver");
        page_.table(rows);
    }

    void faults()
    {
        TextTable rows({"", "number"});
        for (const CounterBlock& block : report_.counters) {
            if (block.place().path.rfind("faults.", 0) != 0)
                continue;
            for (const Statistic& row : block.statistics()) {
                const auto* count = std::get_if<std::uint64_t>(&row.value);
                rows.row({row.sentence, count != nullptr ? grouped(*count) : toText(std::get<Time>(row.value))});
            }
        }
        if (rows.empty())
            return;
        page_.heading("Faults");
        page_.table(rows);
    }

    void verdict()
    {
        page_.heading("Result");
        const IntegrityReport& integrity = report_.integrity;
        if (!integrity.enabled)
            page_.paragraph(integrity.isGuests ? "the software that uses the drive is responsible for checking its data"
                                               : "data was not checked (data mode none)");
        else if (integrity.checkedSectors == 0)
            page_.paragraph("nothing was read back, so no data was checked");
        else if (integrity.mismatches == 0)
            page_.paragraph(
                fmt::format("data intact: {}", counted(integrity.checkedSectors, "sectors read back and checked")));
        else
            page_.failure(fmt::format("DATA MISMATCH in {} of {} sectors checked", grouped(integrity.mismatches),
                                      grouped(integrity.checkedSectors)),
                          integrity.details);
        if (report_.power.unreadable != 0)
            page_.failure(counted(report_.power.unreadable, "sectors cannot be read after a power loss"), {});
        if (report_.power.notSaved != 0)
            page_.failure(fmt::format("the capacitors were empty before the write buffer was saved, at {} power losses",
                                      grouped(report_.power.notSaved)),
                          {});
        for (const FailureReport& f : report_.failures) {
            if (f.count == 0)
                continue;
            if (f.isError)
                page_.failure(fmt::format("{}: {}", f.kind, grouped(f.count)), f.details);
            else
                page_.paragraph(fmt::format("{}: {}, handled by firmware{}", f.kind, grouped(f.count),
                                            f.details.empty() ? "" : "; the first: " + f.details.front()));
        }
        std::uint64_t failed = 0;
        for (const KindTotals& k : report_.kinds)
            failed += k.failed;
        if (failed != 0)
            page_.failure(counted(failed, "requests failed"), {});
    }

    const Report& report_;
    TerminalPage& page_;
};

} // namespace

std::string terminalReport(const Report& report, const TerminalStyle& style)
{
    TerminalPage page(style.colour);
    HostSections host(report, page);
    host.beforeTheDrive();
    writeDriveSections(report, page);
    host.afterTheDrive();
    return page.text();
}

} // namespace strobe::platform
