// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/drive_start.h"

#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/simulation_step.h"
#include "platform/assembly/stall.h"
#include "platform/qemu/image_writer.h"

#include <fmt/format.h>

namespace strobe::platform::qemu {

using namespace std::chrono_literals;

DriveStart::DriveStart(guest::GuestDrive& drive, const Scenario& scenario, bool isNew,
                       const std::function<bool()>& stop)
    : drive_(drive), scenario_(scenario), stop_(stop),
      watch_(scenario.firmware.stallAfter, Time{},
             RecoveryWatch(scenario.nand.array.dies() * scenario.nand.part.geometry.pages(), isNew))
{
}

bool DriveStart::waitUntilReady()
{
    return simulateWhile([this] { return !isReady(); }, nullptr);
}

std::string DriveStart::write(const std::string& path)
{
    guest::CommandMeter& meter = drive_.meter();
    ImageWriter writer(path, meter);
    if (writer.sectors() > meter.capacitySectors())
        throw ConfigError(fmt::format("--image: {}: has {} sectors; the drive has {}", path, writer.sectors(),
                                      meter.capacitySectors()));
    drive_.beginPhase("image", false, now());
    meter.connect(drive_.ssd().hostInterface, writer);
    writer.begin();
    const bool hasEnded = simulateWhile([&writer] { return !writer.isDone() && writer.problem().empty(); }, &writer);
    meter.connect(drive_.ssd().hostInterface, drive_.port());
    return hasEnded ? writer.problem() : "stopped before the image was written";
}

template <class Condition>
bool DriveStart::simulateWhile(Condition condition, const ImageWriter* writer)
{
    while (condition()) {
        if (stop_())
            return false;
        if (simulateStep(drive_.ssd(), drive_.agenda(), 1ms) == StepEnd::FirmwareEnded)
            throw cpu::FirmwareFault(
                fmt::format("firmware has ended at {}; the drive does not respond", toText(now())));
        if (condition())
            lookForStall(writer);
    }
    return true;
}

void DriveStart::lookForStall(const ImageWriter* writer)
{
    if (!sc_core::sc_pending_activity())
        endStalled(writer, drive_.agenda().lastInstant(),
                   isReady() ? "no event is left, but commands are outstanding"
                             : "no event is left, and the drive has not become ready");
    const Time waitingSince = writer == nullptr ? never : writer->waitingSince();
    const std::uint64_t operations = drive_.ssd().flash.controller().dispatcher().counters().finished;
    if (const auto reason = watch_.look(now(), {isReady(), waitingSince}, operations)) {
        requireUsualStallLimit(scenario_, *reason);
        endStalled(writer, now(), *reason);
    }
}

void DriveStart::endStalled(const ImageWriter* writer, Time at, const std::string& reason)
{
    const host::OutstandingCommands commands = writer == nullptr ? host::OutstandingCommands{} : writer->commands();
    throwFirmwareFailure(scenario_.firmware,
                         fmt::format("firmware image \"{}\" has {}", scenario_.firmware.image,
                                     describeStall(drive_.ssd(), {commands, isReady()}, at, reason)));
}

} // namespace strobe::platform::qemu
