// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/gdb_server.h"

#include "models/base/config_error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace strobe::cpu {

namespace {

bool isReadable(int file, int milliseconds)
{
    pollfd entry{file, POLLIN, 0};
    return ::poll(&entry, 1, milliseconds) > 0;
}

constexpr int patience = 100; // ms between two polls of givenUp

} // namespace

GdbServer::GdbServer(DebugTarget& target, std::uint16_t port, std::function<bool()> givenUp)
    : givenUp_(std::move(givenUp)), session_(target)
{
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    auto* generic = reinterpret_cast<sockaddr*>(&address); // NOLINT: how sockets are called
    socklen_t size = sizeof address;
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 1) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
        const std::string reason = std::strerror(errno);
        if (listener_ >= 0)
            ::close(listener_);
        throw ConfigError("port " + std::to_string(port) + " of the debugger cannot be opened: " + reason +
                          "; 0 takes a free one");
    }
    port_ = ntohs(address.sin_port);
}

GdbServer::~GdbServer()
{
    disconnect();
    ::close(listener_);
}

bool GdbServer::waitForDebugger()
{
    while (connection_ < 0 && !givenUp_()) {
        if (isReadable(listener_, patience))
            accept();
    }
    return connection_ >= 0;
}

std::optional<Halt::Reason> GdbServer::poll()
{
    if (isKilled_)
        return std::nullopt;
    if (connection_ < 0) {
        if (isReadable(listener_, 0) && accept())
            return Halt::Reason::Attached;
        return std::nullopt;
    }
    if (!isReadable(connection_, 0) || !receive(0))
        return std::nullopt;
    while (const auto frame = reader_.next()) {
        if (frame->kind == GdbFrame::Kind::Interrupt)
            return Halt::Reason::Interrupted;
    }
    return std::nullopt;
}

void GdbServer::halted(const Halt& halt)
{
    isStepping_ = false;
    if (connection_ < 0 || isKilled_)
        return;
    session_.halted(halt);
    if (!halt.text.empty())
        send(GdbSession::output(halt.text + "\n"));
    if (halt.reason != Halt::Reason::Attached) // a debugger that attaches asks
        send(session_.stopReply());
    serve();
}

void GdbServer::ended(int exitCode)
{
    if (connection_ < 0)
        return;
    send(GdbSession::exited(exitCode));
    disconnect();
}

void GdbServer::serve()
{
    while (connection_ >= 0) {
        const auto frame = reader_.next();
        if (!frame) {
            if (givenUp_()) {
                isKilled_ = true;
                return;
            }
            receive(patience);
            continue;
        }
        if (frame->kind == GdbFrame::Kind::Interrupt)
            continue; // they are already stopped
        if (session_.acknowledges()) {
            const char sign = frame->kind == GdbFrame::Kind::Damaged ? '-' : '+';
            static_cast<void>(::send(connection_, &sign, 1, MSG_NOSIGNAL));
        }
        if (frame->kind == GdbFrame::Kind::Damaged)
            continue;
        const GdbSession::Answer answer = session_.handle(frame->payload);
        if (answer.payload)
            send(*answer.payload);
        switch (answer.resume) {
        case GdbSession::Resume::Stay: break;
        case GdbSession::Resume::Step: isStepping_ = true; return;
        case GdbSession::Resume::Run: return;
        case GdbSession::Resume::StepBack: goBack(GdbHistory::Way::Step); break;
        case GdbSession::Resume::RunBack: goBack(GdbHistory::Way::Continue); break;
        case GdbSession::Resume::Reset: goBack(GdbHistory::Way::Begin); break;
        case GdbSession::Resume::Snapshot:
            if (const auto text = history_->snapshot(answer.name))
                send(toHex(*text));
            else
                return;
            break;
        case GdbSession::Resume::Restore: send(toHex(history_->restore(answer.name))); break;
        case GdbSession::Resume::Detach: disconnect(); return;
        case GdbSession::Resume::Kill:
            isKilled_ = true;
            disconnect();
            return;
        }
    }
}

void GdbServer::goBack(GdbHistory::Way way)
{
    if (history_ != nullptr)
        history_->goBack(way, session_.hart());
    const auto why = way == GdbHistory::Way::Begin ? Halt::Reason::Reset : Halt::Reason::Begin;
    session_.halted({why, session_.hart(), {}});
    send(session_.stopReply());
}

bool GdbServer::accept()
{
    connection_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection_ < 0)
        return false;
    const int yes = 1;
    ::setsockopt(connection_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    reader_ = {};
    session_.restart();
    return true;
}

bool GdbServer::receive(int milliseconds)
{
    if (!isReadable(connection_, milliseconds))
        return false;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::recv(connection_, bytes.data(), bytes.size(), 0);
    if (count > 0) {
        reader_.take({bytes.data(), static_cast<std::size_t>(count)});
        return true;
    }
    if (count == 0 || errno != EINTR)
        disconnect();
    return false;
}

void GdbServer::send(std::string_view payload)
{
    const std::string frame = gdbFrame(payload);
    std::size_t sent = 0;
    while (sent < frame.size() && connection_ >= 0) {
        const ssize_t count = ::send(connection_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
        if (count > 0)
            sent += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            disconnect();
    }
}

void GdbServer::disconnect()
{
    if (connection_ >= 0) {
        ::shutdown(connection_, SHUT_RDWR); // copies of this process may have it, too
        ::close(connection_);
    }
    connection_ = -1;
    if (history_ != nullptr)
        history_->end();
    isStepping_ = false;
    session_.forgetBreakpoints();
}

} // namespace strobe::cpu
