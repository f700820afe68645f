// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/private_directory.h"
#include "platform/serve/block_server.h"
#include "tests/modules/serve/recorded_link.h"
#include "tests/support/catch.h"

#include <cerrno>
#include <cstring>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::platform::serve;
using strobe::test::RecordedLink;

namespace {

constexpr std::uint64_t sectors = 1024;

struct Bench {
    guest::PrivateDirectory directory{"strobe-test-"};
    guest::ListeningSocket socket{directory.path() + "/plugin"};
    RecordedLink link;
    BlockHost host{8};
    std::vector<std::string> problems;
    std::optional<BlockServer> server;

    Bench()
    {
        host.connect(link);
        host.driveReady(sectors, 4, Time{});
        open({});
    }
    void open(const BlockServer::Allocation& allocation)
    {
        server.emplace(socket, host, allocation, nullptr,
                       [this](const std::string& what) { problems.push_back(what); });
    }
    guest::FileDescriptor connect()
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, socket.path().c_str(), socket.path().size() + 1);
        guest::FileDescriptor peer(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        REQUIRE(::connect(peer.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        serve();
        return peer;
    }
    void serve()
    {
        std::vector<pollfd> sources = server->sources();
        ::poll(sources.data(), sources.size(), 0);
        server->serve(sources, Time{1});
    }
    void send(const guest::FileDescriptor& peer, const strobe_nbd_request& request)
    {
        REQUIRE(::send(peer.get(), &request, sizeof request, MSG_NOSIGNAL) == sizeof request);
        serve();
    }
    std::size_t connections() const { return server->sources().size() - 1; }
};

// -1: there is none.
int errorAt(const guest::FileDescriptor& peer)
{
    strobe_nbd_reply reply{};
    return ::recv(peer.get(), &reply, sizeof reply, MSG_DONTWAIT) == sizeof reply ? static_cast<int>(reply.error) : -1;
}

} // namespace

TEST_CASE("a read is answered with its data when its command has ended")
{
    Bench bench;
    const guest::FileDescriptor peer = bench.connect();
    bench.send(peer, {STROBE_NBD_OPEN, 0, 0, 0});
    CHECK(errorAt(peer) == 0);
    bench.send(peer, {STROBE_NBD_READ, 0, 1024, 512});
    REQUIRE(bench.link.commands.size() == 1);
    CHECK(bench.link.commands[0].lba == 2);
    CHECK(errorAt(peer) == -1);
    std::vector<std::byte> sector(sectorBytes, std::byte{5});
    bench.host.takeReadData(bench.link.commands[0].slot, 0, 1, {sector.data(), DataMode::Bytes});
    bench.host.completed(bench.link.commands[0].slot, host::CommandStatus::Ok, Time{2});
    bench.server->answer();
    CHECK(errorAt(peer) == 0);
    std::vector<std::byte> got(sectorBytes);
    CHECK(::recv(peer.get(), got.data(), got.size(), MSG_DONTWAIT) == static_cast<ssize_t>(sectorBytes));
    CHECK(got == sector);
    CHECK(bench.server->counters().clients == 1);
}

TEST_CASE("a failed command is an error of its request, and so is a range outside the drive")
{
    Bench bench;
    const guest::FileDescriptor peer = bench.connect();
    bench.send(peer, {STROBE_NBD_FLUSH, 0, 0, 0});
    bench.host.completed(bench.link.commands[0].slot, host::CommandStatus::DeviceFault, Time{2});
    bench.server->answer();
    CHECK(errorAt(peer) == EIO);
    for (const strobe_nbd_request& request :
         {strobe_nbd_request{STROBE_NBD_READ, 0, sectors * 512, 512},
          strobe_nbd_request{STROBE_NBD_TRIM, 0, 512, ~std::uint64_t{511}},
          strobe_nbd_request{STROBE_NBD_ZERO, 0, 100, 512}, strobe_nbd_request{STROBE_NBD_EXTENTS, 0, 0, 0}}) {
        bench.send(peer, request);
        CHECK(errorAt(peer) == EINVAL);
    }
    CHECK(bench.link.commands.size() == 1);
    CHECK(bench.connections() == 1);
    bench.server->refuse();
    bench.send(peer, {STROBE_NBD_FLUSH, 0, 0, 0});
    CHECK(errorAt(peer) == ESHUTDOWN);
    CHECK(bench.server->counters().kinds[static_cast<std::size_t>(BlockKind::Flush)].failed == 2);
}

TEST_CASE("extents follow what was written")
{
    Bench bench;
    const guest::FileDescriptor peer = bench.connect();
    bench.send(peer, {STROBE_NBD_ZERO, 0, 4096, 4096});
    bench.host.completed(bench.link.commands[0].slot, host::CommandStatus::Ok, Time{2});
    bench.server->answer();
    CHECK(errorAt(peer) == 0);
    bench.send(peer, {STROBE_NBD_EXTENTS, 0, 0, 16384});
    strobe_nbd_reply reply{};
    REQUIRE(::recv(peer.get(), &reply, sizeof reply, MSG_DONTWAIT) == sizeof reply);
    REQUIRE(reply.extents == 3);
    strobe_nbd_extent extents[3]{};
    REQUIRE(::recv(peer.get(), extents, sizeof extents, MSG_DONTWAIT) == sizeof extents);
    CHECK(extents[0].is_hole == 1);
    CHECK(extents[1].bytes == 4096);
    CHECK(extents[1].is_hole == 0);
    CHECK(extents[2].bytes == 8192);
}

TEST_CASE("a message that the protocol does not allow ends its connection, and no other")
{
    Bench bench;
    const guest::FileDescriptor good = bench.connect();
    for (const auto& [request, problem] :
         {std::pair<strobe_nbd_request, std::string>{{99, 0, 0, 0}, "plugin: operation 99 is unknown"},
          {{STROBE_NBD_READ, 8, 0, 512}, "plugin: unknown flags"},
          {{STROBE_NBD_WRITE, 0, 0, std::uint64_t{1} << 40U},
           "plugin: a request of 1099511627776 bytes is too long"}}) {
        const guest::FileDescriptor bad = bench.connect();
        bench.send(bad, request);
        CHECK(bench.problems.back() == problem);
        CHECK(bench.connections() == 1);
    }
    bench.send(good, {STROBE_NBD_READ, 0, 0, 512});
    bench.send(good, {STROBE_NBD_READ, 0, 0, 512});
    CHECK(bench.problems.back() == "plugin: a request before the last one was answered");
    CHECK(bench.connections() == 0);
    bench.host.completed(bench.link.commands[0].slot, host::CommandStatus::Ok, Time{2});
    bench.server->answer(); // no client waits for it
    CHECK(bench.host.isIdle());
}

TEST_CASE("random messages end connections, never the server")
{
    Bench bench;
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        guest::FileDescriptor peer = bench.connect();
        std::vector<unsigned char> noise(random() % 200);
        for (unsigned char& byte : noise)
            byte = static_cast<unsigned char>(random() % (i % 2 == 0 ? 256 : 4));
        ::send(peer.get(), noise.data(), noise.size(), MSG_NOSIGNAL);
        peer = guest::FileDescriptor();
        for (int turn = 0; turn < 20 && bench.connections() != 0; ++turn) {
            bench.serve();
            while (bench.host.commands().count() != 0)
                bench.host.completed(bench.link.commands.back().slot, host::CommandStatus::Ok, Time{2});
            bench.server->answer();
        }
        CHECK(bench.connections() == 0);
    }
    CHECK_FALSE(bench.problems.empty());
}

namespace {
// Whether the first 4 KiB are a hole.
bool isHole(Bench& bench, const guest::FileDescriptor& peer)
{
    bench.send(peer, {STROBE_NBD_EXTENTS, STROBE_NBD_ONE, 0, 4096});
    strobe_nbd_reply reply{};
    strobe_nbd_extent extent{};
    REQUIRE(::recv(peer.get(), &reply, sizeof reply, 0) == sizeof reply);
    REQUIRE(reply.extents == 1);
    REQUIRE(::recv(peer.get(), &extent, sizeof extent, 0) == sizeof extent);
    return extent.is_hole != 0;
}

void write(Bench& bench, const guest::FileDescriptor& peer)
{
    const strobe_nbd_request request{STROBE_NBD_WRITE, 0, 0, 4096};
    const std::vector<std::byte> data(4096);
    REQUIRE(::send(peer.get(), &request, sizeof request, MSG_NOSIGNAL) == sizeof request);
    REQUIRE(::send(peer.get(), data.data(), data.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(data.size()));
    bench.serve();
}

void end(Bench& bench, std::size_t command)
{
    bench.host.completed(bench.link.commands[command].slot, host::CommandStatus::Ok, Time{2});
    bench.server->answer();
}
} // namespace

TEST_CASE("a trim makes a hole, but not if a write of the same sectors is in progress")
{
    const bool isTrimLast = GENERATE(false, true);
    Bench bench;
    const guest::FileDescriptor writer = bench.connect();
    const guest::FileDescriptor trimmer = bench.connect();
    write(bench, writer);
    end(bench, 0);
    CHECK(errorAt(writer) == 0);
    CHECK_FALSE(isHole(bench, writer));
    bench.send(trimmer, {STROBE_NBD_TRIM, 0, 0, 4096});
    write(bench, writer);
    REQUIRE(bench.link.commands.size() == 3);
    end(bench, isTrimLast ? 2 : 1);
    end(bench, isTrimLast ? 1 : 2);
    const guest::FileDescriptor reader = bench.connect();
    CHECK_FALSE(isHole(bench, reader));
    bench.send(reader, {STROBE_NBD_TRIM, 0, 0, 4096});
    end(bench, 3);
    CHECK(errorAt(reader) == 0);
    CHECK(isHole(bench, reader));
}

TEST_CASE("zeros are written, and trims make no holes, if trimmed sectors may keep their data")
{
    Bench bench;
    bench.open({8, false, false});
    const guest::FileDescriptor peer = bench.connect();
    bench.send(peer, {STROBE_NBD_ZERO, STROBE_NBD_MAY_TRIM, 0, 4096});
    REQUIRE(bench.link.commands.size() == 1);
    CHECK(bench.link.commands[0].kind == host::RequestKind::Write);
    end(bench, 0);
    CHECK(errorAt(peer) == 0);
    bench.send(peer, {STROBE_NBD_TRIM, 0, 0, 4096});
    end(bench, 1);
    CHECK(errorAt(peer) == 0);
    CHECK_FALSE(isHole(bench, peer));
}
