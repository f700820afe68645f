// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stall_watch.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

const RecoveryWatch usedDrive(100, false);
const RecoveryWatch newDrive(100, true);

} // namespace

TEST_CASE("commands of which none ends are a stall at the limit, and not before it")
{
    StallWatch watch(10ms, 0ms, newDrive);
    CHECK(watch.nextLook() == 10ms);
    CHECK_FALSE(watch.look(9ms, {true, 0ms}, 0));
    CHECK_FALSE(watch.look(10ms, {true, 4ms}, 0)); // a command has ended at 4 ms
    CHECK(watch.nextLook() == 14ms);
    CHECK_FALSE(watch.look(13ms, {true, 4ms}, 0));
    CHECK(watch.look(14ms, {true, 4ms}, 0) ==
          "commands are outstanding, and none has ended for 10 ms (firmware.stallAfter)");
}

TEST_CASE("a drive without commands does not stall")
{
    StallWatch watch(10ms, 0ms, newDrive);
    CHECK_FALSE(watch.look(10ms, {true, never}, 0));
    CHECK(watch.nextLook() == 20ms);
}

TEST_CASE("a drive that does not become ready stalls, unless it uses the flash to recover")
{
    StallWatch fresh(10ms, 5ms, newDrive);
    CHECK(fresh.look(15ms, {}, 7) == "the drive has not become ready for 10 ms (firmware.stallAfter)");
    StallWatch used(10ms, 5ms, usedDrive);
    CHECK_FALSE(used.look(15ms, {}, 7));
    CHECK(used.nextLook() == 25ms);
    CHECK(used.look(25ms, {}, 7)); // no operation more
}

TEST_CASE("without a limit nothing is a stall")
{
    StallWatch watch({}, 0ms, newDrive);
    CHECK(watch.nextLook() == never);
    CHECK_FALSE(watch.look(1000s, {true, 0ms}, 0));
}
