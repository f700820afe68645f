// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "platform/assembly/child_process.h"
#include "tests/support/catch.h"

#include <csignal>
#include <unistd.h>

using namespace strobe;
using namespace strobe::platform;

namespace {

using Works = std::vector<std::function<std::string()>>;

[[noreturn]] std::string sleepForEver()
{
    for (;;)
        ::pause();
}

} // namespace

TEST_CASE("an exception of a child is rethrown in the parent with its type")
{
    CHECK(inChild([] { return std::string("text"); }) == "text");
    CHECK_THROWS_AS(inChild([]() -> std::string { throw ConfigError("a mistake"); }), ConfigError);
    CHECK_THROWS_AS(inChild([]() -> std::string { throw cpu::FirmwareFault("a panic"); }), cpu::FirmwareFault);
    CHECK_THROWS_AS(inChild([]() -> std::string { throw InternalError("a bug"); }), InternalError);
    try {
        inChild([]() -> std::string { throw cpu::FirmwareFault("a panic"); });
    } catch (const cpu::FirmwareFault& fault) {
        CHECK(std::string(fault.what()) == "a panic");
    }
}

TEST_CASE("a child that a signal ends is an interruption, whatever the parent does with that signal")
{
    std::signal(SIGTERM, SIG_IGN);
    try {
        inChild([]() -> std::string {
            std::raise(SIGTERM);
            return "not ended";
        });
        FAIL("the child has not ended");
    } catch (const Interrupted& interruption) {
        CHECK(interruption.signal == SIGTERM);
    }
    std::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("on a stop request finished work is kept and work in progress is ended")
{
    std::size_t ended = 0;
    const Works works{[] { return std::string("one"); }, [] { return std::string("two"); }, sleepForEver,
                      [] { return std::string("never begun"); }};
    const std::vector<std::string> texts = inChildren(
        works, 1, [&](std::size_t count) { ended = count; }, [&] { return ended == 2; });
    CHECK(texts == std::vector<std::string>{"one", "two", "", ""});

    int asked = 0;
    const std::vector<std::string> none = inChildren(
        {sleepForEver}, 1, [](std::size_t) {}, [&] { return ++asked == 4; });
    CHECK(none == std::vector<std::string>{""});
}
