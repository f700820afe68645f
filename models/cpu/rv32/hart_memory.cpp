// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/hart_memory.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <cstring>

namespace strobe::rv32 {

void HartMemory::map(const DirectRegion& region)
{
    direct_.add(region);
    code_.forget(region.first, region.last);
    refreshPages(region.first, region.last);
}

void HartMemory::unmap(std::uint32_t first, std::uint32_t last)
{
    for (const DirectRegion& region : direct_.remove(first, last)) {
        code_.forget(region.first, region.last);
        refreshPages(region.first, region.last);
    }
}

void HartMemory::refreshPages(std::uint32_t first, std::uint32_t last)
{
    for (std::uint32_t page = first >> pageBits; page <= last >> pageBits; ++page) {
        const std::uint32_t start = page << pageBits;
        const bool mayStore =
            !watchpoints_.watches(start, pageBytes, true) && code_.page(start) == nullptr && !isConstantPage(start);
        const Range* const null = guardOf(Guard::Null, start, start + pageBytes - 1);
        direct_.refresh(page, !watchpoints_.watches(start, pageBytes, false), mayStore && null == nullptr);
        if (null != nullptr && mayStore && null->last < start + pageBytes - 1)
            direct_.openWindow(null->last + 1);
        else if (null != nullptr)
            direct_.closeWindow();
    }
}

Done HartMemory::load(std::uint32_t address, unsigned bytes, std::uint32_t& value)
{
    if (address % bytes != 0)
        return hart_.raise(Cause::LoadMisaligned, address);
    if (const std::uint8_t* const direct = direct_.find(address, bytes, false); direct != nullptr) {
        std::memcpy(&value, direct, bytes);
    } else {
        const BusResult result = environment_.load(address, bytes, value);
        if (result == BusResult::Later)
            return Done::Later;
        if (result == BusResult::Fault)
            return hart_.raise(Cause::LoadAccess, address);
    }
    watch(address, bytes, false);
    return Done::Ok;
}

Done HartMemory::store(std::uint32_t address, unsigned bytes, std::uint32_t value)
{
    if (address % bytes != 0)
        return hart_.raise(Cause::StoreMisaligned, address);
    if (std::uint8_t* const direct = direct_.find(address, bytes, true); direct != nullptr) {
        std::memcpy(direct, &value, bytes);
        code_.forget(address, address + bytes - 1);
        reportStore(address, bytes);
    } else {
        const BusResult result = environment_.store(address, bytes, value);
        if (result == BusResult::Later)
            return Done::Later;
        if (result == BusResult::Fault)
            return hart_.raise(Cause::StoreAccess, address);
    }
    watch(address, bytes, true);
    return Done::Ok;
}

std::uint8_t* HartMemory::word(std::uint32_t address, bool isStore)
{
    std::uint8_t* bytes = direct_.find(address, 4, isStore);
    if (bytes == nullptr) {
        environment_.requestDirect(address);
        bytes = direct_.find(address, 4, isStore);
    }
    return bytes;
}

void HartMemory::storeWord(std::uint8_t* bytes, std::uint32_t address, std::uint32_t value)
{
    std::memcpy(bytes, &value, sizeof value);
    code_.forget(address, address + 3);
    reportStore(address, 4);
    watch(address, 4, true);
}

void HartMemory::watch(std::uint32_t address, unsigned bytes, bool isStore)
{
    if (!watchpoints_.empty() && watchpoints_.accessed(address, bytes, isStore))
        hart_.attention = true;
}

CodePage* HartMemory::enterCode(std::uint32_t pc)
{
    if (CodePage* const page = code_.page(pc); page != nullptr)
        return page;
    std::uint32_t half = 0;
    if (!fetchHalf(pc, half))
        return nullptr;
    CodePage& page = code_.make(pc);
    refreshPages(pc, pc);
    return &page;
}

bool HartMemory::fetchHalf(std::uint32_t address, std::uint32_t& half)
{
    const std::uint8_t* bytes = direct_.find(address, 2, false);
    if (bytes == nullptr) {
        environment_.requestDirect(address);
        bytes = direct_.find(address, 2, false);
    }
    if (bytes == nullptr) {
        hart_.raise(Cause::FetchAccess, address);
        return false;
    }
    std::uint16_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    half = value;
    return true;
}

bool HartMemory::fetch(std::uint32_t pc, std::uint32_t& bits)
{
    if (!fetchHalf(pc, bits))
        return false;
    if (isCompressed(bits))
        return true;
    std::uint32_t high = 0;
    if (!fetchHalf(pc + 2, high))
        return false;
    if ((pc + 2) >> pageBits != pc >> pageBits)
        enterCode(pc + 2); // stores there must be noticed too
    bits |= high << 16;
    return true;
}

std::optional<std::uint32_t> HartMemory::peek(std::uint32_t pc) const
{
    const std::uint8_t* const low = direct_.find(pc, 2, false);
    if (low == nullptr)
        return std::nullopt;
    std::uint32_t bits = 0;
    std::memcpy(&bits, low, 2);
    if (isCompressed(bits))
        return bits;
    const std::uint8_t* const high = direct_.find(pc + 2, 2, false);
    if (high == nullptr)
        return std::nullopt;
    std::uint16_t upper = 0;
    std::memcpy(&upper, high, sizeof upper);
    return bits | std::uint32_t{upper} << 16;
}

// --- guards ----------------------------------------------------------------------------------------------------------

void HartMemory::guard(Guard guard, std::uint32_t first, std::uint32_t last)
{
    guards_.push_back({guard, first, last});
    refreshPages(first, last);
}

const HartMemory::Range* HartMemory::guardOf(Guard guard, std::uint32_t first, std::uint32_t last) const
{
    const auto found = std::find_if(guards_.begin(), guards_.end(), [&](const Range& range) {
        return range.guard == guard && range.first <= last && first <= range.last;
    });
    return found == guards_.end() ? nullptr : &*found;
}

bool HartMemory::isConstantPage(std::uint32_t start) const
{
    const Range* const range = guardOf(Guard::Stores, start, start + pageBytes - 1);
    return range != nullptr && range->first <= start && range->last >= start + pageBytes - 1;
}

void HartMemory::reportStore(std::uint32_t address, unsigned bytes)
{
    for (const Guard guard : {Guard::Stores, Guard::Null}) {
        if (guardOf(guard, address, address + bytes - 1) != nullptr)
            environment_.guardHit(core_, guard, address);
    }
}

void HartMemory::reportExecution(std::uint32_t pc)
{
    if (guardOf(Guard::Execution, pc, pc) != nullptr)
        environment_.guardHit(core_, Guard::Execution, pc);
}

// --- watchpoints -----------------------------------------------------------------------------------------------------

void HartMemory::addWatchpoint(const Watchpoint& watchpoint)
{
    watchpoints_.add(watchpoint);
    refreshPages(watchpoint.address, watchpoint.last());
}

bool HartMemory::removeWatchpoint(const Watchpoint& watchpoint)
{
    if (!watchpoints_.remove(watchpoint))
        return false;
    refreshPages(watchpoint.address, watchpoint.last());
    return true;
}

} // namespace strobe::rv32
