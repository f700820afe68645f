// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/code_range.h"

namespace strobe::cpu {

CodeRange::CodeRange(const ElfImage& image)
{
    for (const ElfImage::Segment& segment : image.segments()) {
        if (!segment.executable || segment.size == 0)
            continue;
        const std::size_t halfwords = (std::size_t{segment.size} + 1) / 2;
        parts_.push_back({segment.address, halfwords, size_});
        size_ += halfwords;
    }
}

} // namespace strobe::cpu
