#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The connection to QEMU's x-pci-proxy-dev: whole messages (proxy_message.h) with the files of its memory. One end of
// a private pair of sockets. Errors: guest::ProtocolError.

#include "platform/guest/socket.h"
#include "platform/qemu/proxy_message.h"

#include <chrono>
#include <optional>
#include <vector>

namespace strobe::platform::qemu {

class ProxyLink {
public:
    struct Received {
        ProxyMessage message;
        std::vector<guest::FileDescriptor> files; // of its regions
    };

    explicit ProxyLink(guest::FileDescriptor socket, std::chrono::milliseconds patience = std::chrono::seconds(10))
        : connection_("pci proxy", std::move(socket), patience)
    {
    }

    std::optional<Received> receive(); // waits; nothing: QEMU has gone
    void answer(std::uint64_t value);
    void close() { connection_.close(); } // QEMU takes that as the end of its device
    int descriptor() const { return connection_.descriptor(); }
    [[noreturn]] void refuse(const std::string& what) const { connection_.refuse(what); }

private:
    guest::Connection connection_;
};

} // namespace strobe::platform::qemu
