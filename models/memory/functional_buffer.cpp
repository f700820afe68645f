// SPDX-License-Identifier: Apache-2.0
#include "models/memory/functional_buffer.h"

#include <algorithm>

namespace strobe::memory {

namespace {

constexpr std::uint32_t largestPiece = 8; // sectors

std::uint32_t log2Of(std::uint32_t value)
{
    std::uint32_t shift = 0;
    while (std::uint64_t{1} << shift < value)
        ++shift;
    return shift;
}

} // namespace

// Pages of other sizes than powers of two are not kept: finding them would take divisions.
FunctionalBuffer::FunctionalBuffer(BulkMemory& memory, std::uint32_t sectorsPerPage)
    : memory_(memory), base_(raw(memory.config().dataBuffer.base)), sectorsPerPage_(sectorsPerPage),
      sectorsPerPiece_(std::min(sectorsPerPage, largestPiece)),
      pieceBytes_(static_cast<std::uint32_t>(sectorsPerPiece_ * sectorBytes))
{
    const bool isPowerOfTwo = sectorsPerPage != 0 && (sectorsPerPage & (sectorsPerPage - 1)) == 0;
    if (memory.config().dataMode != DataMode::Tags || !isPowerOfTwo)
        return;
    pieceShift_ = log2Of(pieceBytes_);
    pageShift_ = log2Of(sectorsPerPage);
    runs_.resize(memory.config().dataBuffer.size >> pieceShift_);
}

Content FunctionalBuffer::sectors(BusAddress address, std::uint32_t count)
{
    const auto last = address + static_cast<std::uint32_t>((count == 0 ? 0 : count - 1) * sectorBytes);
    for (std::size_t piece = pieceOf(address); piece <= pieceOf(last) && piece < runs_.size(); ++piece) {
        if (runs_[piece] != 0)
            writeOut(piece);
    }
    return memory_.sectors(address, count);
}

void FunctionalBuffer::copyTo(Content to, BusAddress address, std::uint32_t count)
{
    if (!arePieces(address, count)) {
        copySectors(to, sectors(address, count), count);
        return;
    }
    for (std::uint32_t done = 0; done < count; done += sectorsPerPiece_) {
        const auto from = address + static_cast<std::uint32_t>(done * sectorBytes);
        const std::uint64_t run = runs_[pieceOf(from)];
        if (run == 0)
            copySectors(to.at(done), memory_.sectors(from, sectorsPerPiece_), sectorsPerPiece_);
        else if (!to.empty())
            makeTagRun(tagLba(run), tagVersion(run), sectorsPerPiece_, to.at(done).data);
    }
}

bool FunctionalBuffer::move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite)
{
    const auto count = static_cast<std::uint32_t>(bytes / sectorBytes);
    if (memory_.isDataBuffer(address, bytes) && !isWrite && arePieces(address, count)) {
        copyTo(content, address, count);
        return true;
    }
    if (memory_.isDataBuffer(address, bytes))
        sectors(address, count);
    return memory_.move(address, bytes, content, isWrite);
}

void FunctionalBuffer::writeOut()
{
    for (std::size_t piece = 0; piece < runs_.size(); ++piece) {
        if (runs_[piece] != 0)
            writeOut(piece);
    }
}

void FunctionalBuffer::writeOut(std::size_t piece)
{
    const std::uint64_t run = runs_[piece];
    const BusAddress address = memory_.config().dataBuffer.base + static_cast<std::uint32_t>(piece << pieceShift_);
    makeTagRun(tagLba(run), tagVersion(run), sectorsPerPiece_, memory_.sectors(address, sectorsPerPiece_).data);
    runs_[piece] = 0;
}

} // namespace strobe::memory
