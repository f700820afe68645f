#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Superchips: b x c chips operated as one, b neighbouring channels (bus-level interleaving) times c neighbouring
// positions on each of them (chip-level interleaving). A superblock is one block of each chip, a superpage one page of
// each. Pure numbering, no state. With 1x1 a superchip is a die and its number the flat die number.
// Source: Nam et al., "Hydra: a block-mapped parallel flash memory SSD architecture", section 3.1, figures 3 and 4.
//
//   chip number     row * b + bus          row 0..c-1 (position), bus 0..b-1 (channel)
//   sectors         the first b * sectorsPerPage sectors of a superpage are dealt one by one to the buses of row 0,
//                   the next to row 1, and so on; then the next superpage
//
// So a run of consecutive sectors is divided into rows: the work that the chips of one row, all on different buses, do
// at the same time. The share of each chip is a run of consecutive sectors of one page.

#include "models/nand/geometry.h"

#include <cstdint>

namespace strobe::controller {

struct SuperchipGeometry {
    std::uint16_t bus = 1;  // b
    std::uint16_t chip = 1; // c

    constexpr std::uint32_t chips() const { return std::uint32_t{bus} * chip; }
};

// The part of a sector run that is in one row of one superpage.
struct RowRun {
    std::uint32_t page = 0;    // superpage of the superblock
    std::uint32_t row = 0;     // which chips
    std::uint32_t first = 0;   // first sector within the row
    std::uint32_t sectors = 0; // how many, on all buses together
};

// The share of one chip in a row run. Sector i of the share is sector offset + i * b of the row run.
struct PageRun {
    std::uint32_t chip = 0;        // of the superchip
    std::uint32_t firstSector = 0; // within the page
    std::uint32_t sectors = 0;     // 0: the chip has no share
    std::uint32_t offset = 0;
};

class SuperchipMap {
public:
    // Throws ConfigError unless b divides the channels and c the dies of a channel.
    SuperchipMap(const nand::ArrayGeometry& array, const nand::DieGeometry& die, SuperchipGeometry degrees);

    std::uint32_t superchips() const { return superchips_; }
    const SuperchipGeometry& degrees() const { return degrees_; }
    std::uint32_t chips() const { return degrees_.chips(); }
    // REQUIRES: superchip < superchips(), chip < chips().
    DieId die(std::uint32_t superchip, std::uint32_t chip) const;

    std::uint32_t sectorsPerRow() const { return sectorsPerRow_; }
    std::uint32_t sectorsPerSuperpage() const { return sectorsPerRow_ * degrees_.chip; }
    std::uint32_t sectorsPerSuperblock() const { return sectorsPerSuperpage() * die_.pagesPerBlock; }

    // The first row run of the sectors [first, end) of a superblock. REQUIRES: first < end <= sectorsPerSuperblock().
    RowRun rowRun(std::uint32_t first, std::uint32_t end) const;
    // The share of the chip on `bus`. REQUIRES: bus < b.
    PageRun pageRun(const RowRun& run, std::uint32_t bus) const;
    // Page operations that the sectors [first, end) need. REQUIRES: as rowRun().
    std::uint32_t pagesTouched(std::uint32_t first, std::uint32_t end) const;

    const nand::ArrayGeometry& array() const { return array_; }
    const nand::DieGeometry& dieGeometry() const { return die_; }

private:
    nand::ArrayGeometry array_;
    nand::DieGeometry die_;
    SuperchipGeometry degrees_;
    std::uint32_t superchips_;
    std::uint32_t superchipsPerChannels_; // of b neighbouring channels
    std::uint32_t sectorsPerRow_;
};

} // namespace strobe::controller
