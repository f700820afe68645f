#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive as QEMU's machine uses it: serves the messages of its proxy device, sends it interrupts, and simulates the
// drive meanwhile. QEMU's processors run at the speed of this machine, in real time; simulated time is the drive's own.
//
//   free-running   simulated as fast as possible while the drive has anything to do, and its work in the background for
//                  at most `longestBackground` after the last access; then simulated time stands still
//   paced          simulated time follows real time (platform/serve/pace.h)
//
// A register read advances simulated time until its answer is at the host; a write is posted. Configuration space shows
// a BAR of 64 bits as one of 32, because the proxy device knows no others. A reset of the machine resets the
// controller and clears what software has set in configuration space. Not modelled: INTx.
//
// Errors: guest::ProtocolError for messages that are not allowed; cpu::FirmwareFault of the drive.

#include "platform/guest/bar_map.h"
#include "platform/guest/guest_drive.h"
#include "platform/guest/guest_memory.h"
#include "platform/qemu/proxy_link.h"
#include "platform/qemu/qtest_interrupts.h"
#include "platform/serve/pace.h"

#include <functional>
#include <optional>
#include <string>

namespace strobe::platform::qemu {

// A write by which software resets the device.
struct ResetWrite {
    std::uint32_t bar = 0;
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
};

class QemuMachine {
public:
    // `proxy`, `qtest`: ends of socket pairs. Drive and memory must outlive it.
    QemuMachine(guest::FileDescriptor proxy, guest::FileDescriptor qtest, guest::GuestDrive& drive,
                guest::GuestMemory& memory, const ResetWrite& reset, std::optional<double> pace);

    // Until QEMU has gone or `stop` returns true. Why the run has ended otherwise; empty: QEMU has gone.
    std::string run(const std::function<bool()>& stop);
    // After run(), or an exception of it: answers as an empty slot does, without the drive, until QEMU has gone or
    // `stop` returns true. QEMU takes no signal while a processor waits for an answer. Looks at `stop` every 20 ms.
    void serveEmptySlot(const std::function<bool()>& stop);

    const std::optional<serve::Pace>& pace() const { return pace_; }
    const QtestInterrupts& interrupts() const { return interrupts_; }
    bool hasBegun() const { return hasBegun_; } // QEMU has sent a message of its proxy device

private:
    using Wall = serve::Pace::Wall;

    void wait(Wall longest);
    void serveMessages();
    void serve(const ProxyLink::Received& received);
    void share(const ProxyLink::Received& received);
    std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes) const;
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
    bool isUpperHalf(std::uint32_t offset) const;
    std::uint64_t readBar(std::uint64_t address, std::uint32_t bytes);
    void reset();
    bool hasWork() const;
    Wall timeToWait() const;
    void keepPace();
    void simulate(Time length);

    ProxyLink link_;
    QtestInterrupts interrupts_;
    guest::GuestDrive& drive_;
    guest::GuestMemory& memory_;
    ResetWrite reset_;
    guest::BarMap bars_;
    std::optional<serve::Pace> pace_; // nothing: free-running
    Time busyAt_{};                   // last access, or command outstanding
    bool hasBegun_ = false;
    std::optional<ProxyCommand> asked_; // for which QEMU waits
    bool isGone_ = false;
};

} // namespace strobe::platform::qemu
