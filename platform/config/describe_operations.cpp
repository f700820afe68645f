// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the operations that `strobe operations` issues, once.
#include "platform/config/scenario_file.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::int64_t mostOperations = 1'000'000;

void describeItem(Fields& f, OperationsSection::Item& item)
{
    using nand::Opcode;
    f.required().choiceAmong("op", item.opcode, {Opcode::Read, Opcode::Program, Opcode::Erase, Opcode::CopyBack},
                             "The operation.");
    f.number("die", item.die, {0, maxDies - 1}, "Die: (channel x ways + way) x luns + lun.");
    f.number("block", item.target.block, {0, 1'048'575}, "Block of the die.");
    f.onlyIf(item.opcode != nand::Opcode::Erase, "an op other than erase", "an erase takes a whole block", {"op"})
        .number("page", item.target.page, {0, 65'535}, "Page of the block.");
    const auto source = [&]() -> Fields& {
        return f.onlyIf(item.opcode == nand::Opcode::CopyBack, "op copyback",
                        fmt::format("op is {}", enumName(item.opcode)), {"op"});
    };
    source().number("sourceBlock", item.source.block, {0, 1'048'575}, "Block that the page comes from.");
    source().number("sourcePage", item.source.page, {0, 65'535}, "Page of that block.");
}

} // namespace

void describeOperations(Fields& f, OperationsSection& section)
{
    operations::OperationsConfig& c = section.config;
    const Range count{0, mostOperations};
    f.number("reads", c.reads, count, "Page reads of the mix, over all dies.");
    f.number("programs", c.programs, count, "Page programs of the mix.");
    f.number("erases", c.erases, count, "Block erases of the mix.");
    f.number("copyBacks", c.copyBacks, count, "Copy-backs of the mix.");
    f.choice("dies", c.dies, "How the die of an operation of the mix is chosen.");
    f.number(
        "preparedBlocks", c.preparedBlocks, {0, 100'000},
        "Number of blank blocks per plane that are programmed before the measurement starts; 0: none, for a list.");
    f.numberOr("queueDepth", c.queueDepth, "all", {1, mostOperations},
               "Depth of the request queue of each bus; 1: one operation at a time.");
    f.listOf("list", section.list, "Operations in order, instead of a mix.", describeItem);
}

} // namespace strobe::platform
