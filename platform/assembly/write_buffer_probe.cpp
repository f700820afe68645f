// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/write_buffer_probe.h"

#include "models/base/strobe_registers.h"

#include <chrono>
#include <cstring>

namespace strobe::platform {

namespace reg = regs::statistics;

namespace {

Time fromNanoseconds(std::uint64_t count)
{
    return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
}

std::uint64_t since(std::uint64_t now, std::uint64_t before) // the counts wrap
{
    return std::uint64_t{static_cast<std::uint32_t>(now - before)};
}

} // namespace

std::uint32_t WriteBufferProbe::word(std::uint32_t offset) const
{
    std::uint32_t value = 0;
    std::memcpy(&value, block_ + offset, sizeof value);
    return value;
}

std::uint64_t WriteBufferProbe::pair(std::uint32_t low, std::uint32_t high) const
{
    return std::uint64_t{word(high)} << 32 | word(low);
}

WriteBufferProbe::Sums WriteBufferProbe::read(Time now) const
{
    const auto present = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    // Firmware runs ahead of simulated time by its cost points: its last change may lie in the future.
    const auto passed = [present](std::uint64_t at) { return present > at ? present - at : 0; };
    const std::uint64_t used = passed(pair(reg::USED_AT_LO, reg::USED_AT_HI));
    const std::uint64_t waiting = passed(pair(reg::WAITING_AT_LO, reg::WAITING_AT_HI));
    Sums sums;
    sums.used = pair(reg::USED_SUM_LO, reg::USED_SUM_HI) + word(reg::USED) * used;
    sums.waiting = pair(reg::WAITING_SUM_LO, reg::WAITING_SUM_HI) + word(reg::WAITING) * waiting;
    sums.exhausted = pair(reg::SHORT_LO, reg::SHORT_HI) + (word(reg::WAITING) != 0 ? waiting : 0);
    sums.taken = word(reg::TAKEN);
    return sums;
}

ReadAheadCounters WriteBufferProbe::aheadCounts() const
{
    return {word(reg::AHEAD_READ), word(reg::AHEAD_HIT), word(reg::AHEAD_MISSED), word(reg::AHEAD_WASTED)};
}

ReadAheadCounters WriteBufferProbe::readAhead() const
{
    const ReadAheadCounters now = aheadCounts();
    return {since(now.read, aheadBefore_.read), since(now.hits, aheadBefore_.hits),
            since(now.misses, aheadBefore_.misses), since(now.wasted, aheadBefore_.wasted)};
}

RefreshCounters WriteBufferProbe::refreshCounts() const
{
    return {word(reg::REFRESH_READS), word(reg::REFRESH_AGE), word(reg::REFRESH_ERRORS), word(reg::REFRESH_UNITS),
            word(reg::SCRUB_READS)};
}

RefreshCounters WriteBufferProbe::refresh() const
{
    const RefreshCounters now = refreshCounts();
    return {since(now.byReads, refreshBefore_.byReads), since(now.byAge, refreshBefore_.byAge),
            since(now.byErrors, refreshBefore_.byErrors), since(now.units, refreshBefore_.units),
            since(now.scrubReads, refreshBefore_.scrubReads)};
}

ParityCounters WriteBufferProbe::parityCounts() const
{
    return {word(reg::PARITY_STRIPES), word(reg::PARITY_REBUILT), word(reg::PARITY_LOST)};
}

ParityCounters WriteBufferProbe::parity() const
{
    const ParityCounters now = parityCounts();
    return {since(now.stripes, parityBefore_.stripes), since(now.rebuilt, parityBefore_.rebuilt),
            since(now.lost, parityBefore_.lost)};
}

void WriteBufferProbe::reset(Time now)
{
    before_ = read(now);
    aheadBefore_ = aheadCounts();
    refreshBefore_ = refreshCounts();
    parityBefore_ = parityCounts();
    const std::uint32_t waiting = word(reg::WAITING);
    const std::uint32_t none = 0;
    std::memcpy(block_ + reg::MOST_WAITING, &waiting, sizeof waiting);
    std::memcpy(block_ + reg::LONGEST_WAIT, &none, sizeof none);
}

std::uint32_t WriteBufferProbe::slots() const
{
    return word(reg::WRITE_SLOTS);
}

ResourceUsage WriteBufferProbe::usage(Time now) const
{
    const Sums sums = read(now);
    ResourceUsage usage;
    usage.busy = slots() == 0 ? Time{} : fromNanoseconds((sums.used - before_.used) / slots());
    usage.waited = fromNanoseconds(sums.waiting - before_.waiting);
    usage.maxWaited = fromNanoseconds(word(reg::LONGEST_WAIT));
    usage.jobs = sums.taken - before_.taken; // the count wraps
    usage.maxQueue = word(reg::MOST_WAITING);
    return usage;
}

Time WriteBufferProbe::exhausted(Time now) const
{
    return fromNanoseconds(read(now).exhausted - before_.exhausted);
}

} // namespace strobe::platform
