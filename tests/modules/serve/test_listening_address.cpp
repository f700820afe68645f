// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/guest/private_directory.h"
#include "platform/serve/listening_address.h"
#include "tests/support/catch.h"

#include <filesystem>
#include <fstream>

using namespace strobe;
using namespace strobe::platform::serve;

namespace {

std::string errorOf(const std::string& text)
{
    try {
        ListeningAddress::parse(text, "--listen");
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

std::string errorOf(const ListeningAddress& address)
{
    try {
        const ClientSocket socket(address, "--listen");
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("only this machine can be named")
{
    for (const char* text : {"localhost:10809", "127.0.0.1:0", "127.1.2.3:65535", "[::1]:80", "./drive"})
        CHECK(errorOf(text).empty());
    for (const char* text : {"0.0.0.0:10809", "192.168.1.1:1", "[::]:1", "::1:1", "example.org:1", ":10809",
                             "localhost", "localhost:", "localhost:65536", "localhost:1x", "", "[]:1"})
        CHECK(errorOf(text).find(std::string("--listen: ") + text + ": must be the path of a Unix socket") == 0);
    CHECK(errorOf("/" + std::string(200, 'x')).find("has at most 107 characters, this has 201") != std::string::npos);
}

TEST_CASE("a Unix socket is its user's, and goes with its server; what is there already stays")
{
    const platform::guest::PrivateDirectory directory("strobe-test-");
    const std::string path = directory.path() + "/a drive";
    const ListeningAddress address = ListeningAddress::parse(path, "--listen");
    {
        const ClientSocket socket(address, "--listen");
        CHECK(socket.uri() == "nbd+unix:///?socket=" + directory.path() + "/a%20drive");
        CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::all) ==
              (std::filesystem::perms::owner_all));
        CHECK(errorOf(address).find("there is a file or socket already") != std::string::npos);
        CHECK(std::filesystem::exists(path));
    }
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("port 0 is any free one, which another server cannot have")
{
    const ClientSocket socket(ListeningAddress::parse("localhost:0", "--listen"), "--listen");
    REQUIRE(socket.port() != 0);
    const std::string port = std::to_string(socket.port());
    CHECK(socket.uri() == "nbd://127.0.0.1:" + port);
    CHECK(errorOf(ListeningAddress::parse("127.0.0.1:" + port, "--listen")) ==
          "--listen: port " + port +
              " of 127.0.0.1: another program uses it; choose another, or 0 for any that is free");
}
