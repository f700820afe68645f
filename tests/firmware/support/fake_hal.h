#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// hal.h for unit tests: memory is one array, register writes are recorded, registers return the values of the test, a
// panic is an exception, there are no interrupts; a test may replace register accesses and sleeps by functions.

#include "tests/firmware/support/firmware_headers.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strobe::test {

struct Panic : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class FakeHal {
public:
    static constexpr std::uint32_t base = 0x1000;
    static constexpr std::uint32_t size = 4u << 20;

    FakeHal(); // memory with arbitrary contents, no writes; the newest object is the active one

    std::uint32_t* words(std::uint32_t address);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> writes; // address, value
    std::vector<std::uint32_t> memory;
    ::arena arena{};
    std::vector<std::string> console; // lines that firmware logged
    std::uint64_t timeNs = 0;
    std::uint64_t costNs = 0; // what a cost point takes, each time that it is charged
    std::uint32_t core = 0;
    std::map<std::uint32_t, std::uint32_t> registers;                        // what they read as, besides 0
    std::function<std::uint32_t(std::uint32_t address)> onRead;              // instead of that
    std::function<void(std::uint32_t address, std::uint32_t value)> onWrite; // none: writes are kept, above
    std::function<void()> onWait;                                            // none: a sleep ends at once
    std::function<std::uint32_t(const hal_strip&)> onStore; // hal_store(): the status; none: time passes
    std::function<bool()> onArrive;                         // hal_arrive(); none: no command has arrived
};

geometry geometryOf(std::uint32_t channels, std::uint32_t ways, std::uint32_t luns, std::uint32_t planes,
                    std::uint32_t blocksPerPlane = 8, std::uint32_t pagesPerBlock = 4, std::uint32_t pageBytes = 2048,
                    std::uint32_t unitBytes = 0, std::uint32_t pagesPerProgram = 1); // unitBytes 0: of a page

// The data buffer: `units` slots at `base`; writePages 0: half of them are write slots.
void initBuffer(buffer& slots, FakeHal& hal, const geometry& g, std::uint32_t base, std::uint32_t units,
                std::uint32_t writePages = 0);

} // namespace strobe::test
