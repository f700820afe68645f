// SPDX-License-Identifier: Apache-2.0
//
// Data refresh on the whole firmware: blocks that are read often or old, and whose data moves without host writes.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <functional>

using namespace strobe;
using namespace strobe::test;

namespace {

using Kind = HostCommand::Kind;

std::vector<HostCommand> writesAndReads(std::uint32_t reads)
{
    std::vector<HostCommand> commands;
    for (std::uint32_t i = 0; i < 100; ++i)
        commands.push_back({Kind::Write, false, std::uint64_t{i} * 4, 4});
    for (std::uint32_t i = 0; i < reads; ++i)
        commands.push_back({Kind::Read, false, std::uint64_t{i} % 3 * 4, 4});
    return commands;
}

// `look`: at the layer, while its memory exists.
nand::DieCounters countersAfter(
    const MockOptions& options, std::uint32_t reads, const std::function<void(const ftl&)>& look = [](const ftl&) {})
{
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script(writesAndReads(reads));
    host.toleratesLoss = options.faults.uncorrectable != 0;
    runFirmware(drive, host, 1);
    look(*request_ftl());
    return drive.flash().counters();
}

} // namespace

TEST_CASE("a block that is read again and again is moved before its reads are far beyond the limit")
{
    MockOptions options = smallDrive();
    CHECK(countersAfter(options, 2000).erases == 0);
    options.boot.refreshReads = 100;
    options.boot.gcCopyback = 1; // which would keep the errors
    std::uint32_t most = UINT32_MAX;
    const auto look = [&most](const ftl& layer) {
        most = *std::max_element(layer.refresh.reads, layer.refresh.reads + layer.geometry.blocks);
    };
    CHECK(countersAfter(options, 2000, look).erases >= 10);
    CHECK(most < 150);
}

TEST_CASE("a block that is old is moved, again and again")
{
    MockOptions options = smallDrive();
    options.alarmsAfterHost = 300;
    options.boot.refreshAge = 100;
    CHECK(countersAfter(options, 0).erases > 10);
}

TEST_CASE("scrub reads find data that cannot be corrected, and rescue the rest of its block")
{
    MockOptions options = smallDrive();
    options.alarmsAfterHost = 300;
    options.boot.scrubInterval = 50;
    const nand::DieCounters without = countersAfter(options, 0);
    CHECK(without.erases == 0);
    CHECK(without.reads > 250);
    options.faults.uncorrectable = 500;
    CHECK(countersAfter(options, 0).erases > 2);
}
