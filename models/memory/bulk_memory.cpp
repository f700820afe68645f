// SPDX-License-Identifier: Apache-2.0
#include "models/memory/bulk_memory.h"

#include "models/base/check.h"
#include "models/base/config_error.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace strobe::memory {

namespace {

// Address space without memory: pages appear, zeroed, when they are touched.
std::byte* reserveBytes(std::size_t size)
{
    if (size == 0)
        return nullptr;
    void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        throw ConfigError("memory: cannot reserve " + std::to_string(size) + " bytes of host address space (" +
                          std::strerror(errno) + ")");
    madvise(place, size, MADV_HUGEPAGE); // firmware's tables are accessed at random; a refusal is harmless
    return static_cast<std::byte*>(place);
}

void releaseBytes(std::byte* place, std::size_t size)
{
    if (place != nullptr)
        munmap(place, size);
}

std::size_t bufferBytes(const BulkMemoryConfig& config)
{
    return config.dataBuffer.size / sectorBytes * stride(config.dataMode);
}

const BulkMemoryConfig& validated(const BulkMemoryConfig& config)
{
    const std::uint64_t end = std::uint64_t{raw(config.region.base)} + config.region.size;
    if (config.region.size == 0 || end > (std::uint64_t{1} << 32))
        throw ConfigError("memory: the region must have a size and end within the 32-bit address space");
    if (config.dataBuffer.size != 0 && !config.region.contains(config.dataBuffer.base, config.dataBuffer.size))
        throw ConfigError("memory: the data buffer must lie inside the memory");
    if (raw(config.dataBuffer.base) % sectorBytes != 0 || config.dataBuffer.size % sectorBytes != 0)
        throw ConfigError("memory: the data buffer must start and end at a multiple of 512 bytes");
    if (config.bytesPerSecond == 0)
        throw ConfigError("memory: the bandwidth must be above zero");
    if (config.latency < Time{})
        throw ConfigError("memory: the latency must not be negative");
    return config;
}

} // namespace

BulkMemory::BulkMemory(const BulkMemoryConfig& config) : config_(validated(config)), ports_(config.ports.size())
{
    before_ = controlAround(config_.region.base);
    if (config_.dataBuffer.size != 0)
        after_ = controlAround(config_.dataBuffer.base + config_.dataBuffer.size);
    for (std::uint32_t bytes = 0; bytes < wordTimes_.size(); ++bytes)
        wordTimes_[bytes] = transferTime(bytes, config_.bytesPerSecond);
    for (std::uint32_t count = 0; count < sectorTimes_.size(); ++count)
        sectorTimes_[count] = transferTime(count * sectorBytes, config_.bytesPerSecond);
    control_ = reserveBytes(config_.region.size);
    try {
        buffer_ = reserveBytes(bufferBytes(config_));
    } catch (...) {
        releaseBytes(control_, config_.region.size);
        throw;
    }
}

BulkMemory::~BulkMemory()
{
    releaseBytes(control_, config_.region.size);
    releaseBytes(buffer_, bufferBytes(config_));
}

Time BulkMemory::access(std::uint32_t port, std::uint32_t bytes, Time at)
{
    check(port < ports_.size(), "a memory access on a port that does not exist");
    const Time duration = config_.latency + burstTime(bytes);
    const Time end = path_.reserve(at, duration);
    ports_[port].accountInOrder(at, end - duration, duration);
    return end;
}

Region BulkMemory::controlAround(BusAddress address) const
{
    const Region& whole = config_.region;
    const Region& buffer = config_.dataBuffer;
    if (!whole.contains(address) || buffer.contains(address))
        return {address, 0};
    if (buffer.size == 0)
        return whole;
    if (raw(address) < raw(buffer.base))
        return {whole.base, raw(buffer.base) - raw(whole.base)};
    const std::uint32_t end = raw(buffer.base) - raw(whole.base) + buffer.size;
    return {whole.base + end, whole.size - end};
}

Content BulkMemory::sectors(BusAddress address, std::uint32_t count)
{
    check(raw(address) % sectorBytes == 0, "a sector starts at a multiple of 512 bytes");
    check(std::uint64_t{count} * sectorBytes <= config_.dataBuffer.size &&
              config_.dataBuffer.contains(address, static_cast<std::uint32_t>(count * sectorBytes)),
          "sectors outside the data buffer");
    return Content{buffer_, config_.dataMode}.at((raw(address) - raw(config_.dataBuffer.base)) / sectorBytes);
}

bool BulkMemory::move(BusAddress address, std::uint32_t length, Content content, bool isWrite)
{
    if (isDataBuffer(address, length)) {
        const std::uint32_t offset = raw(address) - raw(config_.dataBuffer.base);
        if (offset % sectorBytes != 0 || length % sectorBytes != 0)
            return false;
        const Content store = Content{buffer_, config_.dataMode}.at(offset / sectorBytes);
        copySectors(isWrite ? store : content, isWrite ? content : store, length / sectorBytes);
        return true;
    }
    std::byte* store = bytes(address, length);
    if (store == nullptr)
        return false;
    if (content.data == nullptr)
        return true;
    check(content.mode == DataMode::Bytes, "control memory holds plain bytes, not tags");
    std::memcpy(isWrite ? store : content.data, isWrite ? content.data : store, length);
    return true;
}

void BulkMemory::resetUsage()
{
    path_.resetUsage();
    for (Resource& port : ports_)
        port.resetUsage();
}

} // namespace strobe::memory
