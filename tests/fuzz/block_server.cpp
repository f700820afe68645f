// SPDX-License-Identifier: Apache-2.0
//
// Requests of nbdkit's plugin, or of something else that found its socket, on two connections. Input: actions.
#include "platform/serve/block_server.h"
#include "platform/guest/private_directory.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/values.h"
#include "tests/modules/serve/recorded_link.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemc>

using namespace strobe;
using namespace strobe::fuzz;
using namespace strobe::platform;
using namespace strobe::platform::serve;

namespace {

constexpr std::uint64_t driveSectors = 128; // whose data a socket takes at once

class Clients {
public:
    explicit Clients(const guest::ListeningSocket& socket) : socket_(socket)
    {
        host_.connect(link_);
        host_.driveReady(driveSectors, 4, Time{});
        server_.emplace(socket, host_, BlockServer::Allocation{}, nullptr, [](const std::string&) {});
    }
    void act(Values& input)
    {
        const unsigned what = input.byte();
        guest::FileDescriptor& peer = peers_[what >> 4U & 1U];
        if (!peer.isOpen())
            connect(peer);
        switch (what % 8) {
        case 0: end(input); break;
        case 1: peer = guest::FileDescriptor(); break;
        case 2: sendSome(peer, input); break;
        default: request(peer, input); break;
        }
        serve();
        drain();
    }

private:
    void connect(guest::FileDescriptor& peer)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, socket_.path().c_str(), socket_.path().size() + 1);
        peer = guest::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        static_cast<void>(::connect(peer.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
        serve();
    }
    // Whole requests; the data of a write is too short at times, and then the rest never comes.
    static void request(guest::FileDescriptor& peer, Values& input)
    {
        strobe_nbd_request request{};
        request.operation = static_cast<std::uint32_t>(input.usualOr({1, 2, 3, 4, 5, 6, 7, 0}, 4));
        request.flags = static_cast<std::uint32_t>(input.usualOr({0, 1, 2, 4}, 4));
        request.offset = input.usualOr({0, 512, 4096, driveSectors * 512 - 512, driveSectors * 512, 100}, 8);
        request.bytes = input.usualOr({512, 4096, 0, driveSectors * 512, 4096 + 1, ~std::uint64_t{511}}, 8);
        ::send(peer.get(), &request, sizeof request, MSG_NOSIGNAL);
        if (request.operation != STROBE_NBD_WRITE || request.bytes > STROBE_NBD_MOST_BYTES)
            return;
        constexpr std::uint64_t most = 8192; // what the socket takes at once
        const std::vector<std::byte> data(std::min(request.bytes, most), std::byte{input.byte()});
        ::send(peer.get(), data.data(), data.size(), MSG_NOSIGNAL);
        if (data.size() < request.bytes)
            ::shutdown(peer.get(), SHUT_WR);
    }
    static void sendSome(guest::FileDescriptor& peer, Values& input)
    {
        std::array<std::uint8_t, 40> bytes{};
        const std::size_t count = 1 + input.byte() % bytes.size();
        std::generate_n(bytes.begin(), count, [&input] { return input.byte(); });
        ::send(peer.get(), bytes.data(), count, MSG_NOSIGNAL);
        ::shutdown(peer.get(), SHUT_WR); // whatever would follow never comes
    }
    // A command of the drive ends.
    void end(Values& input)
    {
        if (ended_ == link_.commands.size())
            return;
        const host::Command& command = link_.commands[ended_++];
        host_.completed(command.slot,
                        input.byte() % 4 == 0 ? host::CommandStatus::DeviceFault : host::CommandStatus::Ok, Time{2});
        server_->answer();
    }
    void serve()
    {
        std::vector<pollfd> sources = server_->sources();
        ::poll(sources.data(), sources.size(), 0);
        server_->serve(sources, Time{1});
    }
    void drain()
    {
        std::array<char, 65536> answers{};
        for (const guest::FileDescriptor& peer : peers_) {
            while (peer.isOpen() && ::recv(peer.get(), answers.data(), answers.size(), MSG_DONTWAIT) > 0) {
            }
        }
    }

    const guest::ListeningSocket& socket_;
    test::RecordedLink link_;
    BlockHost host_{8};
    std::optional<BlockServer> server_;
    std::array<guest::FileDescriptor, 2> peers_;
    std::size_t ended_ = 0;
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const guest::PrivateDirectory directory("strobe-fuzz-");
    const guest::ListeningSocket socket(directory.path() + "/plugin");
    Clients clients(socket);
    Values input(data, size);
    constexpr int mostActions = 300;
    for (int i = 0; i < mostActions && !input.isOver(); ++i)
        clients.act(input);
    return 0;
}

// SystemC's shared library refers to it; nothing is simulated here.
int sc_main(int, char*[])
{
    return 0;
}
