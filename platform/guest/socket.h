#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Unix stream sockets of the guest front, with file descriptors as ancillary data. Blocking; what follows the first
// byte of a message must come within a limit of host time, so that an incomplete message cannot block the program.
//
// Errors: ProtocolError for what a peer does wrong, with the name of the connection; ConfigError for a socket that
// cannot be made.

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strobe::platform::guest {

// The peer of a connection has sent what its protocol does not allow, or has gone within a message. The connection
// must not be used any more.
class ProtocolError : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor();

    int get() const { return number_; }
    bool isOpen() const { return number_ >= 0; }

private:
    int number_ = -1;
};

class Connection {
public:
    Connection() = default; // not open
    // `patience`: how long the next bytes of a message may take, in either direction.
    Connection(std::string name, FileDescriptor socket, std::chrono::milliseconds patience = std::chrono::seconds(10))
        : name_(std::move(name)), socket_(std::move(socket)), patience_(patience)
    {
        limitWriting();
    }

    // Waits for the first byte, then reads all of them; descriptors that come with them are appended to `received`.
    // False: the peer closed the connection before the first byte.
    bool read(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received = nullptr);
    // Further bytes of a message that has begun.
    void readRest(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received = nullptr);
    void write(const void* source, std::size_t bytes); // a peer that has gone is noticed by the next read
    void close() { socket_ = FileDescriptor(); }

    bool isOpen() const { return socket_.isOpen(); }
    int descriptor() const { return socket_.get(); }
    [[noreturn]] void refuse(const std::string& what) const; // ProtocolError with the connection's name

private:
    void limitWriting() const; // to the patience
    bool receive(void* destination, std::size_t bytes, std::vector<FileDescriptor>* received, bool hasBegun);

    std::string name_;
    FileDescriptor socket_;
    std::chrono::milliseconds patience_{};
};

class ListeningSocket {
public:
    // REQUIRES: nothing exists at `path`. It is removed by the destructor.
    explicit ListeningSocket(std::string path);
    ~ListeningSocket();
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;

    Connection accept(const std::string& name) const; // waits for a peer
    const std::string& path() const { return path_; }
    int descriptor() const { return socket_.get(); }

private:
    std::string path_;
    FileDescriptor socket_;
};

} // namespace strobe::platform::guest
