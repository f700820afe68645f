#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host driver in simulated time: one wake-up for arrivals and think times. In a closed loop without think time it
// never wakes: completions trigger the next requests. The driver's onFinished callback may call sc_stop().
// A mistake that shows only while running (a broken trace line, a region that does not fit on the drive) stops the
// simulation; rethrowError() passes the original exception on, because the kernel turns exceptions of processes into
// reports.

#include "models/host/driver.h"
#include "models/tlm/agenda.h"

#include <exception>
#include <systemc>

namespace strobe::host {

class HostDriverModule : public sc_core::sc_module, public HostSide {
public:
    HostDriverModule(const sc_core::sc_module_name& name, HostDriver& driver); // the driver outlives the module
    void connect(HostLink& link) { driver_.connect(link); }                    // before the simulation starts

    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time at) override;
    void placed(std::uint16_t slot, std::uint64_t lba) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, CommandStatus status, Time at) override;
    void sentAgain(Time at) override { driver_.sentAgain(at); }

    // The host is without power from now on, though the drive is not: nothing from the drive reaches it any more.
    void powerLost();
    bool isGone() const { return isGone_; }
    // HostDriver::switchTo, now.
    void switchTo(HostLink& link, bool isFunctional);
    void rethrowError() const; // after sc_start(); does nothing if all went well

    HostDriver& driver() { return driver_; }
    const HostDriver& driver() const { return driver_; }

private:
    template <class Work>
    void guarded(Work&& work);
    void step();
    void arm();

    HostDriver& driver_;
    Wake wake_ = Wake::calls<&HostDriverModule::step>(*this);
    std::exception_ptr error_;
    bool isGone_ = false;
};

} // namespace strobe::host
