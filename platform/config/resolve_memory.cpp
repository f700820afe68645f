// SPDX-License-Identifier: Apache-2.0
#include "platform/config/firmware_memory.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::uint64_t maxUnits = 0xFFFF'FF00; // numbers of mapping units are 32 bits in firmware

} // namespace

void resolveMemory(Resolving& r)
{
    const MemoryConfig& c = r.file.memory;
    const nand::DieGeometry& geometry = r.file.nand.part.geometry;
    const std::uint64_t dies = r.file.nand.array.dies();
    r.firmwareChecks.expect(c.bufferSize % sectorBytes == 0 && c.size % sectorBytes == 0, "/memory",
                            "size and bufferSize must be whole numbers of 512-byte sectors");
    const std::uint64_t units = dies * geometry.pages() * (geometry.pageBytes / r.result.firmware.mappingUnitBytes);
    const bool isCountable =
        r.checks.expectOfFlash(units < maxUnits, "/nand",
                               fmt::format("{} {} of flash are too many; less than {} are allowed", units,
                                           units == dies * geometry.pages() ? "pages" : "mapping units", maxUnits));
    const LeastBuffer least = leastBuffer(r.result);
    const std::uint64_t smallest = least.count * least.bytes;
    r.firmwareChecks.expect(c.bufferSize >= smallest, "/memory/bufferSize",
                            fmt::format("{} is too small: firmware needs {} {} of {}, {}", sizeText(c.bufferSize),
                                        least.count, least.what, sizeText(least.bytes), sizeText(smallest)),
                            flashSizeKeys());
    if (!r.firmwareChecks.expect(c.bufferSize < c.size, "/memory/bufferSize",
                                 fmt::format("{} leaves no memory for firmware: the memory has {}",
                                             sizeText(c.bufferSize), sizeText(c.size)),
                                 {"/memory/size"}))
        return;
    const bool isBlock = geometry.pagesPerBlock >= geometry.pagesPerProgram; // else reported already
    if (!isCountable || !isBlock)
        return;
    const std::uint64_t tables = controlMemoryBytes(r.result) + badBlockTableBytes(r.result);
    const std::uint64_t buffer = alignedToMemory(c.bufferSize);
    constexpr std::uint64_t bytesPerMebibyte = 1024 * 1024;
    const std::uint64_t suffices = (tables + buffer + bytesPerMebibyte - 1) / bytesPerMebibyte * bytesPerMebibyte;
    const std::string advice = suffices <= mostMemoryBytes
                                   ? fmt::format("{} suffices", sizeText(suffices))
                                   : fmt::format("no allowed memory (up to {}) is enough; use fewer or smaller blocks "
                                                 "(nand.part.blocksPerPlane)",
                                                 sizeText(mostMemoryBytes));
    std::vector<std::string> others = flashSizeKeys();
    others.insert(others.end(), {"/memory/bufferSize", "/firmware/ftl", "/firmware/pageMap/mappingUnit"});
    r.firmwareChecks.expect(
        tables + buffer <= c.size, "/memory/size",
        fmt::format("{} less the buffer of {} is too small for firmware's tables: {:.1f} MiB for {:.1f} million "
                    "pages; {}",
                    sizeText(c.size), sizeText(c.bufferSize), static_cast<double>(tables) / bytesPerMebibyte,
                    static_cast<double>(geometry.pages() * dies) * 1e-6, advice),
        std::move(others));
}

} // namespace strobe::platform
