// SPDX-License-Identifier: Apache-2.0
#include "platform/device/nvme_function.h"

#include "models/tlm/time_bridge.h"

#include <utility>

namespace strobe::platform {

void NvmeFunction::PresentDrive::submit(const host::Command& command, Time)
{
    drive_->submit(command, now());
}

void NvmeFunction::PresentDrive::transferDone(std::uint64_t handle, Time)
{
    drive_->transferDone(handle, now());
}

host::HostPort::ZoneList NvmeFunction::PresentDrive::zoneStates(std::uint32_t first, std::uint32_t count, Time)
{
    return drive_->zoneStates(first, count, now());
}

Time NvmeFunction::PresentDrive::accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors,
                                              Content content, Time)
{
    return drive_->accessBuffer(handle, firstSector, sectors, content, now());
}

NvmeFunction::NvmeFunction(const sc_core::sc_module_name& name, const host::PcieConfig& link,
                           const host::nvme::ControllerOptions& controller, host::HostMemory& memory, Message message,
                           Pin pin)
    : sc_module(name), function_(link, controller, DataMode::Bytes, memory)
{
    function_.onMessage(
        [send = std::move(message)](std::uint64_t address, std::uint32_t data, Time) { send(address, data); });
    function_.onPin([change = std::move(pin)](bool isAsserted, Time) { change(isAsserted); });
    // As platform firmware would leave it: a driver need not know of configuration space.
    function_.writeConfig(host::PciConfigSpace::command, 2,
                          host::PciConfigSpace::memorySpace | host::PciConfigSpace::busMaster, Time{});
    SC_THREAD(run);
}

void NvmeFunction::connect(host::HostPort& drive)
{
    drive_.connect(drive);
    function_.connect(drive_);
}

// --- the platform's side ---------------------------------------------------------------------------------------------

void NvmeFunction::writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value)
{
    function_.writeBar(0, offset, bytes, value, now());
    changed_.notify(sc_core::SC_ZERO_TIME);
}

std::uint64_t NvmeFunction::readRegister(std::uint32_t offset, std::uint32_t bytes)
{
    wait(toSc(function_.readTime(bytes, now()) - now()));
    return function_.readBar(0, offset, bytes);
}

std::uint64_t NvmeFunction::peekRegister(std::uint32_t offset, std::uint32_t bytes) const
{
    return function_.readBar(0, offset, bytes);
}

void NvmeFunction::setMsix(bool isEnabled, bool isMasked)
{
    using Config = host::PciConfigSpace;
    const std::uint32_t control = (isEnabled ? Config::msixEnable : 0) | (isMasked ? Config::msixMaskAll : 0);
    later([this, control] { function_.writeConfig(Config::msixControl, 2, control, now()); });
}

void NvmeFunction::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value)
{
    later([this, offset, bytes, value] { function_.writeConfig(offset, bytes, value, now()); });
    wait(toSc(function_.readTime(bytes, now()) - now()));
}

std::uint32_t NvmeFunction::readConfig(std::uint32_t offset, std::uint32_t bytes)
{
    wait(toSc(function_.readTime(bytes, now()) - now()));
    return function_.readConfig(offset, bytes);
}

std::uint32_t NvmeFunction::peekConfig(std::uint32_t offset, std::uint32_t bytes) const
{
    return function_.readConfig(offset, bytes);
}

// --- the drive's side ------------------------------------------------------------------------------------------------

void NvmeFunction::driveReady(Time)
{
    later([this] { function_.driveReady(now()); });
}

void NvmeFunction::transfer(const host::TransferOrder& order, Time)
{
    later([this, order] { function_.transfer(order, now()); });
}

void NvmeFunction::placed(std::uint16_t slot, std::uint64_t lba, Time)
{
    later([this, slot, lba] { function_.placed(slot, lba, now()); });
}

void NvmeFunction::complete(std::uint16_t slot, host::CommandStatus status, Time)
{
    later([this, slot, status] { function_.complete(slot, status, now()); });
}

// --- the controller's thread -----------------------------------------------------------------------------------------

void NvmeFunction::later(std::function<void()> work)
{
    work_.push_back(std::move(work));
    changed_.notify(kernelDelay(now()));
}

void NvmeFunction::run()
{
    for (;;) {
        while (serveNext()) {
        }
        const Time next = function_.nextTime();
        if (next == never)
            wait(changed_);
        else
            wait(toSc(next - now()), changed_);
    }
}

bool NvmeFunction::serveNext()
{
    if (!work_.empty()) {
        const std::function<void()> first = std::move(work_.front());
        work_.pop_front();
        first();
    } else if (function_.nextTime() <= now()) {
        function_.advance(now());
    } else {
        return false;
    }
    return true;
}

} // namespace strobe::platform
