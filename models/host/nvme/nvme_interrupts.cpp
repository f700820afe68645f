// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_interrupts.h"

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t vectorBytes = 16;
enum Word : std::uint32_t { addressLow, addressHigh, data, control };
constexpr std::uint32_t maskBit = 1;
constexpr std::uint64_t lowHalf = 0xFFFF'FFFF;

} // namespace

std::uint32_t Interrupts::readTable(std::uint32_t offset) const
{
    if (offset / vectorBytes >= vectors_.size())
        return 0;
    const Vector& vector = vectors_[offset / vectorBytes];
    switch (offset % vectorBytes / 4) {
    case addressLow: return static_cast<std::uint32_t>(vector.address);
    case addressHigh: return static_cast<std::uint32_t>(vector.address >> 32);
    case data: return vector.data;
    default: return vector.isMasked ? maskBit : 0;
    }
}

void Interrupts::writeTable(std::uint32_t offset, std::uint32_t value)
{
    if (offset / vectorBytes >= vectors_.size())
        return;
    Vector& vector = vectors_[offset / vectorBytes];
    switch (offset % vectorBytes / 4) {
    case addressLow: vector.address = (vector.address & ~lowHalf) | (value & ~3U); break;
    case addressHigh: vector.address = (vector.address & lowHalf) | std::uint64_t{value} << 32; break;
    case data: vector.data = value; break;
    default: vector.isMasked = (value & maskBit) != 0; break;
    }
    setMsix(isEnabled_, isMasked_);
}

std::uint32_t Interrupts::readPending(std::uint32_t offset) const
{
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 32 && offset * 8 + i < vectors_.size(); ++i)
        bits |= (vectors_[offset * 8 + i].isPending ? 1U : 0U) << i;
    return bits;
}

// Messages held back by a mask are sent when it is cleared.
void Interrupts::setMsix(bool isEnabled, bool isMasked)
{
    isEnabled_ = isEnabled;
    isMasked_ = isMasked;
    for (Vector& vector : vectors_) {
        if (!vector.isPending || !isEnabled_ || isMasked_ || vector.isMasked)
            continue;
        vector.isPending = false;
        vector.due = Time{};
    }
    arm();
}

void Interrupts::setCoalescing(std::uint32_t threshold, Time time)
{
    threshold_ = threshold;
    time_ = time;
}

bool Interrupts::setVectorCoalescing(std::uint32_t vector, bool isDisabled)
{
    if (vector >= vectors_.size())
        return false;
    vectors_[vector].isUncoalesced = isDisabled;
    return true;
}

void Interrupts::reset()
{
    for (Vector& vector : vectors_) {
        vector.waiting = 0;
        vector.due = never;
        vector.isPending = false;
        vector.isUncoalesced = false;
    }
    setCoalescing(0, Time{});
    pinMask = 0;
    arm();
}

void Interrupts::arm()
{
    nextTime_ = never;
    for (const Vector& vector : vectors_)
        nextTime_ = std::min(nextTime_, vector.due);
}

} // namespace strobe::host::nvme
