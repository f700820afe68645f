#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A firmware image for the RV32 core: an ELF file, 32-bit little-endian, machine RISC-V, linked to run where it is
// loaded. Lists the segments with their addresses and the entry point; symbols give addresses their names. A file that
// cannot run is refused with one message: ConfigError with the path and what is wrong. What a file must have besides
// loadable segments:
//   an entry point inside one of its segments that may be executed
//   a symbol vector_table inside such a segment, at a multiple of 256 (the firmware writes it into mtvec)
// Not done: relocation, dynamic linking, compressed sections, debug information.

#include "models/memory/region.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::cpu {

class ElfImage {
public:
    struct Segment {
        std::uint32_t address = 0;
        std::uint32_t size = 0;          // in memory; zeros follow the contents
        std::vector<std::byte> contents; // from the file, at most `size` bytes
        bool executable = false;
        bool writable = false;
        std::uint64_t end() const { return std::uint64_t{address} + size; }
    };
    struct Symbol {
        std::string name;
        std::uint32_t address = 0;
        std::uint32_t size = 0; // 0: not stated
        bool isFunction = false;
    };

    static ElfImage load(const std::string& path);
    static ElfImage parse(const std::vector<std::byte>& file, const std::string& name);

    // Throws ConfigError unless every segment is in one of the regions.
    struct Place {
        std::string name;
        memory::Region region;
    };
    void mustFit(const std::vector<Place>& places) const;

    const std::string& name() const { return name_; }
    std::uint32_t entry() const { return entry_; }
    std::uint32_t vectorTable() const { return vectorTable_; }
    const std::vector<Segment>& segments() const { return segments_; } // in ascending order of address
    const std::vector<Symbol>& symbols() const { return symbols_; }    // in ascending order of address
    const Symbol* find(std::string_view name) const;
    // The function (or label of executable code) that holds the address, or null.
    const Symbol* functionAt(std::uint32_t address) const;

private:
    std::string name_;
    std::uint32_t entry_ = 0;
    std::uint32_t vectorTable_ = 0;
    std::vector<Segment> segments_;
    std::vector<Symbol> symbols_;
};

} // namespace strobe::cpu
