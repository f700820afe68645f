// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_faults.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;

namespace {

Command inSlot(std::uint16_t slot)
{
    Command command;
    command.slot = slot;
    return command;
}

} // namespace

TEST_CASE("no command is interrupted by more than three resets, though others end between them")
{
    SentCommands sent;
    sent.add(inSlot(1), true);
    for (std::uint16_t reset = 0; reset < 3; ++reset) {
        CHECK_FALSE(sent.isStarving());
        sent.add(inSlot(2), true);
        sent.noteReset();
        CHECK(sent.sendAll() == 2);
        sent.remove(2);
    }
    CHECK(sent.isStarving());
    sent.remove(1);
    CHECK_FALSE(sent.isStarving());
}

TEST_CASE("a reset does not count for a command that waits until it is over")
{
    SentCommands sent;
    sent.add(inSlot(1), true);
    sent.noteReset();
    sent.add(inSlot(2), false);
    CHECK(sent.sendAll() == 1);
    sent.noteReset();
    sent.noteReset();
    CHECK(sent.isStarving());
    sent.remove(1);
    CHECK_FALSE(sent.isStarving()); // the other one has had two
    sent.noteReset();
    CHECK(sent.isStarving());
}
