// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

void operation(Resolving& r, const OperationsSection::Item& item, const std::string& path)
{
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    const auto below = [&](const char* key, std::uint32_t value, std::uint32_t limit) {
        return r.checks.expect(value < limit, path + "/" + key,
                               fmt::format("must be 0 to {}, not {}", limit - 1, value));
    };
    below("die", item.die, r.file.nand.array.dies());
    below("block", item.target.block, die.blocks());
    below("page", item.target.page, die.pagesPerBlock);
    below("sourceBlock", item.source.block, die.blocks());
    below("sourcePage", item.source.page, die.pagesPerBlock);
    r.result.operations.list.push_back(
        {item.opcode, DieId{static_cast<std::uint16_t>(item.die)}, item.target, item.source});
}

} // namespace

void resolveOperations(Resolving& r)
{
    OperationsSection& c = r.file.operations;
    r.result.operations = c.config;
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    r.checks.expect(c.list.empty() || !c.config.hasMix(), "/operations/list",
                    "there is a mix of reads, programs, erases or copyBacks already: one of the two");
    const bool isAsked = !c.list.empty() || c.config.hasMix();
    r.checks.expect(
        !isAsked || c.config.preparedBlocks < die.blocksPerPlane, "/operations/preparedBlocks",
        fmt::format("must be less than the {} blocks of a plane, not {}", die.blocksPerPlane, c.config.preparedBlocks));
    r.checks.expect(!c.config.hasMix() || c.config.preparedBlocks > 0, "/operations/preparedBlocks",
                    "must be 1 or more: a mix needs pages to read, copy and erase");
    const bool hasPrograms = c.config.programs + c.config.copyBacks + c.config.preparedBlocks != 0 ||
                             std::any_of(c.list.begin(), c.list.end(), [](const OperationsSection::Item& item) {
                                 return item.opcode == nand::Opcode::Program || item.opcode == nand::Opcode::CopyBack;
                             });
    r.checks.expect(
        !isAsked || !hasPrograms || !die.hasWordLines(), "/operations",
        fmt::format("these operations are on single pages, and programs of this part write word lines of {} "
                    "pages (nand.part.pagesPerProgram): only a list of reads and erases is possible, with "
                    "preparedBlocks 0",
                    die.pagesPerProgram));
    for (std::size_t i = 0; i < c.list.size(); ++i)
        operation(r, c.list[i], fmt::format("/operations/list/{}", i));
}

} // namespace strobe::platform
