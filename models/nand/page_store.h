#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the pages of one die hold: sparse, so memory follows what was written and not the capacity. A page whose sectors
// carry consecutive tags of one version (the usual case: a page written by one request) is kept as one run of 8 bytes,
// any other as stride(mode) bytes per sector. Not modelled here: legality (Die), errors and aging.

#include "models/base/content.h"
#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::nand {

class PageStore {
public:
    explicit PageStore(const DieGeometry& geometry);
    ~PageStore();
    PageStore(PageStore&&) noexcept;
    PageStore& operator=(PageStore&&) noexcept;

    bool isProgrammed(PageAddress address) const;
    // Stores sectors [firstSector, firstSector + sectors) of the page, the rest reads back as blank (zero tags / 0xFF
    // bytes), and the spare record. `data` may be empty (timing only). REQUIRES: !isProgrammed(address).
    void program(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data,
                 const Spare& spare);
    // Copies sectors out into `data` in its own representation (a page that holds another one yields blank sectors).
    // Returns false for a page that is not programmed: blank sectors, blank spare.
    bool read(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data, Spare& spare) const;
    void copy(PageAddress source, PageAddress target); // contents and spare; REQUIRES: target not programmed
    void erase(std::uint32_t block);

    std::size_t bytesInUse() const; // host memory held for contents, for the report

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace strobe::nand
