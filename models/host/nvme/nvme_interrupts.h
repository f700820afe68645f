#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// MSI-X of an NVMe controller: the vector table with its masks, pending bits, and the coalescing of completions (by
// threshold and time, off for the vectors configured so and for vector 0, where the admin queue is). Decides which
// messages are to be sent; the controller sends them as packets. While MSI-X is off, the pin is asserted as long as
// completions wait, unless INTMS masks it. Owns no clock. Not modelled: MSI without X.

#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class Interrupts {
public:
    explicit Interrupts(std::uint32_t vectors) : vectors_(vectors) {}

    struct Message {
        std::uint64_t address;
        std::uint32_t data;
    };

    // Registers of the table and of the pending bits, by offset from their beginning; dwords.
    std::uint32_t readTable(std::uint32_t offset) const;
    void writeTable(std::uint32_t offset, std::uint32_t value);
    std::uint32_t readPending(std::uint32_t offset) const;
    void setMsix(bool isEnabled, bool isMasked); // of the PCI function's configuration space

    // Features.
    void setCoalescing(std::uint32_t threshold, Time time);          // threshold counts from zero; zero time: off
    bool setVectorCoalescing(std::uint32_t vector, bool isDisabled); // false: no such vector
    bool isVectorCoalescingDisabled(std::uint32_t vector) const { return vectors_[vector].isUncoalesced; }

    // A completion goes into its queue: `send(Message)` is called if it is reported now. Completions reported later
    // (coalesced, or held back by a mask that has been cleared) are due at nextTime().
    template <class Send>
    void completed(std::uint32_t vector, Time now, Send send);
    Time nextTime() const { return nextTime_; }
    template <class Send>
    void advance(Time now, Send send);
    void reset(); // of the controller: the table stays

    std::uint32_t count() const { return static_cast<std::uint32_t>(vectors_.size()); }
    std::uint64_t messages(std::uint32_t vector) const { return vectors_[vector].messages; } // sent since power-on
    bool isMsix() const { return isEnabled_; }
    std::uint32_t pinMask = 0; // INTMS and INTMC

private:
    struct Vector {
        std::uint64_t address = 0;
        std::uint32_t data = 0;
        bool isMasked = true;
        bool isPending = false;
        bool isUncoalesced = false;
        std::uint32_t waiting = 0; // completions not reported yet
        Time due = never;          // when they are to be reported
        std::uint64_t messages = 0;
    };
    template <class Send>
    void report(Vector& vector, Send send);
    void arm();

    std::vector<Vector> vectors_;
    bool isEnabled_ = false;
    bool isMasked_ = false;
    std::uint32_t threshold_ = 0;
    Time time_{};
    Time nextTime_ = never;
};

template <class Send>
void Interrupts::report(Vector& vector, Send send)
{
    vector.due = never;
    vector.waiting = 0;
    if (!isEnabled_)
        return;
    if (isMasked_ || vector.isMasked) {
        vector.isPending = true;
    } else {
        ++vector.messages;
        send(Message{vector.address, vector.data});
    }
}

template <class Send>
void Interrupts::completed(std::uint32_t number, Time now, Send send)
{
    Vector& vector = vectors_[number];
    ++vector.waiting;
    const bool isCoalesced = time_ > Time{} && number != 0 && !vector.isUncoalesced;
    if (!isCoalesced || vector.waiting > threshold_) {
        const bool wasDue = vector.due != never;
        report(vector, send);
        if (wasDue)
            arm();
        return;
    }
    vector.due = std::min(vector.due, now + time_);
    nextTime_ = std::min(nextTime_, vector.due);
}

template <class Send>
void Interrupts::advance(Time now, Send send)
{
    if (now < nextTime_)
        return;
    for (Vector& vector : vectors_) {
        if (vector.due <= now)
            report(vector, send);
    }
    arm();
}

} // namespace strobe::host::nvme
