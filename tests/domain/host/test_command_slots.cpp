// SPDX-License-Identifier: Apache-2.0
#include "models/host/command_slots.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;

namespace {

CommandSlots withRead(std::uint32_t sectors)
{
    CommandSlots slots(4);
    slots.add({2, RequestKind::Read, false, 100, sectors});
    return slots;
}

} // namespace

TEST_CASE("a slot holds its command from add() to free()")
{
    CommandSlots slots = withRead(8);
    CHECK(slots.active() == 1);
    CHECK(slots.command(2).lba == 100);
    CHECK(slots.rangeFault(1, true, 0, 1) == "the slot holds no command");
    CHECK(slots.completionFault(1, 0) == "the slot holds no command");
    CHECK(slots.rangeFault(4, true, 0, 1) == "the slot holds no command"); // there is no such slot
    slots.free(2);
    CHECK(slots.active() == 0);
    CHECK(slots.rangeFault(2, true, 0, 1) == "the slot holds no command");
    CHECK_THROWS(slots.add({4, RequestKind::Read, false, 0, 1}));
}

TEST_CASE("a slot in use takes no second command")
{
    CommandSlots slots = withRead(8);
    CHECK_THROWS(slots.add({2, RequestKind::Flush, false, 0, 0}));
}

TEST_CASE("transfers must have the command's direction and be inside its sectors")
{
    const CommandSlots slots = withRead(8);
    CHECK(slots.rangeFault(2, true, 0, 8).empty());
    CHECK(slots.rangeFault(2, true, 7, 1).empty());
    CHECK(slots.rangeFault(2, true, 7, 2) == "sectors 7 to 8 of a command of 8");
    CHECK(slots.rangeFault(2, true, UINT32_MAX, 2) == "sectors 4294967295 to 4294967296 of a command of 8");
    CHECK(slots.rangeFault(2, false, 0, 1) == "from the host does not suit a read command");
}

TEST_CASE("a command can be completed once, and after its transfers")
{
    CommandSlots slots = withRead(8);
    CHECK(slots.completionFault(2, 0).empty());
    CHECK(slots.completionFault(2, 99) == "there is no status 99");
    slots.order(2, 3, false);
    CHECK(slots.hasTransfers(2));
    CHECK(slots.completionFault(2, 0) == "1 transfer(s) of the slot are still in progress");
    CHECK(slots.rangeFault(2, true, 3, 5).empty());
    slots.order(2, 5, true);
    CHECK(slots.completionFault(2, 0) == "the slot's last transfer completes it already");
    CHECK(slots.rangeFault(2, true, 0, 1) == "the slot's last transfer completes it already");
    slots.transferEnded(2);
    slots.transferEnded(2);
    CHECK_FALSE(slots.hasTransfers(2));
}

TEST_CASE("a command that moves data is complete when all its sectors have been ordered")
{
    CommandSlots slots = withRead(8);
    slots.add({0, RequestKind::Flush, false, 0, 0});
    slots.add({1, RequestKind::Trim, false, 0, 8});
    CHECK(slots.isComplete(0));
    CHECK(slots.isComplete(1));
    CHECK_FALSE(slots.isComplete(2));
    slots.order(2, 3, false);
    CHECK(slots.ordered(2) == 3);
    CHECK_FALSE(slots.isComplete(2));
    slots.order(2, 5, true);
    CHECK(slots.isComplete(2));
}
