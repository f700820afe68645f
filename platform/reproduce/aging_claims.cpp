// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/aging_claims.h"

#include "models/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace strobe::platform {

namespace {

constexpr double percent = 100;
constexpr double exact = 0.015; // what command and address cycles, which eq. 1 does not have, may take
constexpr double orderOfMagnitude = 10;
constexpr double full = 0.98;        // "full utilisation"
constexpr double substantial = 0.20; // "substantially", "strong impact"
constexpr double observable = 0.05;  // below this a degradation is not "measurable"

constexpr std::array<const char*, 4> technologies{"SLC", "cMLC", "PCM #1", "PCM #2"};

class Judge {
public:
    explicit Judge(const Study& study) : study_(study) {}

    const Study& study() const { return study_; }
    double value(std::uint32_t table, const std::string& cell, const std::string& quantity, std::uint32_t ways = 0,
                 const std::string& at = "", std::uint32_t channels = 0) const
    {
        const StudyCell* found = find(table, cell, quantity, ways, at, channels);
        check(found != nullptr, "a statement asks for a cell that the study does not have");
        return found->measured;
    }
    const StudyCell* find(std::uint32_t table, const std::string& cell, const std::string& quantity, std::uint32_t ways,
                          const std::string& at, std::uint32_t channels) const
    {
        const auto found = std::find_if(study_.cells.begin(), study_.cells.end(), [&](const StudyCell& c) {
            return c.table == table && c.cell == cell && c.operation == quantity && c.channels == channels &&
                   c.ways == ways && c.interface == at;
        });
        return found == study_.cells.end() ? nullptr : &*found;
    }
    double write(const char* technology, const char* what, std::uint32_t ways, const char* factor = "1") const
    {
        return value(3, technology, std::string("write ") + what, ways, factor, 1);
    }
    double drive(const char* controller, const char* quantity, const char* wear) const
    {
        return value(5, controller, quantity, 4, wear, 8);
    }

    void say(std::string claim, std::string statement, double measured, std::string unit, bool holds,
             std::string reason)
    {
        statements_.push_back(
            {std::move(claim), std::move(statement), measured, std::move(unit), holds, std::move(reason)});
    }
    // `unit`: of the last printed digit.
    void printed(const char* claim, const char* statement, double measured, const char* unit, double asPrinted,
                 double digit, const std::string& reason)
    {
        say(claim, statement, measured, unit, std::abs(measured - asPrinted) < digit,
            fmt::format("less than one in the last digit from the {:g} that is printed, whether rounded or cut off{}",
                        asPrinted, reason.empty() ? "" : ". " + reason));
    }
    std::vector<Statement> take() { return std::move(statements_); }

private:
    const Study& study_;
    std::vector<Statement> statements_;
};

// --- Table I and section II -----------------------------------------------------------------------------------------

void tableOne(Judge& judge)
{
    constexpr std::array<double, 4> printed{100, 40, 2, 5};
    for (std::size_t i = 0; i < technologies.size(); ++i) {
        const double transfer = judge.value(1, technologies[i], "transfer");
        judge.say(fmt::format("I-{}", i + 1), fmt::format("transfer time of {}: {} us", technologies[i], printed[i]),
                  transfer, "us", std::abs(transfer / printed[i] - 1) <= 0.05,
                  "data size by data rate, within 5 %: the table rounds, and counts 4K or 8K");
    }
    const double toProgram = judge.value(1, "cMLC", "tPROG") / judge.value(1, "cMLC", "transfer");
    judge.say("II-1", "with fast interfaces a transfer is shorter than a read and much shorter than a write", toProgram,
              "times",
              judge.value(1, "cMLC", "transfer") < judge.value(1, "cMLC", "tR") && toProgram >= orderOfMagnitude,
              "cMLC at 200 MB/s: transfer below tR, and tPROG at least ten times as long (an order of magnitude)");
    double least = 1e9;
    for (const char* pcm : {"PCM #1", "PCM #2"})
        least = std::min(least, judge.value(1, pcm, "tPROG") / judge.value(1, pcm, "transfer"));
    judge.say("II-2", "PCM writes take more than a hundred us, still much longer than their transfer", least, "times",
              least >= orderOfMagnitude && judge.value(1, "PCM #1", "tPROG") > 100,
              "tPROG against the transfer of an access, the smaller of the two, at least ten times");
}

// --- section III: equation 1 and Fig. 3 -----------------------------------------------------------------------------

// The largest difference between simulated channels and equation 1, over the technologies chosen.
template <class Chosen>
double worstOf(const Judge& judge, std::uint32_t table, const std::string& kind, Chosen chosen)
{
    double worst = 0;
    for (const StudyCell& cell : judge.study().cells) {
        if (cell.table != table || cell.operation != kind + " throughput" || !chosen(cell.cell))
            continue;
        const double equation =
            judge.value(table, cell.cell, kind + " eq. 1", cell.ways, cell.interface, cell.channels);
        worst = std::max(worst, std::abs(cell.measured / equation - 1));
    }
    return worst;
}

void equationOne(Judge& judge)
{
    const auto all = [](const std::string&) { return true; };
    const double writes = worstOf(judge, 3, "write", all);
    judge.say("1-1", "eq. 1: program rate of a channel by pipeline depth", writes * percent, "% off", writes <= exact,
              "simulated channels against the equation, the largest difference over technologies, depths and program "
              "times: at most 1.5 %, for the command and address cycles that the equation does not have. It needs the "
              "minimum with R that the paper prints for reads only, where the depth is beyond maxP");
    const auto isSmall = [](const std::string& technology) { return technology == "PCM #1"; };
    const double reads = worstOf(judge, 3, "read", [&](const std::string& t) { return !isSmall(t); });
    judge.say("1-2", "eq. 1: read rate of a channel by pipeline depth", reads * percent, "% off", reads <= exact,
              "the same for reads of SLC, cMLC and PCM #2");
    const double small = worstOf(judge, 3, "read", isSmall);
    judge.say("1-3", "eq. 1: read rate with accesses of 64 bytes (PCM #1)", small * percent, "% off", small <= exact,
              "the same, at most 1.5 %. It cannot hold: the 7 command and address cycles of each access, which the "
              "equation leaves out, stand beside 64 data cycles");
    const double aged = worstOf(judge, 2, "write", all);
    judge.say("1-4", "eq. 1 holds with the mean of program times that spread", aged * percent, "% off",
              aged <= 2 * exact,
              "four cMLC chips at wear 0 to 1.5, each program with a time drawn for it, against the equation with the "
              "mean: at most 3 %");
    const double share = judge.write("SLC", "bus used", 3) / percent;
    const double beyond = judge.write("SLC", "bus used", 4) / percent;
    judge.say("1-5", "maxP = floor(R Tw / L) + 1 is the deepest pipeline whose chips never wait for the bus",
              judge.value(1, "SLC", "maxP"), "chips",
              judge.value(1, "SLC", "maxP") == 3 && share < full && beyond >= full,
              fmt::format("SLC: with maxP = 3 chips the bus has time left ({:.1f} % used), the fourth fills it "
                          "({:.1f} %)",
                          share * percent, beyond * percent));
    bool isFalling = true;
    double least = 1e9;
    for (const StudyCell& cell : judge.study().cells) {
        const bool isFresh =
            cell.table == 3 && cell.operation == "write throughput" && cell.interface == "1" && cell.channels == 1;
        if (!isFresh || (cell.cell == "SLC" && cell.ways > 3))
            continue;
        double before = cell.measured;
        for (const char* factor : {"1.5", "2", "2.5", "3"}) {
            const double now = judge.value(3, cell.cell, cell.operation, cell.ways, factor, 1);
            isFalling = isFalling && now < before;
            before = now;
        }
        least = std::min(least, 1 - before / cell.measured);
    }
    judge.say("1-6", "any increase of Tw decreases the program rate", least * percent, "%", isFalling,
              "over all technologies and depths up to maxP each step of the program time lowers the rate; shown is the "
              "least loss at three times the program time");
}

void figureThree(Judge& judge)
{
    judge.printed("3-1", "SLC without pipelining: 3 kIOPS", judge.write("SLC", "rate", 1), "kIOPS", 3, 1, "");
    judge.printed("3-2", "MLC without pipelining: 740 IOPS", judge.write("cMLC", "rate", 1) * 1e3, "IOPS", 740, 10, "");
    const char* slc =
        "Table I's own 250 us give 4096 / 40 MB/s / (102 + 250 us): 29 % and, with maxP = 3 chips, 87 %. "
        "200 us would give 33.9 %, and three chips a full bus; 99 is three times a 33 that was cut off: the "
        "printed figures disagree with the paper's table and equation";
    judge.printed("3-3", "SLC: bus utilisation starts at 33 % (13 MB/s)", judge.write("SLC", "bus used", 1), "%", 33, 1,
                  slc);
    judge.printed("3-4", "SLC: and goes up to 99 % (39 MB/s)", judge.write("SLC", "bus used", 3), "%", 99, 1, slc);
    judge.printed("3-5", "MLC: bus utilisation starts at 3 %", judge.write("cMLC", "bus used", 1), "%", 3, 1, "");
    judge.printed("3-6", "MLC: and goes only up to 12 %", judge.write("cMLC", "bus used", 4), "%", 12, 1, "4 chips");
    judge.printed("3-7", "MLC: 6 MB/s without pipelining", judge.write("cMLC", "throughput", 1), "MB/s", 6, 1, "");
    judge.printed("3-8", "MLC: 24 MB/s with it", judge.write("cMLC", "throughput", 4), "MB/s", 24, 1, "4 chips");
    const double depths = judge.value(1, "cMLC", "maxP") / judge.value(1, "SLC", "maxP");
    judge.say(
        "3-9", "fast interfaces allow deep pipelines, but the bus is used less", depths, "times",
        depths > 1 && judge.write("cMLC", "bus used", 1) < judge.write("SLC", "bus used", 1),
        fmt::format("maxP of cMLC against SLC; one chip uses {:.1f} % of the fast bus and {:.1f} % of the slow one",
                    judge.write("cMLC", "bus used", 1), judge.write("SLC", "bus used", 1)));
    double worst = 1e9;
    for (const char* technology : {"SLC", "cMLC"})
        worst = std::min(worst, judge.value(3, technology, "read bus used", 4, "1", 1));
    judge.say("3-10", "reads use the whole bus with a small pipeline", worst, "% bus", worst >= full * percent,
              "4 chips of SLC and of cMLC, the lower of the two, at least 98 %");
    const double lost = 1 - judge.write("cMLC", "rate", 4, "2") / judge.write("cMLC", "rate", 4, "1");
    judge.say("3-11", "longer program times affect the I/O rate substantially", lost * percent, "%",
              lost >= substantial, "loss of four cMLC chips at twice the program time, at least 20 %");
    const double gain = judge.write("SLC", "rate", 3, "3") / judge.write("SLC", "rate", 1, "1");
    const double fresh = judge.write("SLC", "rate", 3, "1") / judge.write("SLC", "rate", 1, "1");
    judge.say("3-12", "aging may reduce the gain of pipelining significantly", gain, "times",
              gain <= fresh * (1 - substantial),
              fmt::format("three SLC chips at three times the program time against one fresh chip; {:.2f} when fresh, "
                          "at least 20 % more",
                          fresh));
    double off = 0;
    for (const std::uint32_t channels : {2U, 4U, 8U}) {
        const double sum = judge.value(3, "cMLC", "write throughput", 2, "1", channels);
        off = std::max(off, std::abs(sum / channels / judge.write("cMLC", "throughput", 2) - 1));
    }
    judge.say("3-13", "the rate is a linear function of the number of channels", off * percent, "% off", off <= 0.01,
              "2, 4 and 8 channels against as many times one, within 1 %");
}

// --- section IV -----------------------------------------------------------------------------------------------------

void bound(Judge& judge)
{
    const auto rate = [&](const char* quantity, std::uint32_t channels) {
        return judge.value(4, "section IV", quantity, 4, "1", channels);
    };
    judge.printed("IV-1", "40 kIOPS of reads per channel", rate("read rate", 1), "kIOPS", 40, 1,
                  "Eq. 1: the bus of 166 MB/s is full, two IOPs of 4 KiB per page");
    judge.printed("IV-2", "5.9 kIOPS of writes per channel", rate("write rate", 1), "kIOPS", 5.9, 0.1,
                  "Eq. 1 with P = 4 (2 chips of 2 planes): 4 pages in 49 + 1,300 us, two IOPs each");
    judge.printed("IV-3", "320 kIOPS of reads for the drive", rate("read rate", 8), "kIOPS", 320, 10,
                  "The paper multiplies its rounded 40");
    judge.printed("IV-4", "47 kIOPS of writes for the drive", rate("write rate", 8), "kIOPS", 47, 1, "");
}

void drives(Judge& judge)
{
    const auto lost = [&](const char* controller, const char* wear) {
        return 1 - judge.drive(controller, "write throughput", wear) / judge.drive(controller, "write throughput", "0");
    };
    judge.say("V-1", "where the memory limits, aging has strong impact", lost("memory-bound", "1") * percent, "%",
              lost("memory-bound", "1") >= substantial,
              "write throughput lost at the end of the rated endurance, at least 20 %");
    const double hidden = lost("controller-bound", "1");
    judge.say("V-2", "where the controller limits, no degradation is measurable", hidden * percent, "%",
              std::abs(hidden) <= observable, "the same with the other controller, at most 5 %");
    const double beyond = lost("controller-bound", "1.5");
    judge.say("V-3", "nor beyond the manufacturer's endurance", beyond * percent, "%", std::abs(beyond) <= observable,
              "at half as much wear again, three times the program time: at most 5 %");
    const double share =
        judge.drive("controller-bound", "write throughput", "0") / judge.drive("memory-bound", "write throughput", "0");
    judge.say("IV-5", "a drive that its controller limits is much slower than the memory", share * percent, "%",
              share <= 0.5, "write throughput against the other controller, at most half");
    const double reads =
        judge.value(2, "cMLC", "read rate", 4, "1.5", 1) / judge.value(2, "cMLC", "read rate", 4, "0", 1) - 1;
    judge.say("III-1", "tR does not drift: the channel's read rate remains unchanged", reads * percent, "%", reads == 0,
              "four cMLC chips, read at wear 1.5 and at 0; the same to the last digit");
    const double slower =
        judge.drive("memory-bound", "read throughput", "1") / judge.drive("memory-bound", "read throughput", "0") - 1;
    judge.say("III-2", "but more bit errors lower read performance by decoding iterations", slower * percent, "%",
              slower < 0 && judge.drive("memory-bound", "read iterations", "1") >
                                judge.drive("memory-bound", "read iterations", "0"),
              fmt::format("random reads of 8 KiB at wear 1: lower, with {:.2f} iterations per page with errors instead "
                          "of {:.2f}",
                          judge.drive("memory-bound", "read iterations", "1"),
                          judge.drive("memory-bound", "read iterations", "0")));
    const double longer = judge.drive("memory-bound", "write throughput", "0") *
                          judge.drive("memory-bound", "write amplification", "0") /
                          (judge.drive("memory-bound", "write throughput", "1") *
                           judge.drive("memory-bound", "write amplification", "1"));
    judge.say("III-3", "as the drive becomes slower, its lifetime extends", longer, "times", longer > 1,
              "Sb E / (Wr A) with the program rate and write amplification of the runs, wear 1 against 0");
    const double startGap = judge.value(6, "start-gap native", "write amplification", 2, "", 2);
    judge.say("III-4", "PCM with Start-Gap: write amplification about 1", startGap, "times",
              startGap >= 1 && startGap <= 1.02,
              "60,000 pages written to a drive of 256, at most 1.02: a move of the gap for every 100 pages written");
}

} // namespace

std::vector<Statement> agingStatements(const Study& study)
{
    Judge judge(study);
    tableOne(judge);
    equationOne(judge);
    figureThree(judge);
    bound(judge);
    drives(judge);
    return judge.take();
}

} // namespace strobe::platform
