#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The names of an address in a firmware image: function and offset from its symbol table, file and line from its DWARF
// line table if it was compiled with -g; and the rows of that table. Reading it takes milliseconds and happens on first
// use.

#include "models/cpu/elf_image.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::cpu {

class CodePlaces {
public:
    explicit CodePlaces(ElfImage image) : image_(std::move(image)) {}

    const ElfImage& image() const { return image_; }
    // "ftl_read+0x1c (page_map/ftl.c:88)"; unknown parts are omitted; if nothing is known, the address:
    // "0x80000000".
    std::string at(std::uint32_t address) const;
    std::string functionAt(std::uint32_t address) const; // its name, or the address in hexadecimal

    // The instructions from this address to the next row's belong to this line.
    struct Line {
        std::uint32_t address = 0;
        std::uint32_t file = 0; // of files()
        std::int32_t line = 0;  // 0: none; the sequence ends here
        bool isStatement = false;
    };
    const std::vector<Line>& lines() const;        // in ascending order of address; empty: there is no line table
    const std::vector<std::string>& files() const; // paths, as the compiler wrote them

private:
    void readLines() const;
    const Line* lineAt(std::uint32_t address) const; // null: unknown

    ElfImage image_;
    mutable bool areRead_ = false;
    mutable std::vector<Line> lines_;
    mutable std::vector<std::string> files_;
};

} // namespace strobe::cpu
