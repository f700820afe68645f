// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/operations_result.h"

#include "platform/report/json_number.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace strobe::platform {

using nlohmann::ordered_json;

namespace {

double share(Time part, Time whole)
{
    return whole > Time{} ? static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 0;
}

} // namespace

const operations::OpcodeResult& OperationsResult::of(nand::Opcode opcode) const
{
    static const operations::OpcodeResult none{};
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.opcode == opcode; });
    return found == kinds.end() ? none : found->result;
}

double OperationsResult::megabytesPerSecond(nand::Opcode opcode) const
{
    constexpr double mega = 1e6;
    return elapsed > Time{} ? static_cast<double>(of(opcode).count * pageBytes) / toSeconds(elapsed) / mega : 0;
}

double OperationsResult::busShare() const
{
    return share(*std::max_element(busBusy.begin(), busBusy.end()), elapsed);
}

double OperationsResult::commandLinesShare() const
{
    return commandLinesBusy.empty()
               ? 0
               : share(*std::max_element(commandLinesBusy.begin(), commandLinesBusy.end()), elapsed);
}

double OperationsResult::arrayShare() const
{
    return share(*std::max_element(arrayBusy.begin(), arrayBusy.end()), elapsed);
}

namespace {

double microseconds(Time sum, std::uint64_t count)
{
    return count == 0 ? 0 : toMicroseconds(sum) / static_cast<double>(count);
}

} // namespace

std::string operationsText(const Scenario& scenario, const OperationsResult& result)
{
    std::uint64_t count = 0;
    TextTable kinds(
        {"operation", "count", "from request to response, mean", "shortest", "longest", "with queue, mean"});
    for (const OperationsResult::Kind& kind : result.kinds) {
        const operations::OpcodeResult& r = kind.result;
        count += r.count;
        kinds.row({std::string(enumName(kind.opcode)), grouped(r.count),
                   fmt::format("{:.3f} us", microseconds(r.latency, r.count)),
                   fmt::format("{:.3f} us", toMicroseconds(r.shortest)),
                   fmt::format("{:.3f} us", toMicroseconds(r.longest)),
                   fmt::format("{:.1f} us", microseconds(r.queued, r.count))});
    }
    const nand::ArrayGeometry& array = scenario.nand.array;
    std::string text = result.isInterrupted ? "INTERRUPTED: results until then\n\n" : "";
    text += fmt::format(
        "{}: {} operations on {} x {} chips of {}, {} at {} per cycle\n\n{}\n  {:.3f} ms; pages read {:.2f} MB/s, "
        "programmed {:.2f} MB/s; the busiest bus is held for {:.1f} %, the busiest array works for {:.1f} %\n",
        scenario.name, grouped(count), array.channels, array.ways * array.luns, scenario.nand.part.name,
        scenario.timingOf(0).name, toText(scenario.timingOf(0).cycle), kinds.text(),
        toMicroseconds(result.elapsed) / 1000, result.megabytesPerSecond(nand::Opcode::Read),
        result.megabytesPerSecond(nand::Opcode::Program), result.busShare() * 100, result.arrayShare() * 100);
    if (!result.commandLinesBusy.empty())
        text += fmt::format("  the busiest command lines are held for {:.1f} % (the bus above: its data lines)\n",
                            result.commandLinesShare() * 100);
    if (result.problems > 0)
        text += fmt::format("  {} operations failed, were refused, or read data other than that written\n",
                            grouped(result.problems));
    return text;
}

std::string operationsJson(const Scenario& scenario, const OperationsResult& result)
{
    ordered_json kinds = ordered_json::object();
    for (const OperationsResult::Kind& kind : result.kinds) {
        const operations::OpcodeResult& r = kind.result;
        kinds[std::string(enumName(kind.opcode))] = {{"count", r.count},
                                                     {"failed", r.failed},
                                                     {"illegal", r.illegal},
                                                     {"latency_sum_ps", r.latency.count()},
                                                     {"latency_min_ps", r.shortest.count()},
                                                     {"latency_max_ps", r.longest.count()},
                                                     {"with_queue_sum_ps", r.queued.count()}};
    }
    const auto times = [](const std::vector<Time>& all) {
        ordered_json list = ordered_json::array();
        for (const Time time : all)
            list.push_back(time.count());
        return list;
    };
    ordered_json report = {{"scenario", scenario.name},
                           {"seed", scenario.seed},
                           {"operations", kinds},
                           {"elapsed_ps", result.elapsed.count()},
                           {"read_megabytes_per_second", rounded(result.megabytesPerSecond(nand::Opcode::Read))},
                           {"program_megabytes_per_second", rounded(result.megabytesPerSecond(nand::Opcode::Program))},
                           {"bus_busy_ps", times(result.busBusy)},
                           {"array_busy_ps", times(result.arrayBusy)},
                           {"bus_share", rounded(result.busShare())},
                           {"array_share", rounded(result.arrayShare())},
                           {"mismatches", result.mismatches},
                           {"errors", result.problems > 0}};
    if (!result.commandLinesBusy.empty()) {
        report["command_lines_busy_ps"] = times(result.commandLinesBusy);
        report["command_lines_share"] = rounded(result.commandLinesShare());
    }
    if (result.isInterrupted)
        report["interrupted"] = true;
    return report.dump(2) + "\n";
}

} // namespace strobe::platform
