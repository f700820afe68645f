// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/page_history.h"

#include <cstring>

namespace strobe::platform {

PageHistory::PageHistory(DieArray& dies) : dies_(dies)
{
    for (const auto& die : dies_)
        die->observe(this);
}

PageHistory::~PageHistory()
{
    for (const auto& die : dies_)
        die->observe(nullptr);
}

void PageHistory::programmed(DieId die, const nand::DieCells& cells, const nand::Operation& op)
{
    for (const Run& run : runsOf(cells, op.target))
        events_.push_back({op.requestEnd, op.opcode, op.purpose, die, op.target, run});
}

void PageHistory::erased(DieId die, const nand::DieCells& /*cells*/, const nand::Operation& op)
{
    events_.push_back({op.requestEnd, op.opcode, op.purpose, die, {op.target.block, 0}, {}});
}

std::vector<PageHistory::Run> PageHistory::runsOf(const nand::DieCells& cells, nand::PageAddress page)
{
    const std::uint32_t sectors = cells.part().geometry.sectorsPerPage();
    std::vector<std::byte> bytes(sectors * stride(DataMode::Tags));
    std::vector<Run> runs;
    if (!cells.peek(page, {bytes.data(), DataMode::Tags}))
        return runs;
    for (std::uint32_t i = 0; i < sectors; ++i) {
        SectorTag tag = 0;
        std::memcpy(&tag, bytes.data() + i * sizeof tag, sizeof tag);
        if (tag == 0 || !isTagIntact(tag))
            continue;
        if (!runs.empty() && runs.back().first + runs.back().sectors == static_cast<int>(i) &&
            runs.back().lba + runs.back().sectors == tagLba(tag) && runs.back().version == tagVersion(tag))
            ++runs.back().sectors;
        else
            runs.push_back({tagLba(tag), tagVersion(tag), static_cast<std::uint8_t>(i), 1});
    }
    return runs;
}

} // namespace strobe::platform
