// SPDX-License-Identifier: Apache-2.0
#include "models/host/outstanding_commands.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe::host;

namespace {

OutstandingCommand at(std::uint64_t lba)
{
    OutstandingCommand command;
    command.request.lba = lba;
    return command;
}

} // namespace

TEST_CASE("commands take the slots of the drive until none is free, and each completion frees one")
{
    OutstandingCommands commands;
    commands.resize(2);
    CHECK(commands.add(at(8)) == 0);
    CHECK(!commands.isFull());
    CHECK(commands.add(at(16)) == 1);
    CHECK(commands.isFull());
    CHECK(commands.count() == 2);
    CHECK(commands.at(1).request.lba == 16);
    commands.remove(0);
    CHECK(commands.count() == 1);
    CHECK(commands.add(at(24)) == 0);
    CHECK(commands.at(0).order == 2);
    CHECK(commands.sent() == 3);
}

TEST_CASE("all outstanding commands are removed in the order of sending, whatever their slots")
{
    OutstandingCommands commands;
    commands.resize(3);
    for (std::uint64_t lba = 0; lba < 3; ++lba)
        commands.add(at(lba));
    commands.remove(0);
    commands.add(at(3)); // in slot 0, sent last
    std::vector<std::uint64_t> bySlot;
    commands.forEach([&](const OutstandingCommand& command) { bySlot.push_back(command.request.lba); });
    CHECK(bySlot == std::vector<std::uint64_t>{3, 1, 2});
    std::vector<std::uint64_t> removed;
    for (const OutstandingCommand& command : commands.removeAll())
        removed.push_back(command.request.lba);
    CHECK(removed == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(commands.count() == 0);
    CHECK(commands.removeAll().empty());
}
