// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_pci_function.h"

namespace strobe::host::nvme {

namespace {

// A vendor that is not assigned and that virtual devices use; drivers have no special case for it.
constexpr PciIdentity identity{0x1234, 0x5DB0, 0x01'08'02, 1};

} // namespace

NvmePciFunction::NvmePciFunction(const PcieConfig& link, const ControllerOptions& controller, DataMode dataMode,
                                 HostMemory& memory)
    : config_(identity, reg::barBytes, {controller.queues + 1, reg::msixTable, reg::msixPending}, link), link_(link),
      controller_(controller, dataMode, link_, memory)
{
    controller_.onPin([this](bool isAsserted, Time now) {
        isPinWanted_ = isAsserted;
        updatePin(now);
    });
}

void NvmePciFunction::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value, Time now)
{
    const bool wasEnabled = config_.isMsixEnabled();
    const bool wasMasked = config_.isMsixMasked();
    config_.write(offset, bytes, value);
    if (config_.isMsixEnabled() != wasEnabled || config_.isMsixMasked() != wasMasked)
        controller_.setMsix(config_.isMsixEnabled(), config_.isMsixMasked(), now);
    updatePin(now);
}

void NvmePciFunction::updatePin(Time now)
{
    config_.setInterruptStatus(isPinWanted_);
    const bool isAsserted = isPinWanted_ && !config_.isPinDisabled();
    if (isAsserted == isPinAsserted_)
        return;
    isPinAsserted_ = isAsserted;
    if (pinHandler_)
        pinHandler_(isAsserted, now);
}

bool NvmePciFunction::claims(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const
{
    return bar == 0 && config_.isMemoryEnabled() && bytes <= reg::barBytes && offset <= reg::barBytes - bytes;
}

void NvmePciFunction::writeBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value,
                               Time now)
{
    if (claims(bar, offset, bytes))
        controller_.writeRegister(offset, bytes, value, now);
}

std::uint64_t NvmePciFunction::readBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const
{
    return claims(bar, offset, bytes) ? controller_.readRegister(offset, bytes) : ~std::uint64_t{0};
}

std::vector<PortFigures::Line> NvmePciFunction::lines() const
{
    return {{"host link to host", &link_.toHost()}, {"host link to drive", &link_.toDrive()}};
}

std::vector<Statistic> NvmePciFunction::statistics() const
{
    return withErrors(statisticsOf(link_.counters(), controller_.counters()), link_.config().errors, link_.errors());
}

std::vector<PortFigures::PowerState> NvmePciFunction::powerStates(Time now) const
{
    const PowerStates& power = controller_.power();
    if (!power.hasSeveral())
        return {};
    const std::vector<PowerStateUse> use = power.use(now);
    std::vector<PortFigures::PowerState> states;
    for (std::size_t i = 0; i < use.size(); ++i)
        states.push_back(
            {power.states()[i].watt, use[i].time, use[i].entries, power.isOperational(static_cast<std::uint32_t>(i))});
    return states;
}

void NvmePciFunction::resetUsage()
{
    link_.resetUsage();
    controller_.resetCounters();
}

} // namespace strobe::host::nvme
