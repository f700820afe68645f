// SPDX-License-Identifier: Apache-2.0
#include "models/controller/request_synthesizer.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::controller {

namespace {
constexpr std::uint32_t notMapped = 0;        // in SYNTH_MAP
constexpr std::uint32_t notBuffered = 0;      // in SYNTH_BUFFERED
constexpr std::uint32_t leftToFirmware = ~0U; // in SYNTH_BUFFERED
} // namespace

bool RequestSynthesizer::covers(const Tables& tables, std::uint64_t lba, std::uint32_t sectors) const
{
    return sectors != 0 && lba + sectors <= std::uint64_t{tables.superblocks} * map_.sectorsPerSuperblock();
}

Time RequestSynthesizer::lookUp(const Tables& tables, std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors,
                                Time now)
{
    const std::uint32_t perSuperblock = map_.sectorsPerSuperblock();
    Read read;
    read.slot = slot;
    Time at = now;
    bool isFound = true;
    for (std::uint32_t first = 0; first < sectors && isFound;) {
        const auto superblock = static_cast<std::uint32_t>((lba + first) / perSuperblock);
        const auto start = static_cast<std::uint32_t>((lba + first) % perSuperblock);
        const Word blocks = fetch(tables.map, superblock, at);
        const Word buffered = fetch(tables.buffered, superblock, blocks.moved.end);
        at = buffered.moved.end;
        isFound = blocks.moved.ok && buffered.moved.ok && blocks.value != notMapped && buffered.value != leftToFirmware;
        FlashDescriptor d;
        d.opcode = SuperchipOpcode::Read;
        d.superchip = superblock % map_.superchips();
        d.startSector = start;
        d.sectors = std::min(sectors - first, perSuperblock - start);
        d.buffer = hostInterfaceBuffer;
        d.blocks = blocks.value;
        d.sourceSector = slot | first << 16;
        d.hasSectorTable = buffered.value != notBuffered;
        d.spareAddress = d.hasSectorTable ? BusAddress{buffered.value} + 4 * start : BusAddress{};
        d.cookie = started_;
        first += d.sectors;
        d.completes = first == sectors;
        read.descriptors.push_back(d);
    }
    if (!isFound)
        read.descriptors.clear();
    read.open = read.descriptors.size();
    reads_.push_back(std::move(read));
    ++started_;
    ++counters_.reads;
    counters_.handedBack += isFound ? 0 : 1;
    return at;
}

RequestSynthesizer::Word RequestSynthesizer::fetch(BusAddress table, std::uint32_t superblock, Time at)
{
    Word word;
    word.moved = {at, false};
    const BusAddress address = table + 4 * superblock;
    if (raw(address) % 4 == 0 && !dataBuffer_.contains(address))
        word.moved = memory_.move(address, 4, {reinterpret_cast<std::byte*>(&word.value), DataMode::Bytes},
                                  Direction::FromMemory, at);
    return word;
}

std::optional<RequestSynthesizer::Ended> RequestSynthesizer::retire(std::uint32_t number, bool isOk)
{
    Read& entry = read(number);
    check(!entry.isOver, "a synthesized read ended twice");
    entry.hasFailed = entry.hasFailed || !isOk;
    entry.open -= entry.open != 0 ? 1 : 0;
    if (entry.open != 0)
        return std::nullopt;
    entry.isOver = true;
    counters_.failed += entry.hasFailed ? 1 : 0;
    const Ended ended{entry.slot, entry.hasFailed};
    for (; !reads_.empty() && reads_.front().isOver; ++ended_)
        reads_.pop_front();
    return ended;
}

} // namespace strobe::controller
