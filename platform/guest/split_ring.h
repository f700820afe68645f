#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The device's end of a split virtqueue (Virtual I/O Device 1.1, section 2.6) in guest memory: takes chains of
// descriptors that the driver has made available and gives them back as used. Not modelled: indirect descriptors,
// event indexes, packed rings (the device does not offer them).
//
// Everything in guest memory is checked: a table, index or chain that the specification does not allow is a RingError.

#include "platform/guest/guest_memory.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace strobe::platform::guest {

class RingError : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

class SplitRing {
public:
    static constexpr std::uint32_t mostEntries = 32768;

    struct Chain {
        std::uint16_t head = 0;
        std::vector<std::byte> request;     // bytes that the driver wrote, all descriptors together
        std::vector<std::uint64_t> answers; // where the device may write: addresses...
        std::vector<std::uint32_t> room;    // ... and bytes there
    };

    void setSize(std::uint32_t entries); // a power of two up to 32,768
    void setPlaces(std::uint64_t descriptors, std::uint64_t available, std::uint64_t used);
    void setNext(std::uint16_t index) { next_ = index; } // of the available ring
    std::uint32_t size() const { return entries_; }
    bool isSet() const { return entries_ != 0 && descriptors_ != 0; }

    // The next chain; nothing: the driver has made none available. At most `mostBytes` of request.
    std::optional<Chain> take(GuestMemory& memory, std::uint32_t mostBytes);
    // Writes the answer (as much as there is room for) and returns the chain.
    void give(GuestMemory& memory, const Chain& chain, const void* answer, std::uint32_t bytes);

private:
    struct Descriptor {
        std::uint64_t address;
        std::uint32_t bytes;
        std::uint16_t flags;
        std::uint16_t next;
    };
    template <class Value>
    Value load(GuestMemory& memory, std::uint64_t address) const;
    template <class Value>
    void store(GuestMemory& memory, std::uint64_t address, Value value) const;

    std::uint32_t entries_ = 0;
    std::uint64_t descriptors_ = 0;
    std::uint64_t available_ = 0;
    std::uint64_t used_ = 0;
    std::uint16_t next_ = 0;     // in the available ring
    std::uint16_t usedNext_ = 0; // in the used ring
};

} // namespace strobe::platform::guest
