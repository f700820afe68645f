#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The calendar of a User-Mode Linux kernel that runs with time-travel=ext: it owns the kernel's clock. The kernel asks
// for the next instant at which it has to run, waits, and runs when the calendar says so; while it runs, no time
// passes. Messages of 16 bytes, each acknowledged (the kernel's header include/uapi/linux/um_timetravel.h). Owns no
// clock: the caller passes the present instant, in whole nanoseconds up to those of `never`. Not modelled: several
// kernels, free running.
//
// Errors: ProtocolError.

#include "platform/guest/socket.h"

#include <cstdint>
#include <optional>

namespace strobe::platform::guest {

class Calendar {
public:
    // `epoch`: time of day at instant zero, in nanoseconds since 1970.
    explicit Calendar(std::uint64_t epoch) : epoch_(epoch) {}

    // One message. False: the kernel has closed the connection.
    bool serve(Connection& connection, std::uint64_t now);
    // REQUIRES: isWaiting(), now == wanted(). The kernel runs from now on.
    void run(Connection& connection, std::uint64_t now);

    bool isWaiting() const { return isWaiting_; }
    // When the kernel has to run; nothing: it has not asked, or sleeps until something interrupts it.
    std::optional<std::uint64_t> wanted() const { return wanted_; }

private:
    struct Message {
        std::uint32_t operation = 0;
        std::uint32_t sequence = 0;
        std::uint64_t time = 0;
    };

    std::uint64_t epoch_;
    bool isStarted_ = false;
    bool isWaiting_ = false;
    std::optional<std::uint64_t> wanted_;
    std::uint32_t sequence_ = 0; // of the last message to the kernel
    bool isRunUnanswered_ = false;
};

} // namespace strobe::platform::guest
