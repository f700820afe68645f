// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/die_helpers.h"

#include <array>
#include <chrono>
#include <cstddef>

namespace strobe::nand::test {

Part smallPart()
{
    Part part;
    part.name = "small";
    part.geometry = {2, 4, 4, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC, 0xF1, 0x00, 0x95, 0x40};
    part.energy = {1e-6, 10e-6, 100e-6, 0};
    return part;
}

PageTags tagsOf(std::uint32_t lba, std::uint32_t version)
{
    PageTags tags{};
    for (std::uint32_t i = 0; i < tags.size(); ++i)
        tags[i] = makeTag(lba + i, version);
    return tags;
}

Content contentOf(PageTags& tags)
{
    return {reinterpret_cast<std::byte*>(tags.data()), DataMode::Tags};
}

Operation make(Opcode opcode, PageAddress target)
{
    Operation op;
    op.opcode = opcode;
    op.target = target;
    op.sectors = opcode == Opcode::Read || opcode == Opcode::Program ? 4 : 0;
    return op;
}

Operation makeProgram(PageAddress target, PageTags& tags, const Spare& spare)
{
    Operation op = make(Opcode::Program, target);
    op.data = contentOf(tags);
    op.spare = spare;
    return op;
}

Operation makeCopyBack(PageAddress source, PageAddress target)
{
    Operation op = make(Opcode::CopyBack, target);
    op.source = source;
    return op;
}

Bench::Bench(std::uint32_t badBlocks, std::uint64_t seed) : die(DieId{3}, part, badBlocks, Rng(seed, "die 3")) {}

Bench::~Bench() = default;

Operation Bench::run(Operation op)
{
    now = die.issue(op, now);
    return op;
}

Operation Bench::read(PageAddress target, PageTags& tags)
{
    Operation op = make(Opcode::Read, target);
    op.data = contentOf(tags);
    op = run(op);
    die.fetch(op);
    return op;
}

IllegalReason Bench::whyNot(const Operation& op) const
{
    const Legality verdict = die.probe(op, now);
    return verdict.legal ? IllegalReason::None : verdict.reason;
}

} // namespace strobe::nand::test
