#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Messages of QEMU's proxy device as bytes.

#include "platform/qemu/proxy_message.h"

#include <cstring>
#include <vector>

namespace strobe::test {

namespace qemu = platform::qemu;

inline std::array<std::byte, qemu::ProxyHeader::bytes> proxyHeader(std::int32_t command, std::uint64_t payload)
{
    std::array<std::byte, qemu::ProxyHeader::bytes> bytes{};
    std::memcpy(bytes.data(), &command, sizeof command);
    std::memcpy(bytes.data() + 8, &payload, sizeof payload);
    return bytes;
}

template <class... Values>
std::vector<std::byte> payloadOf(Values... values)
{
    std::vector<std::byte> bytes;
    const auto add = [&bytes](auto value) {
        const auto* const at = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), at, at + sizeof value);
    };
    (add(values), ...);
    return bytes;
}

inline std::vector<std::byte> barPayload(std::uint64_t address, std::uint64_t value, std::uint32_t width,
                                         bool isMemory = true)
{
    return payloadOf(address, value, width, std::uint32_t{isMemory});
}

inline std::vector<std::byte> memoryPayload(const std::vector<qemu::MemoryRegion>& regions)
{
    std::array<std::uint64_t, 24> columns{};
    for (std::size_t i = 0; i < regions.size(); ++i) {
        columns.at(i) = regions[i].address;
        columns.at(8 + i) = regions[i].bytes;
        columns.at(16 + i) = regions[i].offset;
    }
    return payloadOf(columns);
}

} // namespace strobe::test
