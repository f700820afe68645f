// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_driver_module.h"

#include "models/base/config_error.h"
#include "models/tlm/time_bridge.h"

namespace strobe::host {

HostDriverModule::HostDriverModule(const sc_core::sc_module_name& name, HostDriver& driver)
    : sc_module(name), driver_(driver)
{
}

template <class Work>
void HostDriverModule::guarded(Work&& work)
{
    if (error_ != nullptr || isGone_)
        return;
    try {
        work();
        arm();
    } catch (const ConfigError&) {
        error_ = std::current_exception();
        sc_core::sc_stop();
    }
}

void HostDriverModule::powerLost()
{
    driver_.powerLost(now());
    isGone_ = true;
}

void HostDriverModule::switchTo(HostLink& link, bool isFunctional)
{
    guarded([&] { driver_.switchTo(link, isFunctional, now()); });
}

void HostDriverModule::rethrowError() const
{
    if (error_ != nullptr)
        std::rethrow_exception(error_);
}

void HostDriverModule::driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time at)
{
    guarded([&] { driver_.driveReady(capacitySectors, slots, at); });
}

void HostDriverModule::placed(std::uint16_t slot, std::uint64_t lba)
{
    if (!isGone_)
        driver_.placed(slot, lba);
}

void HostDriverModule::fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors,
                                     Content destination)
{
    if (!isGone_)
        driver_.fillWriteData(slot, first, sectors, destination);
}

void HostDriverModule::takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source)
{
    if (!isGone_)
        driver_.takeReadData(slot, first, sectors, source);
}

void HostDriverModule::completed(std::uint16_t slot, CommandStatus status, Time at)
{
    guarded([&] { driver_.completed(slot, status, at); });
}

void HostDriverModule::step()
{
    guarded([this] { driver_.advance(now()); });
}

// A wake-up that has become too early does no harm: nothing is due, and the next one is armed.
void HostDriverModule::arm()
{
    wake_.at(driver_.nextTime());
}

} // namespace strobe::host
