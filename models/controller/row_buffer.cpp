// SPDX-License-Identifier: Apache-2.0
#include "models/controller/row_buffer.h"

namespace strobe::controller {

RowBuffer::RowBuffer(const SuperchipMap& map, DataMode mode)
    : mode_(mode), sectorsPerPage_(map.dieGeometry().sectorsPerPage()), sectorsPerRow_(map.sectorsPerRow()),
      buses_(map.degrees().bus), lanes_(linesOf(sectorsPerRow_ * stride(mode))), manySpares_(buses_ > 1 ? buses_ : 0),
      sequence_(buses_ > 1 ? sectorsPerRow_ * stride(mode) : 0)
{
}

void RowBuffer::changeMode(DataMode mode)
{
    mode_ = mode;
    const std::size_t rowBytes = sectorsPerRow_ * stride(mode);
    if (lanes_.size() >= linesOf(rowBytes))
        return;
    lanes_.resize(linesOf(rowBytes)); // once: the first table that this slot carries
    sequence_.resize(buses_ > 1 ? rowBytes : 0);
}

void RowBuffer::dealSectors(const SuperchipMap& map, const RowRun& run, Direction direction)
{
    const std::uint32_t buses = map.degrees().bus;
    const Content whole = sequence();
    for (std::uint32_t bus = 0; bus < buses; ++bus) {
        const PageRun share = map.pageRun(run, bus);
        const Content page = lane(bus);
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            const Content inMemory = whole.at(share.offset + i * buses);
            if (direction == Direction::FromMemory)
                copySectors(page.at(i), inMemory, 1);
            else
                copySectors(inMemory, page.at(i), 1);
        }
    }
}

} // namespace strobe::controller
