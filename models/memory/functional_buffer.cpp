// SPDX-License-Identifier: Apache-2.0
#include "models/memory/functional_buffer.h"

namespace strobe::memory {

// Pages of other sizes are not kept: finding them would take divisions.
FunctionalBuffer::FunctionalBuffer(BulkMemory& memory, std::uint32_t sectorsPerPage)
    : memory_(memory), base_(raw(memory.config().dataBuffer.base)), sectorsPerPage_(sectorsPerPage),
      pageBytes_(static_cast<std::uint32_t>(sectorsPerPage * sectorBytes))
{
    const bool isPowerOfTwo = pageBytes_ != 0 && (pageBytes_ & (pageBytes_ - 1)) == 0;
    if (memory.config().dataMode != DataMode::Tags || !isPowerOfTwo)
        return;
    while ((std::uint32_t{1} << pageShift_) < pageBytes_)
        ++pageShift_;
    runs_.resize(memory.config().dataBuffer.size >> pageShift_);
}

Content FunctionalBuffer::sectors(BusAddress address, std::uint32_t count)
{
    const auto last = address + static_cast<std::uint32_t>((count == 0 ? 0 : count - 1) * sectorBytes);
    for (std::size_t page = pageOf(address); page <= pageOf(last) && page < runs_.size(); ++page) {
        if (runs_[page] != 0)
            writeOut(page);
    }
    return memory_.sectors(address, count);
}

bool FunctionalBuffer::move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite)
{
    if (memory_.isDataBuffer(address, bytes))
        sectors(address, static_cast<std::uint32_t>(bytes / sectorBytes));
    return memory_.move(address, bytes, content, isWrite);
}

void FunctionalBuffer::writeOut()
{
    for (std::size_t page = 0; page < runs_.size(); ++page) {
        if (runs_[page] != 0)
            writeOut(page);
    }
}

void FunctionalBuffer::writeOut(std::size_t page)
{
    const SectorTag first = runs_[page];
    const BusAddress address = memory_.config().dataBuffer.base + static_cast<std::uint32_t>(page << pageShift_);
    makeTagRun(tagLba(first), tagVersion(first), sectorsPerPage_, memory_.sectors(address, sectorsPerPage_).data);
    runs_[page] = 0;
}

} // namespace strobe::memory
