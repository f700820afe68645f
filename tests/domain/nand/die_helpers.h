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
inline Part smallPart()
{
    Part part;
    part.name = "small";
    part.geometry = {2, 4, 4, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC, 0xF1, 0x00, 0x95, 0x40};
    part.energy = {1e-6, 10e-6, 100e-6, 0};
    return part;
}

using PageTags = std::array<SectorTag, 4>;

inline PageTags tagsOf(std::uint32_t lba, std::uint32_t version)
{
    PageTags tags{};
    for (std::uint32_t i = 0; i < tags.size(); ++i)
        tags[i] = makeTag(lba + i, version);
    return tags;
}
inline Content contentOf(PageTags& tags)
{
    return {reinterpret_cast<std::byte*>(tags.data()), DataMode::Tags};
}

inline Operation make(Opcode opcode, PageAddress target = {})
{
    Operation op;
    op.opcode = opcode;
    op.target = target;
    op.sectors = opcode == Opcode::Read || opcode == Opcode::Program ? 4 : 0;
    return op;
}
inline Operation makeProgram(PageAddress target, PageTags& tags, const Spare& spare = {1, 2, 3, 4})
{
    Operation op = make(Opcode::Program, target);
    op.data = contentOf(tags);
    op.spare = spare;
    return op;
}
inline Operation makeCopyBack(PageAddress source, PageAddress target)
{
    Operation op = make(Opcode::CopyBack, target);
    op.source = source;
    return op;
}

// A die with the clock of its controller: run() issues at `now` and moves on to R/B# rising.
struct Bench {
    explicit Bench(std::uint32_t badBlocks = 0, std::uint64_t seed = 1)
        : die(DieId{3}, part, badBlocks, Rng(seed, "die 3"))
    {
    }

    Operation run(Operation op)
    {
        now = die.issue(op, now);
        return op;
    }
    // The spare record and the tags of a page.
    Operation read(PageAddress target, PageTags& tags)
    {
        Operation op = make(Opcode::Read, target);
        op.data = contentOf(tags);
        op = run(op);
        die.fetch(op);
        return op;
    }
    IllegalReason whyNot(const Operation& op) const
    {
        const Legality verdict = die.probe(op, now);
        return verdict.legal ? IllegalReason::None : verdict.reason;
    }

    Part part = smallPart();
    Die die;
    Time now = 1ms;
};

} // namespace strobe::nand::test
