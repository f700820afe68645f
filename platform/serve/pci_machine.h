#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A machine of memory and one PCI function, the drive, without a processor: what a client of the qtest protocol
// operates. As in a PC, configuration space is behind the ports CF8h and CFCh; the drive is device 4 of bus 0.
//
//   memory    addresses from 0 to memoryBytes - 1. Accesses take no time
//   BARs      where software has put them. Writes are posted, reads return when their answer has crossed the link
//   messages  (MSI, MSI-X) are written to memory, 4 bytes; messages to other addresses are lost
//
// Nothing else answers: reads are all ones, writes have no effect. Simulated time passes within reads of BARs and when
// the client steps the clock; the power-on is at 0, the last instant is `mostTime`.
//
// Errors: cpu::FirmwareFault for firmware that fails or ends; QtestError for a step or a read beyond the last instant.

#include "platform/assembly/lasting_state.h"
#include "platform/config/scenario.h"
#include "platform/guest/bar_map.h"
#include "platform/guest/guest_drive.h"
#include "platform/guest/guest_memory.h"
#include "platform/serve/qtest_line.h"

#include <cstdint>
#include <string>

namespace strobe::platform::serve {

class PciMachine {
public:
    static constexpr std::uint64_t memoryBytes = std::uint64_t{64} << 20U;
    static constexpr std::uint32_t device = 4; // on bus 0, function 0
    // 100 days: the integer of Time ends after 106, and the models add latencies and timers to the present.
    static constexpr Time mostTime = std::chrono::hours(24 * 100);

    explicit PciMachine(const Scenario& scenario); // which must outlive it
    PciMachine(const PciMachine&) = delete;
    PciMachine& operator=(const PciMachine&) = delete;

    std::string execute(const QtestCommand& command); // the answer, without the end of its line

private:
    void addMemory();
    std::uint64_t read(std::uint64_t address, std::uint32_t bytes);
    void write(std::uint64_t address, std::uint32_t bytes, std::uint64_t value);
    std::uint32_t readPort(std::uint64_t port, std::uint32_t bytes);
    void writePort(std::uint64_t port, std::uint32_t bytes, std::uint32_t value);
    bool isSelected(std::uint64_t port) const; // the drive's configuration space, by the port CF8h
    std::string readBytes(std::uint64_t address, std::uint32_t bytes);
    void simulateUntil(Time end);

    LastingState lasting_;
    guest::GuestMemory memory_;
    guest::GuestDrive drive_;
    guest::BarMap bars_;
    std::uint32_t selected_ = 0; // port CF8h
};

} // namespace strobe::platform::serve
