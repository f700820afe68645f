#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Functional preconditioning: phases of the workload that the drive serves without time. Its firmware (native, on one
// core) runs as it is, with its memory, on devices without time in place of host port, host interface and flash
// controller (models/host/functional_host.h, models/controller/functional_flash.h), which work on the dies of the
// drive. Simulated time does not advance. Afterwards the drive continues in time with the same firmware and the same
// dies; flash operations that firmware has ordered and that are not executed are executed in time.

#include "models/base/strobe_registers.h"
#include "models/controller/functional_flash.h"
#include "models/cpu/functional_devices.h"
#include "models/cpu/native_cpu_module.h"
#include "models/host/functional_host.h"
#include "models/host/host_driver_module.h"
#include "models/host/port_module.h"
#include "platform/assembly/ssd_module.h"

#include <chrono>
#include <cstdint>

namespace strobe::platform {

class FunctionalDrive final : public cpu::FunctionalDevices, private controller::HostSink {
public:
    // Nothing is left to do in simulated time, as far as the drive is concerned: it may be replaced.
    static bool isQuiet(SsdModule& ssd);

    // REQUIRES: isQuiet(), and that the driver awaits a functional phase.
    FunctionalDrive(SsdModule& ssd, host::HostDriver& driver, host::HostDriverModule& host);

    // Serves the host for about so long, of the machine's time. False: there is nothing more to serve.
    bool run(std::chrono::milliseconds slice);
    bool isStuck() const
    {
        return isStuck_;
    } // firmware sleeps, the flash has nothing to do, but requests are outstanding
    // The drive continues in simulated time, behind `port`. REQUIRES: run() has returned false.
    void end(host::PortModule& port);

    // Firmware's devices.
    bool read(std::uint32_t address, std::uint32_t& value) override;
    bool write(std::uint32_t address, std::uint32_t value) override
    {
        if (address - regs::host::base < regs::host::size) // most are of transfers
            return host_.writeRegister(address - regs::host::base, value);
        if (address - regs::flash::base < regs::flash::size)
            return flash_.writeRegister(address - regs::flash::base, value);
        return false;
    }
    std::uint32_t lines() override;
    std::uint32_t sleep() override;
    std::uint32_t store(const hal_strip& strip) override;
    bool arrive() override { return host_.step(); }

private:
    controller::StatusCode storePage(const controller::FunctionalFlash::Page& page, const hal_piece*& piece,
                                     std::uint32_t& taken);
    bool deliver(const controller::HostRun& run, Time now) override;
    void handBack(std::uint16_t slot, Time now) override;
    void fail(std::uint16_t slot, Time now) override;

    bool isOver() const { return driver_.awaitsSwitch() || driver_.isFinished(); }

    SsdModule& ssd_;
    host::HostDriver& driver_;
    host::HostDriverModule& hostModule_;
    cpu::NativeCpuModule& cpu_;
    memory::FunctionalBuffer buffer_;
    host::FunctionalHost host_;
    controller::FunctionalFlash flash_;
    DataMode dataMode_;
    std::vector<nand::Spare> records_;
    std::vector<std::byte> page_; // contents of a page that is not a run of tags
    std::chrono::steady_clock::time_point until_;
    std::uint32_t steps_ = 0;
    bool isStuck_ = false;
};

} // namespace strobe::platform
