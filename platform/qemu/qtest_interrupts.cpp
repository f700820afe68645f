// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qtest_interrupts.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace strobe::platform::qemu {

namespace {

constexpr std::size_t longestLine = 256;

[[noreturn]] void refuseAnswer(const std::string& what)
{
    throw guest::ProtocolError("qtest: " + what);
}

} // namespace

QtestInterrupts::QtestInterrupts(guest::FileDescriptor socket) : socket_(std::move(socket))
{
    ::fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
}

void QtestInterrupts::send(std::uint64_t address, std::uint32_t data)
{
    waiting_ += fmt::format("writel {:#x} {:#x}\n", address, data);
    ++sent_;
    write();
}

bool QtestInterrupts::serve()
{
    return write() && read();
}

bool QtestInterrupts::write()
{
    while (!waiting_.empty()) {
        const ssize_t sent = ::send(socket_.get(), waiting_.data(), waiting_.size(), MSG_NOSIGNAL);
        if (sent >= 0)
            waiting_.erase(0, static_cast<std::size_t>(sent));
        else if (errno == EAGAIN)
            return true;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool QtestInterrupts::read()
{
    for (;;) {
        std::array<char, 4096> part{};
        const ssize_t got = ::recv(socket_.get(), part.data(), part.size(), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return true;
        if (got <= 0)
            return false;
        received_.append(part.data(), static_cast<std::size_t>(got));
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = received_.find('\n', begin)) != std::string::npos; begin = end + 1)
            take(std::string_view(received_).substr(begin, end - begin));
        received_.erase(0, begin);
        if (received_.size() > longestLine)
            refuseAnswer(fmt::format("a line of more than {} characters", longestLine));
    }
}

void QtestInterrupts::take(std::string_view line)
{
    if (line != "OK")
        refuseAnswer(fmt::format("the answer \"{:.{}}\" to an interrupt; must be \"OK\"", line, longestLine));
    if (unanswered() == 0)
        refuseAnswer("an answer without an interrupt");
    ++taken_;
}

} // namespace strobe::platform::qemu
