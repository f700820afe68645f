// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/split_ring.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace strobe::platform::guest {

namespace {

constexpr std::uint16_t hasNext = 1;
constexpr std::uint16_t isDeviceWritable = 2;
constexpr std::uint16_t isIndirect = 4;

} // namespace

template <class Value>
Value SplitRing::load(GuestMemory& memory, std::uint64_t address) const
{
    Value value{};
    if (!memory.read(address, &value, sizeof value))
        throw RingError("a virtqueue lies outside the guest's memory");
    return value;
}

template <class Value>
void SplitRing::store(GuestMemory& memory, std::uint64_t address, Value value) const
{
    if (!memory.write(address, &value, sizeof value))
        throw RingError("a virtqueue lies outside the guest's memory");
}

void SplitRing::setSize(std::uint32_t entries)
{
    if (entries == 0 || entries > mostEntries || (entries & (entries - 1)) != 0)
        throw RingError("a virtqueue of " + std::to_string(entries) +
                        " entries; must be a power of two from 1 to 32768");
    entries_ = entries;
}

void SplitRing::setPlaces(std::uint64_t descriptors, std::uint64_t available, std::uint64_t used)
{
    if (descriptors % 16 != 0 || available % 2 != 0 || used % 4 != 0)
        throw RingError("a part of a virtqueue is misaligned");
    descriptors_ = descriptors;
    available_ = available;
    used_ = used;
    usedNext_ = 0;
}

std::optional<SplitRing::Chain> SplitRing::take(GuestMemory& memory, std::uint32_t mostBytes)
{
    const auto end = load<std::uint16_t>(memory, available_ + 2);
    const auto waiting = static_cast<std::uint16_t>(end - next_);
    if (waiting == 0)
        return std::nullopt;
    if (waiting > entries_)
        throw RingError("a virtqueue has more chains available than entries");
    std::atomic_thread_fence(std::memory_order_acquire);
    Chain chain;
    chain.head = load<std::uint16_t>(memory, available_ + 4 + 2 * (next_ % entries_));
    ++next_;
    std::uint32_t index = chain.head;
    for (std::uint32_t links = 0;; ++links) {
        if (index >= entries_)
            throw RingError("a descriptor beyond the end of its table");
        if (links == entries_)
            throw RingError("a chain of descriptors without end");
        const auto descriptor = load<Descriptor>(memory, descriptors_ + 16 * std::uint64_t{index});
        if ((descriptor.flags & isIndirect) != 0)
            throw RingError("an indirect descriptor, which was not offered");
        if ((descriptor.flags & isDeviceWritable) != 0) {
            chain.answers.push_back(descriptor.address);
            chain.room.push_back(descriptor.bytes);
        } else {
            if (!chain.answers.empty())
                throw RingError("a descriptor for the device to read after one for it to write");
            const std::size_t before = chain.request.size();
            if (descriptor.bytes > mostBytes - before)
                throw RingError("a request of more than " + std::to_string(mostBytes) + " bytes");
            chain.request.resize(before + descriptor.bytes);
            if (!memory.read(descriptor.address, chain.request.data() + before, descriptor.bytes))
                throw RingError("a request outside the guest's memory");
        }
        if ((descriptor.flags & hasNext) == 0)
            return chain;
        index = descriptor.next;
    }
}

void SplitRing::give(GuestMemory& memory, const Chain& chain, const void* answer, std::uint32_t bytes)
{
    std::uint32_t done = 0;
    for (std::size_t i = 0; i < chain.answers.size() && done < bytes; ++i) {
        const std::uint32_t part = std::min(bytes - done, chain.room[i]);
        if (!memory.write(chain.answers[i], static_cast<const std::byte*>(answer) + done, part))
            throw RingError("room for an answer outside the guest's memory");
        done += part;
    }
    const std::uint64_t entry = used_ + 4 + 8 * std::uint64_t{usedNext_ % entries_};
    store<std::uint32_t>(memory, entry, chain.head);
    store<std::uint32_t>(memory, entry + 4, done);
    std::atomic_thread_fence(std::memory_order_release);
    ++usedNext_;
    store<std::uint16_t>(memory, used_ + 2, usedNext_);
}

} // namespace strobe::platform::guest
