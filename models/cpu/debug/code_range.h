#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The addresses of an image that may hold code, numbered by halfword: indices of tables.

#include "models/cpu/elf_image.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::cpu {

class CodeRange {
public:
    explicit CodeRange(const ElfImage& image); // its executable segments

    std::size_t size() const { return size_; }
    // size() outside.
    std::size_t indexOf(std::uint32_t address) const
    {
        for (const Part& part : parts_) {
            if (const std::size_t at = (address - part.first) / 2; at < part.halfwords)
                return part.index + at;
        }
        return size_;
    }

private:
    struct Part {
        std::uint32_t first = 0;
        std::size_t halfwords = 0;
        std::size_t index = 0; // of the first
    };
    std::vector<Part> parts_;
    std::size_t size_ = 0;
};

} // namespace strobe::cpu
