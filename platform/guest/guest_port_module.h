#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive's PCI function in simulated time, operated by the machine of a guest: its accesses in their order, and the
// time that its processor needs for them. The guest itself computes in no time, so what its software costs is modelled
// here, on one processor that serves one thing at a time:
//
//   submit     for each write that gives the drive commands (a submission doorbell, PxCI): system call, file system,
//              block layer and driver; the write is made at its end
//   interrupt  for each message: the guest takes the interrupt at its end
//
// Register accesses keep their order and are timed by the link: a write is posted, a read has its answer after the
// round trip. Accesses to configuration space take no time. Not modelled: INTx; more than one processor.

#include "models/base/event_heap.h"
#include "models/base/resource.h"
#include "models/host/pcie/pci_drive_function.h"
#include "models/tlm/agenda.h"

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

namespace strobe::platform::guest {

struct GuestCosts {
    Time submit{};
    Time interrupt{};
};

struct GuestCounters {
    std::uint64_t doorbells = 0;
    std::uint64_t interrupts = 0;
    Time processor{};

    void declare(Statistics& stats)
    {
        stats.add("guest_doorbells", Unit::Count, "writes of the guest that gave the drive commands", doorbells);
        stats.add("guest_interrupts", Unit::Count, "interrupts that the guest has taken", interrupts);
        stats.add("guest_processor", Unit::Duration, "time of the guest's processor for them", processor);
    }
};

class GuestPortModule final : public sc_core::sc_module, public host::PortFigures, public host::Front {
public:
    using Answer = std::function<void(std::uint64_t value)>;
    using Interrupt = std::function<void(std::uint64_t address, std::uint32_t data)>; // of a message

    GuestPortModule(const sc_core::sc_module_name& name, std::unique_ptr<host::PciDriveFunction> function,
                    const GuestCosts& costs);
    void connect(host::HostPort& drive) { function_->connect(drive); } // once, before any other call
    void onInterrupt(Interrupt handler) { interrupt_ = std::move(handler); }

    // The guest's accesses, at the present instant.
    std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes) const
    {
        return function_->readConfig(offset, bytes);
    }
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
    void write(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value);
    void read(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, Answer answer); // later

    void driveReady(Time at) override;
    void transfer(const host::TransferOrder& order, Time at) override;
    void placed(std::uint16_t slot, std::uint64_t lba, Time at) override { function_->placed(slot, lba, at); }
    void complete(std::uint16_t slot, host::CommandStatus status, Time at) override;

    std::vector<host::PortFigures::Line> lines() const override;
    std::vector<Statistic> statistics() const override;
    std::vector<PowerState> powerStates(Time at) const override { return function_->powerStates(at); }
    std::vector<host::QueueUse> queues() const { return function_->queues(); }
    void resetUsage() override;

private:
    struct Event {
        enum class Kind : std::uint8_t { Write, Read, Answer, Interrupt };
        Kind kind;
        std::uint8_t bar = 0;
        std::uint8_t bytes = 0;
        std::uint32_t offset = 0;
        std::uint64_t value = 0;   // to be written; data of a message
        std::uint64_t address = 0; // of a message
        Answer answer{};
    };
    void step();
    void serve(Event event);
    void arm();

    std::unique_ptr<host::PciDriveFunction> function_;
    GuestCosts costs_;
    Interrupt interrupt_;
    EventHeap<Event> events_;
    Resource processor_;
    Time accessAt_{}; // of the last access of the guest
    GuestCounters counters_;
    Wake wake_ = Wake::calls<&GuestPortModule::step>(*this);
    bool isStepping_ = false;
};

} // namespace strobe::platform::guest
