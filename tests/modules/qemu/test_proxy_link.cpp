// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/proxy_link.h"
#include "tests/modules/guest/guest_peer.h"
#include "tests/modules/qemu/proxy_bytes.h"
#include "tests/support/catch.h"

#include <fcntl.h>

using namespace strobe;
using namespace strobe::test;
using namespace std::chrono_literals;
using strobe::platform::qemu::ProxyCommand;
using strobe::platform::qemu::ProxyLink;

namespace {

struct Ends {
    Pair peer; // of which only the descriptor is used
    ProxyLink link;

    explicit Ends(std::chrono::milliseconds patience = 10s) : link(serveEnd(), patience) {}
    void send(std::int32_t command, const std::vector<std::byte>& payload,
              const std::vector<int>& descriptors = {}) const
    {
        const auto header = proxyHeader(command, payload.size());
        peer.sendBytes(header.data(), header.size(), descriptors);
        if (!payload.empty())
            peer.sendBytes(payload.data(), payload.size());
    }
    std::string refusal()
    {
        try {
            link.receive();
        } catch (const guest::ProtocolError& error) {
            return error.what();
        }
        return "none";
    }

private:
    guest::FileDescriptor serveEnd()
    {
        int ends[2] = {-1, -1};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        peer.peer = guest::FileDescriptor(ends[1]);
        return guest::FileDescriptor(ends[0]);
    }
};

} // namespace

TEST_CASE("a message, and its answer")
{
    Ends ends;
    ends.send(5, barPayload(0xE0000000, 0, 4));
    const auto received = ends.link.receive();
    REQUIRE(received);
    CHECK(received->message.command == ProxyCommand::ReadBar);
    ends.link.answer(42);
    struct Answer {
        std::uint64_t command;
        std::uint64_t payload;
        std::uint64_t value;
    };
    CHECK(ends.peer.receive<Answer>().value == 42);
}

TEST_CASE("memory comes with the files of its regions")
{
    Ends ends;
    const SharedFile file(8192);
    ends.send(0, memoryPayload({{0, 4096, 0}, {4096, 4096, 4096}}), {file.file.get(), file.file.get()});
    const auto received = ends.link.receive();
    REQUIRE(received);
    CHECK(received->files.size() == 2);
    CHECK(::fcntl(received->files[1].get(), F_GETFD) == FD_CLOEXEC);
}

TEST_CASE("the end of the peer between messages")
{
    Ends ends;
    ends.peer.hangUp();
    CHECK_FALSE(ends.link.receive());
}

TEST_CASE("a message that ends within its header or its contents")
{
    Ends inHeader;
    inHeader.peer.sendBytes("1234567", 7);
    inHeader.peer.hangUp();
    CHECK(inHeader.refusal() == "pci proxy: the peer has gone within a message");

    Ends inContents;
    const auto header = proxyHeader(4, 24);
    inContents.peer.sendBytes(header.data(), header.size());
    inContents.peer.hangUp();
    CHECK(inContents.refusal() == "pci proxy: the peer has gone within a message");

    Ends silent(1ms);
    silent.peer.sendBytes(header.data(), header.size());
    CHECK(silent.refusal() == "pci proxy: half a message came, and no more within 1 ms");
}

TEST_CASE("a message that is not allowed names the connection")
{
    Ends ends;
    ends.send(9, {});
    CHECK(ends.refusal() == "pci proxy: command 9; must be 0 or 2 to 7");
}

TEST_CASE("more descriptors than a message can have")
{
    Ends ends;
    const SharedFile file(4096);
    const int one = file.file.get();
    ends.send(7, {}, {one, one, one, one, one, one, one, one});
    CHECK(ends.refusal() == "pci proxy: reset: 8 descriptors; must be 0");
}
