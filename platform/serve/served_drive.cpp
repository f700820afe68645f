// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/served_drive.h"

#include "models/base/content.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/host_port.h"
#include "platform/assembly/simulation_step.h"
#include "platform/assembly/stall.h"
#include "platform/config/resolve.h"

#include <fmt/format.h>

namespace strobe::platform::serve {

ServedDrive::ServedDrive(const Scenario& scenario)
    : scenario_(scenario), unitSectors_(static_cast<std::uint32_t>(scenario.firmware.mappingUnitBytes / sectorBytes)),
      lasting_(scenario), isUsed_(lasting_.powerOn != PowerOn::First),
      ssd_("ssd", scenario, lasting_.dies, lasting_.powerOn, findFirmwareImage(scenario.firmware),
           [this](Time at, std::string_view line) { lasting_.log.push_back(toText(at) + ": " + std::string(line)); }),
      port_(makeHostPort(scenario, 0)), host_(unitSectors_),
      stallWatch_(scenario.firmware.stallAfter, Time{},
                  RecoveryWatch(scenario.nand.array.dies() * scenario.nand.part.geometry.pages(), !isUsed_)),
      measurement_(ssd_, *port_, lasting_.sums)
{
    ssd_.hostInterface.connect(*port_);
    port_->connect(ssd_.hostInterface, host_);
    host_.connect(*port_);
    host_.onChange([this] { agenda_->pause(); });
}

bool ServedDrive::isQuiet() const
{
    return !sc_core::sc_pending_activity();
}

Time ServedDrive::nextTime() const
{
    return now() + fromSc(sc_core::sc_time_to_pending_activity());
}

void ServedDrive::simulateUntil(Time end)
{
    if (end <= now())
        return;
    if (simulateStep(ssd_, *agenda_, end - now()) == StepEnd::FirmwareEnded)
        throw cpu::FirmwareFault(fmt::format("firmware has ended at {}; the drive does not respond", toText(now())));
    lookForStall();
}

void ServedDrive::lookForStall()
{
    const bool isReady = host_.isReady();
    if (isQuiet() && (!isReady || host_.waitingSince() != never))
        endStalled(agenda_->lastInstant(), isReady ? "no event is left, but requests are outstanding"
                                                   : "no event is left, and the drive has not become ready");
    const std::uint64_t operations = ssd_.flash.controller().dispatcher().counters().finished;
    if (const auto reason = stallWatch_.look(now(), {isReady, host_.waitingSince()}, operations)) {
        requireUsualStallLimit(scenario_, *reason);
        endStalled(now(), *reason);
    }
}

void ServedDrive::endStalled(Time at, const std::string& reason)
{
    throwFirmwareFailure(scenario_.firmware,
                         fmt::format("firmware image \"{}\" has {}", scenario_.firmware.image,
                                     describeStall(ssd_, {host_.commands(), host_.isReady()}, at, reason)));
}

void ServedDrive::beginMeasurement()
{
    host_.beginPhase(now());
    measurement_.begin();
}

Report ServedDrive::finish()
{
    measurement_.end();
    host_.endPhase(now());
    ssd_.uart.flush();
    lasting_.failures.add(ssd_);
    accumulate(lasting_.hostFaults, port_->faults());
    Report report = collect({scenario_, lasting_, now()});
    addHostFindings(report, {host_.phases(), host_.readyAt(), host_.capacitySectors()});
    report.integrity.enabled = false;
    report.integrity.isGuests = true;
    report.platform = blocksOf(ssd_, *port_, port_->basename());
    return report;
}

} // namespace strobe::platform::serve
