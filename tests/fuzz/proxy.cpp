// SPDX-License-Identifier: Apache-2.0
//
// Messages of QEMU's proxy device. Input: the number of descriptors in one byte, then header and contents.
#include "platform/qemu/proxy_message.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstring>

using namespace strobe;
using namespace strobe::platform::qemu;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::array<std::byte, ProxyHeader::bytes> header{};
    std::array<std::byte, ProxyHeader::mostPayload> payload{};
    if (size <= header.size())
        return 0;
    const std::size_t descriptors = data[0];
    std::memcpy(header.data(), data + 1, header.size());
    std::memcpy(payload.data(), data + 1 + header.size(), std::min(size - 1 - header.size(), payload.size()));
    try {
        const ProxyHeader decoded = decodeProxyHeader(header, descriptors);
        const ProxyMessage message = decodeProxyMessage(decoded, payload.data(), descriptors);
        if (message.regions.size() > 8 || message.bytes > 8)
            __builtin_trap();
    } catch (const ProxyError&) { // as it should be
    }
    return 0;
}
