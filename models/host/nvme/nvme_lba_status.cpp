// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_lba_status.h"

#include "models/host/nvme/nvme_format.h"

#include <algorithm>
#include <limits>

namespace strobe::host::nvme {

namespace {

constexpr std::size_t headerBytes = 8;
constexpr std::size_t entryBytes = 16;

enum class Condition : std::uint8_t { AllTransferred = 1, AllExamined = 2 }; // of completion, CMPC

} // namespace

void UnrecoverableBlocks::readFailed(std::uint64_t lba, std::uint32_t blocks)
{
    replaced(lba, blocks); // no block is in two ranges
    if (ranges_.size() >= rangeLimit)
        ranges_.erase(ranges_.begin());
    ranges_.push_back({lba, lba + blocks});
}

void UnrecoverableBlocks::replaced(std::uint64_t lba, std::uint32_t blocks)
{
    if (ranges_.empty())
        return;
    const std::uint64_t end = lba + blocks;
    std::vector<Range> kept;
    for (const Range& range : ranges_) {
        if (range.first < std::min(range.end, lba))
            kept.push_back({range.first, std::min(range.end, lba)});
        if (std::max(range.first, end) < range.end)
            kept.push_back({std::max(range.first, end), range.end});
    }
    if (kept.size() > rangeLimit)
        kept.erase(kept.begin());
    ranges_ = std::move(kept);
}

std::vector<std::byte> UnrecoverableBlocks::status(std::uint64_t lba, std::uint64_t blocks, std::size_t bytes,
                                                   std::uint64_t origin) const
{
    const std::uint64_t end = blocks == 0 ? std::numeric_limits<std::uint64_t>::max() : lba + blocks;
    std::vector<Range> inside;
    for (const Range& range : ranges_) {
        const Range part{std::max(range.first, lba), std::min(range.end, end)};
        if (part.first < part.end)
            inside.push_back(part);
    }
    std::sort(inside.begin(), inside.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    const std::size_t room = bytes < headerBytes ? 0 : (bytes - headerBytes) / entryBytes;
    const std::size_t count = std::min(inside.size(), room);
    std::vector<std::byte> structure(headerBytes + count * entryBytes);
    putField(structure, 0, static_cast<std::uint32_t>(count));
    putField(structure, 4, count == inside.size() ? Condition::AllExamined : Condition::AllTransferred);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = headerBytes + i * entryBytes;
        putField(structure, entry, inside[i].first - origin);
        putField(structure, entry + 8, static_cast<std::uint32_t>(inside[i].end - inside[i].first));
    }
    structure.resize(std::min(structure.size(), bytes));
    return structure;
}

} // namespace strobe::host::nvme
