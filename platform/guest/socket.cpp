// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/socket.h"

#include "models/base/config_error.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace strobe::platform::guest {

namespace {

constexpr std::size_t mostDescriptors = 8;

void takeDescriptors(const msghdr& header, std::vector<FileDescriptor>* received)
{
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr;
         part = CMSG_NXTHDR(const_cast<msghdr*>(&header), part)) { // NOLINT(cppcoreguidelines-pro-type-const-cast)
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(part) + i * sizeof number, sizeof number);
            FileDescriptor one(number); // closed if it is not passed on
            if (received != nullptr)
                received->push_back(std::move(one));
        }
    }
}

} // namespace

FileDescriptor::~FileDescriptor()
{
    if (isOpen())
        ::close(number_);
}

void Connection::refuse(const std::string& what) const
{
    throw ProtocolError(name_ + ": " + what);
}

bool Connection::read(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received)
{
    return receive(destination, bytes, received, false);
}

void Connection::readRest(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received)
{
    receive(destination, bytes, received, true);
}

bool Connection::receive(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received, bool hasBegun)
{
    for (std::size_t done = 0; done < bytes;) {
        if (hasBegun || done != 0) {
            pollfd waiting{socket_.get(), POLLIN, 0};
            const int ready = ::poll(&waiting, 1, static_cast<int>(patience_.count()));
            if (ready < 0 && errno == EINTR)
                continue;
            if (ready == 0)
                refuse("half a message came, and no more within " + std::to_string(patience_.count()) + " ms");
        }
        alignas(cmsghdr) std::byte control[CMSG_SPACE(mostDescriptors * sizeof(int))];
        iovec part{static_cast<std::byte*>(destination) + done, bytes - done};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        const ssize_t got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno != ECONNRESET)
            refuse(std::strerror(errno));
        if (got <= 0 && done == 0 && !hasBegun)
            return false;
        if (got <= 0)
            refuse("the peer has gone within a message");
        takeDescriptors(header, received);
        if ((header.msg_flags & MSG_CTRUNC) != 0)
            refuse("more than " + std::to_string(mostDescriptors) + " descriptors with a message");
        done += static_cast<std::size_t>(got);
    }
    return true;
}

void Connection::limitWriting() const
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience_);
    const timeval limit{seconds.count(), std::chrono::microseconds(patience_ - seconds).count()};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

void Connection::write(const void* source, std::size_t bytes)
{
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t sent =
            ::send(socket_.get(), static_cast<const std::byte*>(source) + done, bytes - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) { // the peer has gone, or takes nothing any more
            ::shutdown(socket_.get(), SHUT_RDWR);
            return;
        }
        done += static_cast<std::size_t>(sent);
    }
}

ListeningSocket::ListeningSocket(std::string path) : path_(std::move(path))
{
    const auto fail = [this](const char* what) { throw ConfigError(path_ + ": the socket cannot be made: " + what); };
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path_.size() >= sizeof address.sun_path)
        fail("the path is too long; TMPDIR may name a shorter directory");
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    socket_ = FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket_.isOpen() || ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket_.get(), 1) != 0)
        fail(std::strerror(errno));
}

ListeningSocket::~ListeningSocket()
{
    ::unlink(path_.c_str());
}

Connection ListeningSocket::accept(const std::string& name) const
{
    int number = -1;
    do
        number = ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    while (number < 0 && errno == EINTR);
    if (number < 0)
        throw ConfigError(path_ + ": " + std::strerror(errno));
    return {name, FileDescriptor(number)};
}

} // namespace strobe::platform::guest
