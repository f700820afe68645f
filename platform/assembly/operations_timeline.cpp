// SPDX-License-Identifier: Apache-2.0
//
// Timeline of the operations that a run has kept: states of chips and use of the buses.
#include "models/base/check.h"
#include "models/channel/chip_states.h"
#include "platform/assembly/operations_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

struct Span {
    std::size_t operation;
    const nand::Operation* op;
    std::string state;
    Time start;
    Time end;
    bool onBus;
};

// Forms without a state machine are shown by their three parts.
std::vector<Span> spansOf(const channel::BusSchedule& schedule, std::size_t number, const nand::Operation& op)
{
    std::vector<Span> spans;
    for (const channel::ChipSpan& s : channel::chipStates(schedule, op))
        spans.push_back({number, &op, std::string(enumName(s.state)), s.start, s.end, s.onBus});
    if (!spans.empty())
        return spans;
    const Time response = op.done - schedule.responseTime(op);
    return {{number, &op, "request", op.requestStart, op.requestEnd, true},
            {number, &op, "operating", op.requestEnd, response, false},
            {number, &op, "response", response, op.done, true}};
}

std::vector<Span> allSpans(const Scenario& scenario, const OperationsResult& result)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    check(array.luns > 0 && array.diesPerChannel() > 0, "a channel without dies");
    std::vector<channel::BusSchedule> schedules; // by way
    for (std::uint32_t way = 0; way < array.ways; ++way)
        schedules.emplace_back(scenario.timingOf(way), scenario.nand.part);
    std::vector<Span> all;
    for (std::size_t i = 0; i < result.kept.size(); ++i) {
        const nand::Operation& op = result.kept[i];
        const std::vector<Span> spans = spansOf(schedules[raw(array.wayOf(op.die))], i, op);
        all.insert(all.end(), spans.begin(), spans.end());
    }
    return all;
}

char arrayLetter(nand::Opcode opcode)
{
    switch (opcode) {
    case nand::Opcode::Read: return 'r';
    case nand::Opcode::Program: return 'p';
    case nand::Opcode::Erase: return 'e';
    default: return 'c';
    }
}

} // namespace

std::string timelineCsv(const Scenario& scenario, const OperationsResult& result)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    check(array.diesPerChannel() > 0, "a channel without dies");
    std::string text = "operation,op,channel,die,block,page,state,start_ps,end_ps,bus\n";
    for (const Span& s : allSpans(scenario, result)) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", s.operation, enumName(s.op->opcode),
                            raw(array.channelOf(s.op->die)), raw(s.op->die), s.op->target.block, s.op->target.page,
                            s.state, s.start.count(), s.end.count(), s.onBus ? 1 : 0);
    }
    return text;
}

std::string timelineBars(const Scenario& scenario, const OperationsResult& result, std::size_t width)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    check(array.diesPerChannel() > 0, "a channel without dies");
    const std::vector<Span> spans = allSpans(scenario, result);
    Time end{1};
    for (const Span& s : spans)
        end = std::max(end, s.end);
    const auto column = [&](Time at) {
        return static_cast<std::size_t>(static_cast<double>(at.count()) / static_cast<double>(end.count()) *
                                        static_cast<double>(width));
    };
    std::vector<std::string> chips(array.dies(), std::string(width, '.'));
    std::vector<std::string> buses(array.channels, std::string(width, '.'));
    // The bus is painted last: its short segments would vanish among those of the array.
    for (const bool onBus : {false, true}) {
        for (const Span& s : spans) {
            const bool isArray = s.state == "operating";
            if (s.onBus != onBus || (!onBus && !isArray))
                continue;
            std::string& chip = chips[raw(s.op->die)];
            std::string& bus = buses[raw(array.channelOf(s.op->die))];
            const bool isData = s.state == "data ready" || s.state == "data out" || s.state == "response";
            for (std::size_t i = column(s.start); i < std::max(column(s.end), column(s.start) + 1) && i < width; ++i) {
                chip[i] = isArray ? arrayLetter(s.op->opcode) : isData ? '=' : '|';
                if (onBus)
                    bus[i] = static_cast<char>('0' + array.positionOf(s.op->die) % 10);
            }
        }
    }
    std::string text;
    for (std::size_t die = 0; die < chips.size(); ++die)
        text += fmt::format("  {:<7} {}\n", fmt::format("chip {}", die), chips[die]);
    for (std::size_t bus = 0; bus < buses.size(); ++bus)
        text += fmt::format("  {:<7} {}\n", fmt::format("bus {}", bus), buses[bus]);
    return text + fmt::format("  {:<7} 0{:>{}}\n", "", toText(end), width - 1);
}

} // namespace strobe::platform
