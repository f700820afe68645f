// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/coroutine.h"
#include "tests/support/catch.h"
#include "tests/support/marked_frames.h"

#include <string>

using strobe::cpu::Coroutine;
using strobe::test::canThrowHere;

namespace {

constexpr std::size_t stackBytes = 64 * 1024;

struct Note {
    std::string& log;
    char letter;
    ~Note() { log += letter; }
};

} // namespace

TEST_CASE("a coroutine continues where it was suspended, and ends with its work")
{
    std::string log;
    Coroutine coroutine(stackBytes, [&] {
        log += 'a';
        coroutine.suspend();
        CHECK(canThrowHere());
        log += 'b';
    });
    CHECK(log.empty());
    coroutine.resume();
    CHECK(canThrowHere());
    CHECK(log == "a");
    CHECK_FALSE(coroutine.isEnded());
    coroutine.resume();
    CHECK(canThrowHere());
    CHECK(log == "ab");
    CHECK(coroutine.isEnded());
}

TEST_CASE("a suspended coroutine that is destroyed is unwound")
{
    std::string log;
    {
        Coroutine coroutine(stackBytes, [&] {
            const Note outer{log, 'o'};
            const Note inner{log, 'i'};
            coroutine.suspend();
            log += 'x';
        });
        coroutine.resume();
        CHECK(log.empty());
    }
    CHECK(log == "io");
    CHECK(canThrowHere());
}

TEST_CASE("a coroutine that is destroyed before its start runs nothing")
{
    std::string log;
    {
        const Coroutine coroutine(stackBytes, [&] { log += 'a'; });
    }
    CHECK(log.empty());
    CHECK(canThrowHere());
}

TEST_CASE("a coroutine may resume another one")
{
    std::string log;
    Coroutine inner(stackBytes, [&] {
        log += 'i';
        inner.suspend();
        CHECK(canThrowHere());
    });
    Coroutine outer(stackBytes, [&] {
        inner.resume();
        CHECK(canThrowHere());
        log += 'o';
    });
    outer.resume();
    CHECK(log == "io");
    inner.resume(); // from another stack than before
    CHECK(inner.isEnded());
    CHECK(canThrowHere());
}
