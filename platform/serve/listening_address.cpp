// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/listening_address.h"

#include "models/base/config_error.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace strobe::platform::serve {

namespace {

constexpr const char* allowed = "must be the path of a Unix socket (with a slash), or localhost, 127.0.0.1 or [::1] "
                                "with a port, like localhost:10809";
constexpr int backlog = 128;

bool isLoopback(const std::string& host)
{
    in_addr v4{};
    if (::inet_pton(AF_INET, host.c_str(), &v4) == 1)
        return (ntohl(v4.s_addr) >> 24U) == 127;
    in6_addr v6{};
    return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

// Nothing but digits, at most 65,535; -1: it is not a port.
int portOf(const std::string& text)
{
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != std::string::npos)
        return -1;
    const int port = std::stoi(text);
    return port <= UINT16_MAX ? port : -1;
}

// In a URI only these stand for themselves.
std::string percentEncoded(const std::string& text)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || std::strchr("-._~/", c) != nullptr)
            encoded += c;
        else
            encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return encoded;
}

} // namespace

ListeningAddress ListeningAddress::parse(const std::string& text, const std::string& option)
{
    ListeningAddress address;
    if (text.find('/') != std::string::npos) {
        address.path = std::filesystem::absolute(text).string();
        if (address.path.size() >= sizeof(sockaddr_un::sun_path))
            throw ConfigError(option + ": " + address.path + ": the path of a socket has at most " +
                              std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " characters, this has " +
                              std::to_string(address.path.size()));
        return address;
    }
    const std::size_t colon = text.rfind(':');
    std::string host = text.substr(0, colon == std::string::npos ? 0 : colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string::npos)
        host.clear();
    if (host == "localhost")
        host = "127.0.0.1";
    const int port = colon == std::string::npos ? -1 : portOf(text.substr(colon + 1));
    if (port < 0 || !isLoopback(host))
        throw ConfigError(option + ": " + text + ": " + allowed);
    address.host = host;
    address.port = static_cast<std::uint16_t>(port);
    return address;
}

ClientSocket::ClientSocket(const ListeningAddress& address, const std::string& option)
    : path_(address.path), host_(address.host)
{
    if (path_.empty())
        bindPort(address, option);
    else
        bindPath(option);
}

ClientSocket::~ClientSocket()
{
    if (!path_.empty())
        ::unlink(path_.c_str());
}

void ClientSocket::bindPath(const std::string& option)
{
    const std::string path = std::exchange(path_, {}); // not ours before it is bound
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    socket_ = guest::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const mode_t mask = ::umask(0077); // only for this user
    const bool isBound = ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int error = errno;
    ::umask(mask);
    if (!isBound)
        throw ConfigError(option + ": " + path + ": " +
                          (error == EADDRINUSE ? "there is a file or socket already; remove it or choose another path"
                                               : std::strerror(error)));
    path_ = path;
    if (::listen(socket_.get(), backlog) != 0) {
        const int reason = errno;
        ::unlink(path.c_str());
        throw ConfigError(option + ": " + path + ": " + std::strerror(reason));
    }
}

void ClientSocket::bindPort(const ListeningAddress& address, const std::string& option)
{
    sockaddr_storage storage{};
    socklen_t length = sizeof(sockaddr_in);
    auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
    auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
    if (::inet_pton(AF_INET, host_.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(address.port);
    } else {
        ::inet_pton(AF_INET6, host_.c_str(), &v6.sin6_addr);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(address.port);
        length = sizeof(sockaddr_in6);
    }
    socket_ = guest::FileDescriptor(::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    auto* const bound = reinterpret_cast<sockaddr*>(&storage);
    if (::bind(socket_.get(), bound, length) != 0 || ::listen(socket_.get(), backlog) != 0 ||
        ::getsockname(socket_.get(), bound, &length) != 0) {
        const int error = errno;
        throw ConfigError(option + ": port " + std::to_string(address.port) + " of " + host_ + ": " +
                          (error == EADDRINUSE ? "another program uses it; choose another, or 0 for any that is free"
                                               : std::strerror(error)));
    }
    port_ = ntohs(storage.ss_family == AF_INET ? v4.sin_port : v6.sin6_port);
}

std::string ClientSocket::uri() const
{
    if (!path_.empty())
        return "nbd+unix:///?socket=" + percentEncoded(path_);
    const bool isV6 = host_.find(':') != std::string::npos;
    return "nbd://" + (isV6 ? "[" + host_ + "]" : host_) + ":" + std::to_string(port_);
}

} // namespace strobe::platform::serve
