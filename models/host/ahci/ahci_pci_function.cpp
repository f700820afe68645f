// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_pci_function.h"

#include <algorithm>

namespace strobe::host::ahci {

namespace {

// As of the NVMe function: a vendor for which drivers have no special case.
constexpr PciIdentity identity{0x1234, 0x5DA0, 0x01'06'01, 1};

} // namespace

AhciPciFunction::AhciPciFunction(const SataConfig& link, const AhciConfig& adapter, DataMode dataMode,
                                 HostMemory& memory, bool hasVolatileCache)
    : config_(identity, bar, barBytes), adapter_(adapter), link_(link, dataMode),
      hba_(adapter.memoryLatency, link_, memory, hasVolatileCache)
{
    hba_.onInterrupt([this](Time now) { interrupt(now); });
}

void AhciPciFunction::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value, Time now)
{
    config_.write(offset, bytes, value);
    updatePin(now);
}

bool AhciPciFunction::claims(std::uint32_t of, std::uint32_t offset, std::uint32_t bytes) const
{
    return of == bar && config_.isMemoryEnabled() && bytes <= barBytes && offset <= barBytes - bytes;
}

void AhciPciFunction::writeBar(std::uint32_t of, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value,
                               Time now)
{
    if (claims(of, offset, bytes) && bytes == 4)
        writes_.push(now + adapter_.registerWrite, {offset, static_cast<std::uint32_t>(value)});
}

std::uint64_t AhciPciFunction::readBar(std::uint32_t of, std::uint32_t offset, std::uint32_t bytes) const
{
    constexpr std::uint32_t width = 4;
    if (!claims(of, offset, bytes))
        return ~std::uint64_t{0};
    const std::uint32_t within = offset % width;
    return hba_.readRegister(offset - within) >> (8 * within);
}

void AhciPciFunction::advance(Time now)
{
    while (nextTime() <= now) { // this work may cause further due work
        while (writes_.isDue(now)) {
            const Write write = writes_.pop();
            hba_.writeRegister(write.offset, write.value, now);
        }
        link_.advance(now);
        hba_.advance(now);
    }
    updatePin(now);
}

Time AhciPciFunction::nextTime() const
{
    return std::min({writes_.nextTime(), link_.nextTime(), hba_.nextTime()});
}

// --- interrupts ------------------------------------------------------------------------------------------------------

void AhciPciFunction::interrupt(Time now)
{
    if (config_.isMsiEnabled() && message_)
        message_(config_.msiAddress(), config_.msiData(), now);
}

void AhciPciFunction::updatePin(Time now)
{
    const bool isWanted = hba_.isInterrupting() && !config_.isMsiEnabled();
    config_.setInterruptStatus(isWanted);
    const bool isAsserted = isWanted && !config_.isPinDisabled();
    if (isAsserted == isPinAsserted_)
        return;
    isPinAsserted_ = isAsserted;
    if (pin_)
        pin_(isAsserted, now);
}

// --- the report ------------------------------------------------------------------------------------------------------

std::vector<Statistic> AhciPciFunction::statistics() const
{
    return withErrors(statisticsOf(link_.counters(), hba_.counters()), link_.config().errors, link_.errors());
}

void AhciPciFunction::resetUsage()
{
    link_.resetUsage();
    hba_.resetCounters();
}

} // namespace strobe::host::ahci
