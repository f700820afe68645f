// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/zstd_frames.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {
constexpr std::uint32_t skippableMagic = 0x184D2A50; // and the 15 numbers after it
constexpr std::uint32_t skippableMask = 0xFFFFFFF0;
} // namespace

void ZstdFrames::pass(const char* data, std::size_t size)
{
    for (std::size_t i = 0; i < size;) {
        if (skip_ > 0) {
            const auto passed = std::min<std::uint64_t>(skip_, size - i);
            skip_ -= passed;
            i += static_cast<std::size_t>(passed);
            continue;
        }
        value_ |= std::uint32_t{static_cast<unsigned char>(data[i++])} << (8 * have_);
        if (++have_ == need_)
            headerRead();
    }
}

void ZstdFrames::begin(Part part, std::uint32_t bytes)
{
    part_ = part;
    need_ = bytes;
    have_ = 0;
    value_ = 0;
}

void ZstdFrames::headerRead()
{
    switch (part_) {
    case Part::Magic:
        if ((value_ & skippableMask) == skippableMagic)
            begin(Part::SkipSize, 4);
        else
            begin(Part::Descriptor, 1);
        break;
    case Part::SkipSize:
        skip_ = value_;
        begin(Part::Magic, 4);
        break;
    case Part::Descriptor: {
        static constexpr std::array<std::uint32_t, 4> dictionaryIdBytes{0, 1, 2, 4};
        static constexpr std::array<std::uint32_t, 4> contentSizeBytes{0, 2, 4, 8};
        const bool singleSegment = (value_ & 0x20) != 0;
        const std::uint32_t contentSize = value_ >> 6;
        checksummed_ = (value_ & 0x04) != 0;
        skip_ = (singleSegment ? 0 : 1) + dictionaryIdBytes[value_ & 3] +
                (contentSize == 0 && singleSegment ? 1 : contentSizeBytes[contentSize]);
        begin(Part::Block, 3);
        break;
    }
    case Part::Block: blockHeaderRead(); break;
    }
}

void ZstdFrames::blockHeaderRead()
{
    const bool last = (value_ & 1) != 0;
    const bool repeatedByte = ((value_ >> 1) & 3) == 1;
    skip_ = repeatedByte ? 1 : value_ >> 3;
    if (last) {
        skip_ += checksummed_ ? 4 : 0;
        begin(Part::Magic, 4);
    } else {
        begin(Part::Block, 3);
    }
}

} // namespace strobe::host
