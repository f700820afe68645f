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

TEST_CASE("a command goes to the allowed queue with the fewest commands, of equal ones the first")
{
    OutstandingCommands commands;
    commands.resize(12, 4); // slots 0, 4 and 8 are those of queue 1
    const auto queueOf = [&](std::uint64_t queues) {
        OutstandingCommand command = at(0);
        command.queues = queues;
        return 1 + commands.add(command) % 4;
    };
    CHECK(queueOf(0b0110) == 2);
    CHECK(queueOf(0b0110) == 3);
    CHECK(queueOf(0b0010) == 2);
    CHECK(queueOf(0b0110) == 3);
    CHECK(queueOf(0) == 1);
    CHECK(queueOf(0) == 4);
    CHECK(queueOf(0b1000) == 4);
    CHECK(queueOf(0) == 1);
    CHECK(queueOf(0b0010) == 2);
    CHECK(commands.fullQueues() == 0b0010);
    CHECK(queueOf(0b0110) == 3); // queue 2 is full
    CHECK(commands.fullQueues() == 0b0110);
    CHECK(commands.count() == 10);
    CHECK_FALSE(commands.isFull());
    commands.remove(5);
    CHECK(commands.fullQueues() == 0b0100);
    CHECK(queueOf(0b0010) == 2);
}

TEST_CASE("a command that power ended goes to its queue again")
{
    OutstandingCommands commands;
    commands.resize(4, 2);
    OutstandingCommand any = at(0);
    OutstandingCommand ofFirst = at(8);
    ofFirst.queues = 0b01;
    commands.add(ofFirst);
    commands.add(any); // to queue 2
    commands.add(ofFirst);
    const std::vector<OutstandingCommand> lost = commands.removeAll();
    CHECK(lost[1].queues == 0b10);
    CHECK(commands.fullQueues() == 0);
    CHECK(commands.add(lost[1]) % 2 == 1); // whichever of them is the first to be sent
    CHECK(commands.add(lost[0]) % 2 == 0);
    CHECK(commands.add(lost[2]) % 2 == 0);
}
