#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash controller and the flash for tests of one part, at the registers of a FakeHal: operations that firmware
// hands over are kept in order and end, the oldest first, when the test says so or the firmware sleeps. Pages keep
// their spare records and, if their data comes from the FakeHal's memory, their data. Not modelled: time, dies, the
// rules of NAND: whatever is asked for is done (MockFlash has real dies).

#include "tests/firmware/support/fake_hal.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace strobe::test {

class FakeFlash {
public:
    struct Page {
        std::vector<flash_spare> records; // one for each FLASH_UNIT_BYTES, at least one
        std::vector<std::uint32_t> words; // empty: the data was not in memory
        bool pslc = false;
        bool isUncorrectable = false; // the data; the record, which has its own code, can be read
        bool isTorn = false;          // neither can be read
    };
    using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // die, block, page

    FakeFlash(FakeHal& hal, std::uint32_t pageBytes);
    FakeFlash(const FakeFlash&) = delete;
    FakeFlash& operator=(const FakeFlash&) = delete;

    // Operations in progress, the oldest first; ends that one with this status, and what a page holds follows from it.
    std::deque<flash_descriptor*> pending;
    void end(flash_status status = FLASH_OK);
    // The status of operations that end while the firmware sleeps; none: FLASH_OK.
    std::function<flash_status(const flash_descriptor&)> outcome;

    std::map<Place, Page> pages;
    void put(const Place& place, const flash_spare& record, bool pslc = false);
    std::vector<const flash_descriptor*> started() const { return {pending.begin(), pending.end()}; }
    std::uint32_t reads = 0, programs = 0, erases = 0; // that have ended

private:
    void execute(flash_descriptor& operation, flash_status& status);
    void program(const flash_descriptor& operation, flash_status status);
    void read(flash_descriptor& operation, flash_status& status);
    bool isInMemory(std::uint32_t address, std::uint32_t bytes) const;
    std::uint32_t* tableOf(const flash_descriptor& operation);

    FakeHal& hal_;
    std::uint32_t pageBytes_;
    std::uint32_t ringAt_ = 0, ringEntries_ = 0, events_ = 0;
};

// Of a descriptor.
inline flash_opcode opcodeOf(const flash_descriptor& operation)
{
    return static_cast<flash_opcode>(operation.control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK);
}
inline flash_purpose purposeOf(const flash_descriptor& operation)
{
    return static_cast<flash_purpose>((operation.control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >>
                                      FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT);
}
inline flash_spare recordOf(const flash_descriptor& operation)
{
    return {{operation.spare0, operation.spare1, operation.spare2, operation.spare3}};
}

} // namespace strobe::test
