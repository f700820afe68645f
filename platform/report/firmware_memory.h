#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the memory check has found about the memory of firmware on the RV32 core, over all power cycles: the deepest use
// of each stack, the use of the heap, reads of what was never written, races between two cores. Sizes in bytes.

#include "models/base/statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct FirmwareMemory {
    struct Stack {
        std::string name; // "core 0", "traps", or of the object that holds it
        std::uint64_t deepest = 0;
        std::uint64_t size = 0; // 0: unknown

        bool hasOverflowed() const { return size != 0 && deepest > size; }
        void declare(Statistics& stats) const;
    };
    struct Heap {
        std::uint64_t bytes = 0; // allocated at the end
        std::uint64_t blocks = 0;
        std::uint64_t mostBytes = 0;
        std::uint64_t given = 0; // by sbrk
        std::uint64_t size = 0;
        std::uint64_t refused = 0;

        void declare(Statistics& stats) const;
    };
    std::vector<Stack> stacks; // that were used
    std::optional<Heap> heap;  // nothing: the image has no allocator
    // One line per place in the code.
    std::vector<std::string> unwrittenReads;
    std::vector<std::string> badFrees;
    std::optional<std::vector<std::string>> races; // nothing: there is one core
    bool areAllRaces = true;                       // no: there were more than the check keeps

    std::string text() const; // for the terminal
};

} // namespace strobe::platform
