// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/cps_sim_claims.h"

#include "models/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace strobe::platform {

namespace {

constexpr std::array<const char*, 5> bandwidths{"20MB/s", "40MB/s", "67MB/s", "200MB/s", "800MB/s"};
constexpr std::uint32_t mostChips = 4;
constexpr double percent = 100;

// How far from "n chips do n times the work" is still that.
constexpr double proportional = 0.975;
constexpr double similar = 0.10;   // "quite similar"
constexpr double muchHigher = 2;   // "much higher", "heavily"
constexpr double notSlower = 0.05; // within this, there is no difference

class Judge {
public:
    explicit Judge(const Study& study) : study_(study) {}

    double value(std::uint32_t table, const std::string& cell, const std::string& quantity, std::uint32_t chips,
                 const std::string& bandwidth, std::uint32_t channels = 1) const
    {
        const auto found = std::find_if(study_.cells.begin(), study_.cells.end(), [&](const StudyCell& c) {
            return c.table == table && c.cell == cell && c.operation == quantity && c.channels == channels &&
                   c.ways == chips && c.interface == bandwidth;
        });
        check(found != study_.cells.end(), "a statement asks for a cell that the study does not have");
        return found->measured;
    }
    double speed(const char* workload, std::uint32_t chips, const std::string& bandwidth) const
    {
        return value(8, workload, "throughput", chips, bandwidth);
    }
    double busShare(std::uint32_t table, const char* workload, std::uint32_t chips, const std::string& bandwidth) const
    {
        return value(table, workload, "bus busy", chips, bandwidth) / percent;
    }
    double gain(const char* workload, std::uint32_t chips, const std::string& bandwidth) const
    {
        return speed(workload, chips, bandwidth) / speed(workload, 1, bandwidth);
    }
    double elapsed(std::uint32_t chips, const std::string& bandwidth) const
    {
        return value(9, "mix", "elapsed", chips, bandwidth);
    }
    double ftl(std::uint32_t chips, const std::string& bandwidth) const
    {
        return value(10, "ftl", "throughput", chips, bandwidth);
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

// --- sections 3 and 5.1 ---------------------------------------------------------------------------------------------

struct Equation {
    const char* claim;
    const char* cell;
    const char* text;
    std::array<const char*, 4> terms;
};
constexpr std::array<Equation, 4> equations{
    {{"3-1", "read", "eq. 1: T_READ = tCMD + tR + tBUS", {"tCMD", "tR", "tBUS", nullptr}},
     {"3-2", "program", "eq. 2: T_WRITE = tCMD + tBUS + tPROG", {"tCMD", "tBUS", "tPROG", nullptr}},
     {"3-3", "erase", "eq. 3: T_ERASE = tCMD + tE", {"tCMD", "tE", nullptr, nullptr}},
     {"3-4", "copyback", "eq. 4: T_COPYBACK = tCMD + tR + tPROG", {"tCMD", "tR", "tPROG", nullptr}}}};

void singleOperations(Judge& judge)
{
    for (const Equation& equation : equations) {
        double worst = 0;
        for (const char* bandwidth : bandwidths) {
            double sum = 0;
            for (const char* term : equation.terms)
                sum += term == nullptr ? 0 : judge.value(3, equation.cell, term, 1, bandwidth);
            worst = std::max(worst, std::abs(judge.value(3, equation.cell, "elapsed", 1, bandwidth) - sum));
        }
        constexpr double picosecond = 1e-6; // in microseconds
        judge.say(equation.claim, equation.text, worst / picosecond, "ps", worst < picosecond / 2,
                  "the operation alone on the bus against the sum of its terms, the largest difference of five "
                  "bandwidths; exact");
    }
    const double ratio =
        judge.value(3, "program", "elapsed", 1, "40MB/s") / judge.value(3, "read", "elapsed", 1, "40MB/s");
    judge.say("3-5", "reading is roughly 2.4 times faster than writing", ratio, "times", std::abs(ratio - 2.4) <= 0.1,
              "T_WRITE / T_READ at 40 MB/s, within 0.1. With the tR of 25 us of section 3 instead of the 20 us of "
              "Table 3 it would be smaller by 4 %");
    const double tBus = judge.value(3, "read", "tBUS", 1, "40MB/s");
    judge.say("5.1-1", "tBUS is 100 us at 40 MB/s", tBus, "us", std::abs(tBus / 100 - 1) <= 0.05,
              "4,096 bytes, one per clock of 25 ns, within 5 %");
    double least = 1e9;
    double most = 0;
    for (const Equation& equation : equations) {
        const double tCmd = judge.value(3, equation.cell, "tCMD", 1, "40MB/s");
        least = std::min(least, tCmd);
        most = std::max(most, tCmd);
    }
    judge.say("5.1-2", "tCMD is 1 to 2 us at 40 MB/s, by command", most, "us", least >= 1 && most <= 2,
              fmt::format("{:.3f} to {:.3f} us over the four operations; fitted to", least, most));
}

// --- Fig. 8 ---------------------------------------------------------------------------------------------------------

void reads(Judge& judge)
{
    const std::array<const char*, 4> early{"20MB/s", "40MB/s", "67MB/s", "200MB/s"};
    for (std::size_t i = 0; i < early.size(); ++i) {
        const double one = judge.busShare(8, "reads", 1, early[i]);
        const double two = judge.busShare(8, "reads", 2, early[i]);
        const double more = judge.speed("reads", mostChips, early[i]) / judge.speed("reads", 2, early[i]) - 1;
        judge.say(
            fmt::format("8a-{}", i + 1), fmt::format("reads saturate a bus of {} when chips go from 1 to 2", early[i]),
            two * percent, "% bus", one < cpsSaturated && two >= cpsSaturated && more < 1 - cpsSaturated,
            fmt::format("the bus is held for less than 99 % of the time by 1 chip ({:.1f} %), for that or more by "
                        "2, and 4 chips bring less than 1 % more ({:.2f} %)",
                        one * percent, more * percent));
    }
    const double gain = judge.gain("reads", mostChips, "800MB/s");
    const double share = judge.busShare(8, "reads", mostChips, "800MB/s");
    judge.say("8a-5", "only a bus of 800 MB/s sustains the reads", gain, "times",
              gain >= proportional * mostChips && share < cpsSaturated,
              fmt::format("4 chips against 1, at least 3.9 times, with a bus that is not saturated ({:.1f} %)",
                          share * percent));
}

void writes(Judge& judge)
{
    const double two = judge.gain("writes", 2, "40MB/s");
    const double share = judge.busShare(8, "writes", 2, "40MB/s");
    judge.say("8b-1", "writes do not easily saturate a bus, even of 40 MB/s", two, "times",
              two >= proportional * 2 && share < cpsAlmostSaturated,
              fmt::format("2 chips against 1, at least 1.95 times, with a bus that is not almost saturated ({:.1f} %); "
                          "it is saturated by 3",
                          share * percent));
    const std::array<const char*, 3> enough{"67MB/s", "200MB/s", "800MB/s"};
    for (std::size_t i = 0; i < enough.size(); ++i) {
        const double gain = judge.gain("writes", mostChips, enough[i]);
        const double used = judge.busShare(8, "writes", mostChips, enough[i]);
        judge.say(fmt::format("8b-{}", i + 2), fmt::format("4 writing chips do not saturate a bus of {}", enough[i]),
                  gain, "times", gain >= proportional * mostChips && used < cpsSaturated,
                  fmt::format("4 chips against 1, at least 3.9 times; the bus is held for {:.1f} %", used * percent));
    }
    const double ofReads = judge.gain("reads", mostChips, "67MB/s");
    const double ofWrites = judge.gain("writes", mostChips, "67MB/s");
    judge.say("8b-5", "reads saturate a moderate bus while writes gain from interleaving", ofWrites / ofReads, "times",
              ofWrites >= muchHigher * ofReads,
              fmt::format("gain of 4 chips over 1 at 67 MB/s, the middle one: {:.2f} for writes, {:.2f} for reads; at "
                          "least twice",
                          ofWrites, ofReads));
}

void readsAgainstWrites(Judge& judge)
{
    double mostRead = 0;
    double mostWritten = 0;
    for (const char* bandwidth : bandwidths) {
        mostRead = std::max(mostRead, judge.speed("reads", mostChips, bandwidth));
        mostWritten = std::max(mostWritten, judge.speed("writes", mostChips, bandwidth));
    }
    judge.say("8-1", "Fig. 8a's values are much higher than Fig. 8b's", mostRead / mostWritten, "times",
              mostRead >= muchHigher * mostWritten, "the largest value of each, at least twice");
    const auto second = [&](const char* workload) {
        return judge.value(8, workload, "throughput", 1, "67MB/s", 2) / judge.speed(workload, 2, "67MB/s");
    };
    const double forReads = second("reads");
    const double forWrites = second("writes");
    judge.say("8-2", "more buses for reads, more chips per bus for writes", forReads, "times",
              forReads >= 1.2 && std::abs(forWrites - 1) <= notSlower,
              fmt::format("two chips at 67 MB/s, on two buses against on one: reads {:.2f} times, at least 1.2; writes "
                          "{:.2f} times, within 5 % of the same",
                          forReads, forWrites));
    const double ratio = judge.speed("reads", mostChips, "200MB/s") / judge.speed("writes", mostChips, "200MB/s");
    judge.say("8-3", "performance depends heavily on the workload", ratio, "times", ratio >= muchHigher,
              "the same four chips at 200 MB/s, reads against writes, at least twice");
}

// --- Figs. 9 and 10 -------------------------------------------------------------------------------------------------

void mixed(Judge& judge)
{
    const double at20 = judge.busShare(9, "mix", 3, "20MB/s");
    judge.say("9-1", "3 chips almost saturate a bus of 20 MB/s", at20 * percent, "% bus", at20 >= cpsAlmostSaturated,
              "share of the time that the bus is held, at least 90 %");
    const double at40 = judge.busShare(9, "mix", 3, "40MB/s");
    judge.say(
        "9-2", "3 chips almost saturate a bus of 40 MB/s", at40 * percent, "% bus", at40 >= cpsAlmostSaturated,
        fmt::format("the same; 4 chips hold it for {:.1f} %. 880 pages are 90 ms on this bus and the arrays' work is "
                    "196 ms, 65 ms for each of 3 chips: while a chip erases, for the time of 15 pages, two are left "
                    "to fill the bus, and a chip does its operations in order",
                    judge.busShare(9, "mix", mostChips, "40MB/s") * percent));
    double slowest = 1e9;
    double shrinking = 1e9;
    for (const char* bandwidth : bandwidths) {
        for (std::uint32_t chips = 2; chips <= mostChips; ++chips) {
            const double saved = judge.elapsed(chips - 1, bandwidth) - judge.elapsed(chips, bandwidth);
            slowest = std::min(slowest, saved);
            if (chips > 2) {
                const double before = judge.elapsed(chips - 2, bandwidth) - judge.elapsed(chips - 1, bandwidth);
                shrinking = std::min(shrinking, before - saved);
            }
        }
    }
    judge.say("9-3", "more chips decrease the elapsed time", slowest, "ms", slowest > 0,
              "what one chip more saves at least, over all bandwidths");
    judge.say("9-4", "but the marginal gain becomes small", shrinking, "ms", shrinking > 0,
              "each chip more saves less than the one before, at every bandwidth: the least difference");
    double difference = 0;
    double leastArray = 1;
    double mostBus = 0;
    for (std::uint32_t chips = 1; chips <= mostChips; ++chips) {
        difference = std::max(difference, judge.elapsed(chips, "200MB/s") / judge.elapsed(chips, "800MB/s") - 1);
        leastArray = std::min(leastArray, judge.value(9, "mix", "chip busy", chips, "200MB/s") / percent);
        mostBus = std::max(mostBus, judge.busShare(9, "mix", chips, "200MB/s"));
    }
    judge.say("9-5", "200 MB/s and 800 MB/s are quite similar", difference * percent, "%", difference <= similar,
              "the largest difference of the elapsed times, over the numbers of chips: at most 10 %");
    judge.say("9-6", "there the chips are the bottleneck, not the bus", leastArray * percent, "% chip",
              leastArray >= muchHigher * mostBus,
              fmt::format("the busiest array works at 200 MB/s for at least twice the share that the bus is held for "
                          "({:.1f} %), over the numbers of chips",
                          mostBus * percent));
}

void translated(Judge& judge)
{
    double least = 1e9;
    for (const char* bandwidth : bandwidths) {
        for (std::uint32_t chips = 2; chips <= mostChips; ++chips) {
            if (judge.busShare(10, "ftl", chips - 1, bandwidth) < cpsSaturated)
                least = std::min(least, judge.ftl(chips, bandwidth) / judge.ftl(chips - 1, bandwidth) - 1);
        }
    }
    judge.say("10-1", "with the FTL, chips improve performance until the bus is saturated", least * percent, "%",
              least > 1 - cpsSaturated,
              "what one chip more gains at least while the bus is not saturated, over all bandwidths: more than 1 %");
    const double gain = judge.ftl(mostChips, "200MB/s") / judge.ftl(1, "200MB/s");
    judge.say("10-2", "the FTL uses the concurrency of chips well", gain, "times", gain >= 0.9 * mostChips,
              "4 chips against 1 at 200 MB/s, where the bus does not limit: at least 3.6 times");
    const double byBus = judge.ftl(mostChips, "800MB/s") / judge.ftl(mostChips, "20MB/s");
    judge.say("5.2-1", "sufficient bus bandwidth is critical", byBus, "times", byBus >= 1.5,
              "four chips with the FTL, 800 MB/s against 20 MB/s: at least 1.5 times");
    const double mostGain = judge.ftl(mostChips, "800MB/s") / judge.ftl(1, "800MB/s");
    judge.say("5.2-2", "so is an FTL that drives chips concurrently", mostGain, "times", mostGain >= muchHigher,
              "4 chips against 1 at 800 MB/s, at least twice");
}

} // namespace

std::vector<Statement> cpsSimStatements(const Study& study)
{
    Judge judge(study);
    singleOperations(judge);
    reads(judge);
    writes(judge);
    readsAgainstWrites(judge);
    mixed(judge);
    translated(judge);
    return judge.take();
}

} // namespace strobe::platform
