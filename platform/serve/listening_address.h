#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where clients find a server: a Unix socket, or a port of the loopback interface; nothing else can be named. The
// socket is bound here and handed to the server program, so clients can connect before that has started.
//
//   /run/user/1000/drive.sock, ./drive   a path: anything with a slash. Only its user can connect
//   localhost:10809, 127.0.0.1:0, [::1]:10809   an address of this machine and a port; 0: any that is free
//
// Errors: ConfigError for an address that is not allowed or cannot be bound.

#include "platform/guest/socket.h"

#include <cstdint>
#include <string>

namespace strobe::platform::serve {

struct ListeningAddress {
    std::string path; // of a Unix socket; empty: TCP
    std::string host; // 127.0.0.1, ::1, …
    std::uint16_t port = 0;

    // `option` begins the messages.
    static ListeningAddress parse(const std::string& text, const std::string& option);
};

class ClientSocket {
public:
    ClientSocket(const ListeningAddress& address, const std::string& option);
    ~ClientSocket(); // removes the path
    ClientSocket(const ClientSocket&) = delete;
    ClientSocket& operator=(const ClientSocket&) = delete;

    int descriptor() const { return socket_.get(); }
    const std::string& path() const { return path_; } // of a Unix socket; empty: TCP
    std::string uri() const;                          // as NBD clients take it
    std::uint16_t port() const { return port_; }

private:
    void bindPath(const std::string& option);
    void bindPort(const ListeningAddress& address, const std::string& option);

    guest::FileDescriptor socket_;
    std::string path_;
    std::string host_;
    std::uint16_t port_ = 0;
};

} // namespace strobe::platform::serve
