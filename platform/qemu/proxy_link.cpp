// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/proxy_link.h"

namespace strobe::platform::qemu {

std::optional<ProxyLink::Received> ProxyLink::receive()
{
    Received received;
    std::array<std::byte, ProxyHeader::bytes> bytes{};
    if (!connection_.read(bytes.data(), bytes.size(), &received.files))
        return std::nullopt;
    try {
        const ProxyHeader header = decodeProxyHeader(bytes, received.files.size());
        std::array<std::byte, ProxyHeader::mostPayload> payload{};
        if (header.payload != 0)
            connection_.readRest(payload.data(), header.payload);
        received.message = decodeProxyMessage(header, payload.data(), received.files.size());
    } catch (const ProxyError& error) {
        refuse(error.what());
    }
    return received;
}

void ProxyLink::answer(std::uint64_t value)
{
    const ProxyAnswer answer = encodeProxyAnswer(value);
    connection_.write(answer.data(), answer.size());
}

} // namespace strobe::platform::qemu
