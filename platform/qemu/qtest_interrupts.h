#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts for QEMU's machine: messages (MSI, MSI-X) as writes by the qtest protocol, which has a line per write and
// an answer "OK" for it. A write to the window of the local interrupt controllers is a message, with QEMU's own
// emulation of the processor (TCG), too. QEMU's proxy device has no other way for them.
//
// Nothing waits: QEMU may be waiting for the answer to a register access while it does not look at this connection.
// Lines are queued here as long as the socket takes none. Errors: guest::ProtocolError.

#include "platform/guest/socket.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strobe::platform::qemu {

class QtestInterrupts {
public:
    explicit QtestInterrupts(guest::FileDescriptor socket); // which it sets to not block

    void send(std::uint64_t address, std::uint32_t data);
    // What the socket takes and has. False: QEMU has gone.
    bool serve();

    int descriptor() const { return socket_.get(); }
    bool hasWaiting() const { return !waiting_.empty(); }       // lines for the socket
    std::uint64_t unanswered() const { return sent_ - taken_; } // interrupts
    std::uint64_t sent() const { return sent_; }

private:
    bool write();
    bool read();
    void take(std::string_view line);

    guest::FileDescriptor socket_;
    std::string waiting_;
    std::string received_; // a line that is not complete
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
};

} // namespace strobe::platform::qemu
