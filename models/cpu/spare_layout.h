#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How firmware uses the spare records of its pages, as its image says (firmware/hal/spare_layout.h): which logical page
// a record names, and which of two records is newer. Pure.

#include "models/cpu/elf_image.h"

#include <array>
#include <cstdint>
#include <optional>

namespace strobe::cpu {

class SpareLayout {
public:
    using Record = std::array<std::uint32_t, 4>;

    SpareLayout(); // of the project's page mapping
    // Nothing: the image has no table. Throws ConfigError for a table that is wrong.
    static std::optional<SpareLayout> of(const ElfImage& image);
    // Throws ConfigError, with the name of the image, unless a page with so many sectors and records has whole units.
    void mustFit(std::uint32_t sectorsPerPage, std::uint32_t recordsPerPage, const ElfImage& image) const;

    std::uint32_t unitSectors() const { return unitSectors_; } // 0: as the boot block says
    // Of data of the host; nothing: the record names none.
    std::optional<std::uint32_t> logicalOf(const Record& record) const;
    bool hasSequence() const { return sequence_.mask != 0; }
    std::uint32_t sequenceOf(const Record& record) const { return sequence_.of(record); }
    bool isNewer(std::uint32_t sequence, std::uint32_t than) const; // they wrap around

private:
    struct Field {
        std::uint32_t word = 0;
        std::uint32_t mask = 0;
        std::uint32_t of(const Record& record) const;
    };

    std::uint32_t unitSectors_ = 0;
    Field logical_{0, UINT32_MAX};
    std::uint32_t logicalOffset_ = 1;
    Field sequence_{1, UINT32_MAX};
    Field kind_;
    std::uint32_t kindOfData_ = 0;
};

} // namespace strobe::cpu
