// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/di_ssd_claims.h"

#include "models/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace strobe::platform {

namespace {

constexpr double baseMegahertz = 50;
constexpr double tenth = 0.10;        // "around", "roughly": within a tenth
constexpr double same = 0.01;         // unaffected: within one percent
constexpr double saturatedBus = 90;   // % of the time; beyond, response is that of a queue without end
constexpr double insignificant = 0.1; // s: of a power-on of seconds
constexpr double millisecond = 1'000; // to seconds
constexpr double points = 5;          // of a percentage read off a slide

class Judge {
public:
    explicit Judge(const Study& study) : study_(study) {}

    double value(std::uint32_t table, const std::string& cell, const std::string& quantity,
                 const std::string& interface) const
    {
        const StudyCell* found = diSsdCell(study_, table, cell, quantity, interface);
        check(found != nullptr, "a statement asks for a cell that the study does not have");
        return found->measured;
    }
    // Visits the cells of that table and quantity.
    template <class Visit>
    void each(std::uint32_t table, const std::string& quantity, Visit visit) const
    {
        for (const StudyCell& cell : study_.cells) {
            if (cell.table == table && cell.operation == quantity)
                visit(cell);
        }
    }
    double speedup(const StudyCell& symmetric, const std::string& quantity = "read response") const
    {
        return symmetric.measured / value(symmetric.table, symmetric.cell, quantity, "DI");
    }
    void say(std::string claim, std::string statement, double measured, std::string unit, bool holds,
             std::string reason)
    {
        statements_.push_back(
            {std::move(claim), std::move(statement), measured, std::move(unit), holds, std::move(reason)});
    }
    std::vector<Statement> take() { return std::move(statements_); }

private:
    const Study& study_;
    std::vector<Statement> statements_;
};

bool isCorner(const StudyCell& cell)
{
    return cell.cell == "slow" || cell.cell == "typical" || cell.cell == "fast";
}

// --- chip level -----------------------------------------------------------------------------------------------------

void frequencies(Judge& judge)
{
    const double typical = judge.value(1, "typical", "frequency", diSsdNominal) / baseMegahertz;
    judge.say("chip-1", "4x higher flash-to-controller speed", typical, "times", typical >= 4,
              "typical corner, nominal supply, 25 C, mean of eight dies, against 50 MHz; 4 times or more");
    double least = 1e9;
    double periods = 1e9;
    judge.each(1, "least frequency", [&](const StudyCell& c) {
        if (isCorner(c))
            least = std::min(least, c.measured / baseMegahertz);
    });
    judge.each(1, "sampled after", [&](const StudyCell& c) {
        if (isCorner(c))
            periods = std::min(periods, c.measured);
    });
    judge.say("chip-2", "reclaims underutilised frequency margins: fast/slow corners, +-10 % supply, 0 to 70 C", least,
              "times", least > 1,
              "the slowest die of three corners x three supplies x three temperatures, against 50 MHz; above 1 in all "
              "27");
    judge.say("chip-3", "exploits that outputs can be overlapped", periods, "periods", periods > 1,
              "from the edge that asks for a byte to its sample, the least of the 27: above 1, the next byte has been "
              "asked for before");
}

void guarantees(Judge& judge)
{
    double pages = 0;
    double mismatches = 0;
    double checked = 0;
    judge.each(1, "pages with errors", [&](const StudyCell& c) { pages += c.measured; });
    judge.each(1, "mismatches", [&](const StudyCell& c) { mismatches += c.measured; });
    judge.each(1, "checked", [&](const StudyCell& c) { checked += c.measured; });
    judge.say("safe-1", "the raw bit error rate is intact", pages, "pages", pages == 0,
              "pages of which a sample took a wrong bit, in all runs of table 1; none");
    judge.say(
        "safe-2", "data transferred into the flash and its retention are intact", mismatches, "sectors",
        mismatches == 0 && checked > 0,
        fmt::format("bytes that came back other than they were written, of {:.0f} sectors checked; none. Data in, "
                    "commands and addresses keep their clock",
                    checked));
    const double fallback = judge.value(1, diSsdTooSlow, "frequency", diSsdNominal);
    judge.say("safe-3", "the controller can always fall back to a conservative output frequency (CLK_R)", fallback,
              "MHz", fallback == baseMegahertz,
              "dies that no divider has a window for: all eight stay at the base clock, and the data is intact");
    const double calibrations = judge.value(1, "changes of 45 degrees", "calibrations", diSsdNominal);
    judge.say("safe-4", "the routine runs upon power-on or significant temperature changes", calibrations, "each",
              calibrations == 3, "calibrations of each die in a run with a step up and one down again: three");
    const double took = judge.value(2, diSsdSaturated, "calibrated for", "DI") / millisecond;
    judge.say("safe-5", "insignificant overhead", took * millisecond, "ms", took < insignificant,
              "power-on calibration of 64 dies, one after the other, on the processor that performs the FTL; below 100 "
              "ms (a limit of ours: the slides count gates, and give no time)");
}

// --- system level ---------------------------------------------------------------------------------------------------

void synthetic(Judge& judge)
{
    double most = 0;
    double lightest = 0;
    std::string at;
    judge.each(2, "read response", [&](const StudyCell& c) {
        if (c.interface != "SI" || judge.value(2, c.cell, "interconnections busy", "SI") > saturatedBus)
            return;
        const double gain = judge.speedup(c);
        if (lightest == 0)
            lightest = gain;
        if (gain > most) {
            most = gain;
            at = c.cell;
        }
    });
    judge.say("system-1", "1.9x read response time speedup under synthetic workloads", lightest, "times",
              std::abs(lightest / 1.9 - 1) <= tenth,
              "under the lightest load of the sweep; within a tenth. What a page takes on the interconnection falls to "
              "a quarter, what its sensing takes stays");
    judge.say("system-2", "... and that is the most (\"up to\")", most, "times", most <= 1.9 * (1 + tenth),
              fmt::format("the largest of the sweep as long as the symmetric interconnections are busy for 90 % of the "
                          "time at most, at {} reads per second. With load the queue for the symmetric interconnection "
                          "grows, and the gain with it, without end where it saturates; the slides do not say how high "
                          "their loads are",
                          at));
    const double reads = judge.value(2, diSsdSaturated, "interconnections busy", "SI");
    judge.say("system-3", "a symmetric interconnection of low bandwidth is a bottleneck for reads", reads, "%",
              reads >= saturatedBus,
              "share of the time that the interconnections are held when reads never wait for "
              "the host; 90 % or more");
}

void workloads(Judge& judge)
{
    double sum = 0;
    double count = 0;
    std::string all;
    judge.each(3, "read response", [&](const StudyCell& c) {
        if (c.interface != "SI" || !c.note.empty()) // traces from the command line stand beside
            return;
        const double gain = judge.speedup(c);
        sum += gain;
        ++count;
        all += fmt::format("{}{} {:.2f}", all.empty() ? "" : ", ", c.cell, gain);
    });
    const double mean = sum / std::max(count, 1.0);
    judge.say("system-4", "1.7x read response time speedup on average under data centre workloads", mean, "times",
              std::abs(mean / 1.7 - 1) <= tenth,
              "mean over " + all +
                  "; 1.7 within a tenth. The slides do not name their workloads: these are the project's, and requests "
                  "of 2 and 4 KiB move a part of a page only");
}

void writes(Judge& judge)
{
    const double gain =
        judge.value(4, "writes", "write response", "SI") / judge.value(4, "writes", "write response", "DI");
    judge.say("system-5", "the direction into the flash is not sped up: writes are unaffected", gain, "times",
              std::abs(gain - 1) <= same,
              "write response of random pages, symmetric against desymmetrized; within 1 %");
    const double both =
        judge.value(4, "writes", "write response", "SI") / judge.value(4, "writes", "write response", diSsdBothWays);
    const double reads =
        judge.value(4, "reads", "read response", "SI") / judge.value(4, "reads", "read response", diSsdBothWays);
    judge.say("system-6", "high bandwidth in both directions is overdesign for writes", both, "times",
              both - 1 < (reads - 1) / 4,
              fmt::format("write response with 200 MB/s in both directions (NV_DDR_5) against 50 MB/s; gains less than "
                          "a quarter of what reads gain by it ({:.2f} times, the same load)",
                          reads));
}

void technologies(Judge& judge)
{
    double faster = 0;
    double all = 0;
    std::string gains;
    judge.each(7, "read response", [&](const StudyCell& c) {
        if (c.interface != "SI")
            return;
        const double reads = judge.speedup(c);
        const double writes =
            judge.value(7, c.cell, "write response", "SI") / judge.value(7, c.cell, "write response", "DI");
        ++all;
        faster += reads > 1 + same && std::abs(writes - 1) <= same ? 1 : 0;
        gains += fmt::format("{}{} {:.2f}", gains.empty() ? "" : ", ", c.cell, reads);
    });
    judge.say(
        "scope-1", "DI applies to various technologies: SDR, DDR", faster, "interfaces", all > 0 && faster == all,
        fmt::format("of {:.0f} interfaces, those on which 50 MHz out of the flash and 25 MHz into it shorten reads "
                    "against 25 MHz both ways, and leave writes within 1 %; all ({})",
                    all, gains));
}

void grades(Judge& judge)
{
    const auto grade = [&](const char* claim, const char* family) {
        const double said = judge.value(6, family, "printed grades", family);
        const double matching = judge.value(6, family, "matching grades", family);
        judge.say(claim, fmt::format("clock frequency grades of {}", family), matching, "grades", matching == said,
                  fmt::format("of the {:.0f} printed ones, those that the platform's interfaces have, cut off to whole "
                              "megahertz as on the slide; all",
                              said));
    };
    grade("grades-1", "SDR");
    grade("grades-2", "DDR");
    grade("grades-3", "DDR2/DDR3");
}

void usb(Judge& judge)
{
    const double sensing = judge.value(5, "sequential read", "sensing", "NV_DDR_5");
    const double bus = judge.value(5, "sequential read", "interconnection", "NV_DDR_5");
    judge.say("usb-1", "a sequential read of a USB drive at 200 MT/s: 72 % interconnection", bus, "%",
              std::abs(bus - 72) <= points,
              "share of the time that the interconnection is held, two planes of 16 KiB; within 5 points. Chips of the "
              "drive are not named");
    judge.say("usb-2", "... 16 % memory sensing", sensing, "%", std::abs(sensing - 16) <= points,
              "share of the time that the array reads; within 5 points. 16 : 72 at 200 MT/s would be tR of 39 us for "
              "two planes of 16 KiB with their spare bytes, a third less than this part has (56 us); and the slide's "
              "last 12 % are outside the flash");
}

} // namespace

const StudyCell* diSsdCell(const Study& study, std::uint32_t table, const std::string& cell,
                           const std::string& quantity, const std::string& interface)
{
    const auto found = std::find_if(study.cells.begin(), study.cells.end(), [&](const StudyCell& c) {
        return c.table == table && c.cell == cell && c.operation == quantity && c.interface == interface;
    });
    return found == study.cells.end() ? nullptr : &*found;
}

std::vector<Statement> diSsdStatements(const Study& study)
{
    Judge judge(study);
    grades(judge);
    usb(judge);
    frequencies(judge);
    guarantees(judge);
    synthetic(judge);
    workloads(judge);
    writes(judge);
    technologies(judge);
    return judge.take();
}

} // namespace strobe::platform
