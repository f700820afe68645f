#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The other end of a guest front's connection: raw bytes on a socket pair, and memory in a file that can be shared.

#include "platform/guest/socket.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace strobe::test {

namespace guest = platform::guest;

struct Pair {
    guest::Connection served;
    guest::FileDescriptor peer;

    explicit Pair(const char* name = "peer", std::chrono::milliseconds patience = std::chrono::seconds(10))
    {
        int ends[2] = {-1, -1};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
            served = guest::Connection(name, guest::FileDescriptor(ends[0]), patience);
            peer = guest::FileDescriptor(ends[1]);
        }
    }
    template <class Message>
    void send(const Message& message) const
    {
        sendBytes(&message, sizeof message);
    }
    void sendBytes(const void* bytes, std::size_t count, const std::vector<int>& descriptors = {}) const
    {
        alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
        iovec part{const_cast<void*>(bytes), count};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        if (!descriptors.empty()) {
            header.msg_control = control;
            header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
            cmsghdr* rights = CMSG_FIRSTHDR(&header);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
            std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size() * sizeof(int));
        }
        ::sendmsg(peer.get(), &header, MSG_NOSIGNAL);
    }
    template <class Message>
    Message receive() const
    {
        Message message{};
        if (::recv(peer.get(), &message, sizeof message, MSG_DONTWAIT) != sizeof message)
            throw std::runtime_error("no such message has come");
        return message;
    }
    bool isSilent() const
    {
        char byte = 0;
        return ::recv(peer.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0;
    }
    void hangUp() { peer = guest::FileDescriptor(); }
};

struct SharedFile {
    guest::FileDescriptor file;
    std::uint64_t bytes;
    std::byte* data;

    explicit SharedFile(std::uint64_t size) : file(::memfd_create("guest", MFD_CLOEXEC)), bytes(size)
    {
        static_cast<void>(::ftruncate(file.get(), static_cast<off_t>(size)));
        data = static_cast<std::byte*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
    }
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;
    ~SharedFile() { ::munmap(data, bytes); }

    template <class Value>
    void put(std::uint64_t offset, Value value)
    {
        std::memcpy(data + offset, &value, sizeof value);
    }
    template <class Value>
    Value get(std::uint64_t offset) const
    {
        Value value{};
        std::memcpy(&value, data + offset, sizeof value);
        return value;
    }
};

} // namespace strobe::test
