// SPDX-License-Identifier: Apache-2.0
#include "models/nand/flash_faults.h"

#include <algorithm>
#include <limits>

namespace strobe::nand {

FlashFaults::FlashFaults(DieId die, const DieGeometry& geometry, const std::vector<FlashFault>& plan, const Rng& draws)
    : geometry_(geometry), wordLines_(geometry.planes), draws_(draws)
{
    for (const FlashFault& fault : plan) {
        if (!fault.die || *fault.die == raw(die))
            rows_.push_back({fault});
    }
}

bool FlashFaults::isIn(const FlashFault& fault, std::uint32_t block) const
{
    return (!fault.block || *fault.block == block) && (!fault.plane || *fault.plane == geometry_.planeOf(block));
}

// The operation is one that the row applies to.
bool FlashFaults::hits(Row& row)
{
    if (row.fault.count != 0 && row.hits == row.fault.count)
        return false;
    if (row.fault.rate < 1 && !draws_.chance(row.fault.rate))
        return false;
    row.hits += row.fault.count != 0 ? 1 : 0;
    return true;
}

bool FlashFaults::isDead(PageAddress page, Time now) const
{
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
        const FlashFault& fault = row.fault;
        return fault.kind == FlashFaultKind::Dead && isAt(fault, now) && isIn(fault, page.block) &&
               (!fault.page || *fault.page == page.page);
    });
}

bool FlashFaults::drawProgram(PageAddress page, Time now)
{
    if (isDead(page, now))
        return true;
    return std::any_of(rows_.begin(), rows_.end(), [&](Row& row) {
        const FlashFault& fault = row.fault;
        return fault.kind == FlashFaultKind::ProgramFail && isAt(fault, now) && isIn(fault, page.block) &&
               (!fault.page || *fault.page == page.page) && hits(row);
    });
}

bool FlashFaults::failsProgram(PageAddress page, bool isWordLine, Time now)
{
    bool fails = false;
    if (isWordLine) {
        WordLine& line = wordLines_[geometry_.planeOf(page.block)];
        const std::uint32_t number = geometry_.wordLineOf(page.page);
        const bool isFirst = page.page % geometry_.pagesPerProgram == 0;
        if (isFirst || line.block != page.block || line.number != number)
            line = {page.block, number, drawProgram(page, now)};
        fails = line.fails;
    } else {
        fails = drawProgram(page, now);
    }
    counters_.programs += fails ? 1 : 0;
    return fails;
}

bool FlashFaults::failsErase(std::uint32_t block, Time now)
{
    const bool fails = std::any_of(rows_.begin(), rows_.end(), [&](Row& row) {
        const FlashFault& fault = row.fault;
        if (!isAt(fault, now) || !isIn(fault, block))
            return false;
        return (fault.kind == FlashFaultKind::Dead && !fault.page) ||
               (fault.kind == FlashFaultKind::EraseFail && hits(row));
    });
    counters_.erases += fails ? 1 : 0;
    return fails;
}

FlashFaults::Reading FlashFaults::read(PageAddress page, bool hasData, Time now)
{
    if (isDead(page, now)) {
        ++counters_.deadReads;
        return {true, 0};
    }
    Reading reading;
    if (!hasData)
        return reading;
    constexpr std::uint64_t most = std::numeric_limits<std::uint16_t>::max();
    for (Row& row : rows_) {
        const FlashFault& fault = row.fault;
        if (fault.kind == FlashFaultKind::BitErrors && isAt(fault, now) && isIn(fault, page.block) &&
            (!fault.page || *fault.page == page.page) && hits(row))
            reading.bits = static_cast<std::uint32_t>(std::min(most, std::uint64_t{reading.bits} + fault.bits));
    }
    counters_.disturbedReads += reading.bits != 0 ? 1 : 0;
    return reading;
}

bool FlashFaults::losesCopy(PageAddress source, Time now)
{
    const bool isLost = isDead(source, now);
    counters_.lostCopies += isLost ? 1 : 0;
    return isLost;
}

} // namespace strobe::nand
