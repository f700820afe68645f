#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host driver in simulated time: one SC_METHOD for arrivals and think times. In a closed loop without think time it
// never wakes: completions bring the next requests. The driver's onFinished callback may call sc_stop().

#include "models/host/driver.h"

#include <systemc>

namespace strobe::host {

class HostDriverModule : public sc_core::sc_module, public HostSide {
public:
    HostDriverModule(const sc_core::sc_module_name& name, const HostDriverConfig& config,
                     HostDriver::PhaseMaker makePhases);
    void connect(HostLink& link) { driver_.connect(link); } // before the simulation starts

    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time at) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, CommandStatus status, Time at) override;

    HostDriver& driver() { return driver_; }
    const HostDriver& driver() const { return driver_; }

private:
    void step();
    void arm();

    HostDriver driver_;
    sc_core::sc_event wake_;
    Time armed_ = never;
};

} // namespace strobe::host
