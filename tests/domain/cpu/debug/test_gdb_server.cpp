// SPDX-License-Identifier: Apache-2.0
#include "guest_target.h"
#include "models/base/config_error.h"
#include "models/cpu/debug/gdb_server.h"
#include "tests/support/catch.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;

namespace {

// The debugger's side of the socket.
class Client {
public:
    explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        isConnected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0; // NOLINT
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    bool isConnected() const { return isConnected_; }
    void send(std::string_view bytes) const { static_cast<void>(::send(socket_, bytes.data(), bytes.size(), 0)); }
    void packet(std::string_view payload) const { send(gdbFrame(payload)); }
    std::string answer() // the next packet's payload; empty: the other side has gone
    {
        for (;;) {
            if (const auto frame = reader_.next())
                return frame->payload;
            char bytes[256];
            const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
            if (count <= 0)
                return "";
            reader_.take({bytes, static_cast<std::size_t>(count)});
        }
    }
    std::string ask(std::string_view payload)
    {
        packet(payload);
        return answer();
    }

private:
    int socket_;
    bool isConnected_ = false;
    GdbFrameReader reader_;
};

struct Served {
    test::GuestTarget target{{addi(a0, a0, 1), jal(zero, -4)}};
    GdbServer server{target, 0, [] { return false; }};

    void attach()
    {
        CHECK(server.waitForDebugger());
        server.halted({Halt::Reason::Attached, 0, {}});
    }
    // As a hart's module does: slices until the debugger ends the run.
    void runSlices()
    {
        attach();
        while (!server.isKilled()) {
            const bool steps = server.isStepping(0);
            const rv32::Stop stop = target.core(0).run(steps ? 1 : 1000);
            if (steps)
                server.halted({Halt::Reason::Stepped, 0, {}});
            else if (stop == rv32::Stop::Breakpoint)
                server.halted({Halt::Reason::Breakpoint, 0, {}});
            else if (const auto why = server.poll())
                server.halted({*why, 0, {}});
        }
    }
};

} // namespace

TEST_CASE("a debugger attaches, steps, breaks, interrupts and ends the run")
{
    Served s;
    std::string read;
    std::thread debugger([&] {
        Client client(s.server.port());
        REQUIRE(client.isConnected());
        CHECK(client.ask("?") == "T05thread:1;");
        CHECK(client.ask("pa") == "00000000"); // not one instruction yet
        CHECK(client.ask("s") == "T05thread:1;");
        CHECK(client.ask("pa") == "01000000");
        CHECK(client.ask("Z0,80000000,4") == "OK");
        CHECK(client.ask("c") == "T05thread:1;hwbreak:;");
        CHECK(client.ask("p20") == "00000080");
        CHECK(client.ask("z0,80000000,4") == "OK");
        client.packet("c");
        client.send("\x03");
        CHECK(client.answer() == "T02thread:1;");
        client.packet("k");
    });
    s.runSlices();
    debugger.join();
    CHECK(s.server.isKilled());
}

TEST_CASE("breakpoints of a debugger that disconnects are removed, and the next one may connect")
{
    Served s;
    std::thread debugger([&] {
        {
            Client first(s.server.port());
            CHECK(first.ask("Z0,80000000,4") == "OK");
            CHECK(first.ask("c").find("hwbreak") != std::string::npos);
        }
        Client second(s.server.port());
        CHECK(second.ask("?") == "T05thread:1;");
        second.packet("c");
        second.send("\x03");
        CHECK(second.answer() == "T02thread:1;"); // no breakpoint stopped it
        CHECK(second.ask("D") == "OK");
        Client third(s.server.port());
        CHECK(third.ask("?") == "T05thread:1;");
        third.packet("k");
    });
    s.runSlices();
    debugger.join();
}

TEST_CASE("the end of the run is reported, and damaged packets are requested again")
{
    Served s;
    std::thread debugger([&] {
        Client client(s.server.port());
        client.send("$?#00");
        CHECK(client.ask("?") == "T05thread:1;");
        client.packet("c");
        CHECK(client.answer() == "W01");
        CHECK(client.answer() == ""); // closed
    });
    s.attach();
    s.server.ended(1);
    debugger.join();
}

TEST_CASE("waiting for a debugger can be cancelled, and a port that is taken is refused with advice")
{
    test::GuestTarget target({jal(zero, 0)});
    int asked = 0;
    GdbServer server(target, 0, [&] { return ++asked > 2; });
    CHECK_FALSE(server.waitForDebugger());
    CHECK(asked == 3);
    try {
        const GdbServer second(target, server.port(), [] { return true; });
        FAIL("two servers on one port");
    } catch (const ConfigError& error) {
        CHECK(std::string(error.what())
                  .find("port " + std::to_string(server.port()) +
                        " of the debugger cannot be opened: Address already in use") == 0);
    }
}
