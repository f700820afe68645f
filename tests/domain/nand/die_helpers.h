#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A small part whose times differ in every digit, and one-line operations for the die tests.

#include "models/nand/die.h"

#include <array>
#include <chrono>
#include <cstddef>

namespace strobe::nand::test {

using namespace std::chrono_literals;

// 2 planes x 4 blocks x 4 pages of 2 KiB.
Part smallPart();

using PageTags = std::array<SectorTag, 4>;

PageTags tagsOf(std::uint32_t lba, std::uint32_t version);
Content contentOf(PageTags& tags);

Operation make(Opcode opcode, PageAddress target = {});
Operation makeProgram(PageAddress target, PageTags& tags, const Spare& spare = {1, 2, 3, 4});
Operation makeCopyBack(PageAddress source, PageAddress target);

// A die with the clock of its controller: run() issues at `now` and moves on to R/B# rising.
struct Bench {
    explicit Bench(std::uint32_t badBlocks = 0, std::uint64_t seed = 1);
    ~Bench();

    Operation run(Operation op);
    // The spare record and the tags of a page.
    Operation read(PageAddress target, PageTags& tags);
    IllegalReason whyNot(const Operation& op) const;

    Part part = smallPart();
    Die die;
    Time now = 1ms;
};

} // namespace strobe::nand::test
