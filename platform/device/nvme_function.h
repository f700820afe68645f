#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NVMe drive's PCI function in simulated time, between memory that the platform owns and the drive. It runs in its
// own thread, because its DMA may wait in the platform: reports of the drive are queued and served there, in order.
// Register accesses come from the platform's threads.

#include "models/host/command_port.h"
#include "models/host/nvme/nvme_pci_function.h"

#include <deque>
#include <functional>
#include <systemc>

namespace strobe::platform {

class NvmeFunction : public sc_core::sc_module, public host::Front {
public:
    using Message = std::function<void(std::uint64_t address, std::uint32_t data)>;
    using Pin = std::function<void(bool isAsserted)>; // at changes

    // `memory` must outlive the module.
    NvmeFunction(const sc_core::sc_module_name& name, const host::PcieConfig& link,
                 const host::nvme::ControllerOptions& controller, host::HostMemory& memory, Message message, Pin pin);
    void connect(host::HostPort& drive); // once, before any other call

    // Registers: offsets and lengths as nvme::Controller takes them. From a thread process; a read waits for its
    // completion.
    void writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value);
    std::uint64_t readRegister(std::uint32_t offset, std::uint32_t bytes);
    std::uint64_t peekRegister(std::uint32_t offset, std::uint32_t bytes) const; // takes no time
    // Of configuration space, as PciFunction takes them; both wait for the round trip.
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
    std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes);
    std::uint32_t peekConfig(std::uint32_t offset, std::uint32_t bytes) const; // takes no time
    void setMsix(bool isEnabled, bool isMasked);                               // takes no time

    void driveReady(Time at) override;
    void transfer(const host::TransferOrder& order, Time at) override;
    void placed(std::uint16_t slot, std::uint64_t lba, Time at) override;
    void complete(std::uint16_t slot, host::CommandStatus status, Time at) override;

private:
    SC_HAS_PROCESS(NvmeFunction);

    // The drive, called with the present instant: after a wait in a DMA access the controller's own is in the past.
    class PresentDrive final : public host::HostPort {
    public:
        void connect(host::HostPort& drive) { drive_ = &drive; }
        void submit(const host::Command& command, Time at) override;
        void transferDone(std::uint64_t handle, Time at) override;
        Time accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                          Time at) override;
        std::uint64_t capacitySectors() const override { return drive_->capacitySectors(); }
        std::uint32_t slots() const override { return drive_->slots(); }
        host::ZoneShape zones() const override { return drive_->zones(); }
        ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at) override;

    private:
        host::HostPort* drive_ = nullptr;
    };

    void run();
    bool serveNext(); // false: nothing is due
    void later(std::function<void()> work);

    host::nvme::NvmePciFunction function_;
    PresentDrive drive_;
    std::deque<std::function<void()>> work_;
    sc_core::sc_event changed_{"changed"};
};

} // namespace strobe::platform
