#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The debugger's watchpoints of a hart, and the last access that touched one. Firmware cannot see them.

#include <cstdint>
#include <utility>
#include <vector>

namespace strobe::rv32 {

struct Watchpoint {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool onLoad = false;
    bool onStore = false;

    bool touches(std::uint32_t first, std::uint32_t count) const
    {
        return std::uint64_t{first} + count > address && std::uint64_t{address} + bytes > first;
    }
    std::uint32_t last() const // at most the end of the address space
    {
        return bytes - 1 > UINT32_MAX - address ? UINT32_MAX : address + bytes - 1;
    }
    bool operator==(const Watchpoint& other) const
    {
        return address == other.address && bytes == other.bytes && onLoad == other.onLoad && onStore == other.onStore;
    }
};
struct WatchHit {
    std::uint32_t address = 0; // of the access
    unsigned bytes = 0;
    bool isStore = false;
    Watchpoint watchpoint;
};

class Watchpoints {
public:
    void add(const Watchpoint& watchpoint);
    bool remove(const Watchpoint& watchpoint); // false: there is none
    bool empty() const { return watchpoints_.empty(); }
    // Whether loads, or stores, of a part of the range are watched.
    bool watches(std::uint32_t first, std::uint32_t count, bool isStore) const;

    // An access. True: it touches a watchpoint, and hit() describes it.
    bool accessed(std::uint32_t address, unsigned bytes, bool isStore);
    const WatchHit& hit() const { return hit_; }
    bool takeHit() { return std::exchange(isHit_, false); } // whether there was one since the last call

private:
    std::vector<Watchpoint> watchpoints_;
    WatchHit hit_;
    bool isHit_ = false;
};

} // namespace strobe::rv32
