#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// PCI over virtio as the virt-pci driver of User-Mode Linux speaks it (include/uapi/linux/virtio_pcidev.h): ring 0
// carries the guest's accesses to configuration space and BARs, ring 1 buffers for interrupts. Writes are posted. A
// read is answered when its answer is at the host; the guest looks for it once per microsecond.
//
// The guest must not be called while it is in its own handler, or it forgets calls (Linux 6.1): the caller asks for
// what is pending and calls only while the guest waits.
//
// Errors: ProtocolError, also for answers (rethrowError() after a simulation).

#include "platform/guest/guest_port_module.h"
#include "platform/guest/vhost_user.h"

#include <deque>
#include <exception>
#include <functional>

namespace strobe::platform::guest {

class VirtPci {
public:
    // All must outlive it. `changed`: an interrupt has become pending.
    VirtPci(VhostUser& transport, GuestPortModule& port, std::function<void()> changed);

    void serveAccesses(); // those that are in ring 0
    // Whether the guest should be called for its used accesses, which then it frees.
    bool hasManyUsed() const { return used_ > transport_.ring(accesses).size() / 4; }
    void forgetUsed() { used_ = 0; }
    // Moves pending interrupts into the guest's buffers. True: at least one, so that ring 1 must be called.
    bool putInterrupts();
    bool hasInterrupts() const { return !pending_.empty(); }
    void rethrowError() const;

    static constexpr std::uint32_t accesses = 0;   // ring
    static constexpr std::uint32_t interrupts = 1; // ring

private:
    struct Header {
        std::uint8_t operation = 0;
        std::uint8_t bar = 0;
        std::uint16_t reserved = 0;
        std::uint32_t bytes = 0;
        std::uint64_t address = 0;
    };
    void serve(SplitRing::Chain chain);
    void answer(const SplitRing::Chain& chain, std::uint64_t value, std::uint32_t bytes);

    VhostUser& transport_;
    GuestPortModule& port_;
    std::function<void()> changed_;
    std::deque<std::uint32_t> pending_; // data of interrupts
    std::uint32_t used_ = 0;            // accesses given back since the last call
    std::exception_ptr error_;
};

} // namespace strobe::platform::guest
