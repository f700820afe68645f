// SPDX-License-Identifier: Apache-2.0
#include "platform/app/waveform.h"

#include "models/base/config_error.h"
#include "models/pins/vcd.h"
#include "platform/app/ascii_waveform.h"
#include "platform/app/exit_codes.h"
#include "platform/app/option_values.h"
#include "platform/app/output_file.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace strobe::platform {

namespace {

constexpr std::size_t diagramWidth = 110;
constexpr std::uint32_t diagramBytes = 6; // of page data; more would not be readable

std::string nanoseconds(Time time)
{
    return fmt::format("{:.3f} ns", toNanoseconds(time));
}

pins::BusSequence sequenceNamed(const std::string& name)
{
    std::string choices;
    for (const auto& row : pins::busSequenceTable) {
        if (row.name == name)
            return row.value;
        choices += (choices.empty() ? "" : ", ") + std::string(row.name);
    }
    throw ConfigError(fmt::format("\"{}\" is not an operation with a waveform; must be {}", name, choices));
}

// Three characters, "|80", fit where the shortest byte is on the pins.
Time characterTime(const pins::Waveform& waveform)
{
    Time shortest = std::chrono::nanoseconds(100);
    for (const pins::Capture& capture : waveform.captures())
        shortest = std::min(shortest, capture.validTo - capture.validFrom);
    return std::max(shortest / 3, picoseconds(1));
}

void printSegments(const pins::Waveform& waveform)
{
    TextTable table({"segment", "where", "start", "end", "length", "decided by"}, {0, 1, 5});
    for (const pins::Stretch& s : waveform.stretches())
        table.row({s.label, s.onBus ? "bus" : "die", nanoseconds(s.start), nanoseconds(s.end), nanoseconds(s.length()),
                   s.rule});
    fmt::print("{}", table.text());
}

// Margins that the edges leave to the latching side.
void printMargins(const pins::Waveform& waveform)
{
    for (const bool byDie : {true, false}) {
        Time setUp = never;
        Time hold = never;
        pins::Capture example;
        for (const pins::Capture& capture : waveform.captures()) {
            if (capture.byDie != byDie)
                continue;
            example = capture;
            setUp = std::min(setUp, capture.at - capture.validFrom);
            hold = std::min(hold, capture.validTo - capture.at);
        }
        if (setUp != never)
            fmt::print("  bytes to the {}: set up for {} (needs {}), held for {} (needs {})\n",
                       byDie ? "die" : "controller", nanoseconds(setUp), nanoseconds(example.setUp), nanoseconds(hold),
                       nanoseconds(example.hold));
    }
}

void printReadClock(const pins::PinModel& model)
{
    if (model.signalling == pins::Signalling::Conventional) {
        const auto latch = model.readLatch();
        fmt::print("  read data is latched by DCLK, {} cycle{} and tD = {} after RE# falls (eq. 1)\n", latch.cycles,
                   latch.cycles == 1 ? "" : "s", nanoseconds(latch.tD));
    } else if (model.signalling == pins::Signalling::DataValidStrobe) {
        const pins::PinTiming& p = model.pins;
        fmt::print("  read data is latched by DVS: tDLL = tIOD,max - tRWEBD,min + tIOS = {} - {} + {} = {} (eq. 2)\n",
                   nanoseconds(p.tIODmax), nanoseconds(p.tRWEBDmin), nanoseconds(p.tIOS), nanoseconds(p.tDLL()));
    }
}

} // namespace

int inspectWaveform(WaveformCommand command)
{
    auto& sets = command.load.sets;
    if (!command.interface.empty()) // at its own clock, unless a later option of the user overrides it
        sets.insert(sets.begin(), {"channel.interface=" + command.interface, "channel.clock=minimum"});
    const Scenario scenario = loadScenario(findScenario(command.scenario, command.load), command.load);
    const nand::Part& part = scenario.nand.part;
    const channel::InterfaceTiming& timing = scenario.timingOf(0);
    const pins::PinTwin twin(pins::pinModelOf(timing, scenario.channel.parameters), part);

    const pins::BusSequence sequence = sequenceNamed(command.operation);
    if (const std::string reason = pins::unsupportedReason(sequence, twin); !reason.empty())
        throw ConfigError(fmt::format("{} of {}: {}", command.operation, part.name, reason));
    const bool hasData = pins::movesPageData(sequence);
    if (command.bytes && !hasData)
        throw ConfigError(fmt::format("--bytes: {} moves no page data", command.operation));
    std::unique_ptr<OutputFile> file;
    if (!command.vcd.empty())
        file = std::make_unique<OutputFile>(command.vcd);

    const pins::Waveform whole = pins::waveformOf(sequence, twin, command.bytes);
    const bool isShort = !hasData || command.bytes.value_or(diagramBytes + 1) <= diagramBytes;
    fmt::print("{} of {}, {} at {} per cycle{}\n\n{}", command.operation, part.name, timing.name,
               nanoseconds(timing.cycle), isShort ? "" : fmt::format(" (drawn with {} bytes of data)", diagramBytes),
               asciiWaveform(isShort ? whole : pins::waveformOf(sequence, twin, diagramBytes), characterTime(whole),
                             diagramWidth));
    printSegments(whole);
    printMargins(whole);
    if (hasData)
        printReadClock(twin.model());
    if (file)
        file->commit(
            pins::vcdText(whole, "channel", fmt::format("{} of {}, {}", command.operation, part.name, timing.name)));
    return exitOk;
}

pins::RecorderRequest recorderRequest(const RunCommand& command, const Scenario& scenario)
{
    if (command.vcdChannel >= scenario.nand.array.channels)
        throw ConfigError(fmt::format("--vcd-channel {}: the drive has channels 0 to {}", command.vcdChannel,
                                      scenario.nand.array.channels - 1));
    return {ChannelId{static_cast<std::uint16_t>(command.vcdChannel)}, command.vcdLimit,
            timeOf("--vcd-from", command.vcdFrom)};
}

std::string recordingAsVcd(const Scenario& scenario, const Recording& recording, Time end, std::string& warning)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    std::vector<pins::PinTwin> twins;
    for (std::uint32_t position = 0; position < array.diesPerChannel(); ++position)
        twins.emplace_back(pins::pinModelOf(scenario.timingOf(position / array.luns), scenario.channel.parameters),
                           scenario.nand.part);
    const pins::ChannelPicture picture = pins::drawChannel(twins, array.luns, recording.operations);
    if (recording.operations.empty())
        warning = fmt::format("no operation on channel {} after {}; the run ended at {}",
                              raw(recording.request.channel), toText(recording.request.from), toText(end));
    if (picture.contentions > 0)
        warning = fmt::format("{} times the bus is driven before a die has released it: tCS is too short",
                              picture.contentions);
    return pins::vcdText(picture.waveform, fmt::format("channel{}", raw(recording.request.channel)),
                         fmt::format("{}, {} operations of channel {}", scenario.name, recording.operations.size(),
                                     raw(recording.request.channel)));
}

} // namespace strobe::platform
