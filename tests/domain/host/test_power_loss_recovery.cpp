// SPDX-License-Identifier: Apache-2.0
#include "models/host/power_loss_recovery.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

std::vector<OutstandingCommand> commandsAt(const std::vector<std::uint64_t>& addresses)
{
    std::vector<OutstandingCommand> commands;
    for (const std::uint64_t lba : addresses)
        commands.emplace_back().request.lba = lba;
    return commands;
}

std::vector<std::uint64_t> addressesOf(const std::vector<OutstandingCommand>& commands)
{
    std::vector<std::uint64_t> addresses;
    for (const OutstandingCommand& command : commands)
        addresses.push_back(command.request.lba);
    return addresses;
}

} // namespace

TEST_CASE("commands of a later power loss are issued again before those of an earlier one")
{
    PowerLossRecovery recovery(LostCommands::Reissue);
    CHECK(recovery.powerLost(commandsAt({3, 4}), true));
    CHECK(recovery.powerLost(commandsAt({1, 2}), true));
    CHECK(addressesOf(recovery.takeLost()) == std::vector<std::uint64_t>{1, 2, 3, 4});
    CHECK(recovery.takeLost().empty());
    CHECK(recovery.counts().lostCommands == 4);
}

TEST_CASE("lost commands are dropped by rule, or because the host has been stopped")
{
    PowerLossRecovery drops(LostCommands::Drop);
    CHECK(!drops.powerLost(commandsAt({1}), true));
    PowerLossRecovery stopped(LostCommands::Reissue);
    CHECK(!stopped.powerLost(commandsAt({1, 2}), false));
    CHECK(stopped.takeLost().empty());
    CHECK(stopped.counts().lostCommands == 2);
}

TEST_CASE("reading back covers every written sector once, in reads of limited length")
{
    Integrity integrity(DataMode::Tags, 4096, 1, 8);
    for (const std::uint64_t lba : {std::uint64_t{8}, std::uint64_t{1024}}) {
        integrity.issued(0, RequestKind::Write, lba, lba == 8 ? 8 : 400, false);
        integrity.completed(0, true, 1us);
    }
    PowerLossRecovery recovery(LostCommands::Reissue);
    recovery.begin(0);
    CHECK(recovery.isReadingBack());
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranges;
    for (Integrity::Range range = recovery.next(integrity); range.sectors != 0; range = recovery.next(integrity))
        ranges.emplace_back(range.lba, range.sectors);
    CHECK(ranges == std::vector<std::pair<std::uint64_t, std::uint32_t>>{{8, 8}, {1024, 256}, {1280, 144}});
    recovery.begin(0);
    ranges.clear();
    for (Integrity::Range range = recovery.next(integrity, 512); range.sectors != 0;
         range = recovery.next(integrity, 512))
        ranges.emplace_back(range.lba, range.sectors); // zones of 512 sectors
    CHECK(ranges == std::vector<std::pair<std::uint64_t, std::uint32_t>>{{8, 8}, {1024, 256}, {1280, 144}});
    recovery.begin(0);
    CHECK(recovery.next(integrity, 1200).lba == 8);
    CHECK(recovery.next(integrity, 1200).sectors == 176); // from 1024 to 1200
    recovery.powerLost({}, true);
    CHECK(!recovery.isReadingBack());
    recovery.begin(4096); // the capacity: nothing is read back
    CHECK(recovery.next(integrity).sectors == 0);
}

TEST_CASE("no read back crosses the border of a namespace")
{
    Integrity integrity(DataMode::Tags, 1 << 16, 1, 8);
    integrity.issued(0, RequestKind::Write, 2000, 104, false);
    integrity.completed(0, true, 1us);
    PowerLossRecovery recovery(LostCommands::Reissue);
    recovery.divide({{0, 2048}, {2048, 63488}});
    recovery.begin(0);
    const Integrity::Range first = recovery.next(integrity);
    CHECK(first.lba == 2000);
    CHECK(first.sectors == 48);
    const Integrity::Range second = recovery.next(integrity);
    CHECK(second.lba == 2048);
    CHECK(second.sectors == 56);
    CHECK(recovery.next(integrity).sectors == 0);
}
