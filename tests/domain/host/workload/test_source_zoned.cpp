// SPDX-License-Identifier: Apache-2.0
//
// Requests on a drive with 5 zones of 100 sectors, 128 sectors apart.
#include "models/base/content.h"
#include "models/host/workload/source_factory.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::host;

namespace {

constexpr std::uint64_t capacity = 5 * 128;

PhaseConfig sequential(std::uint64_t blockSectors, std::uint64_t requests)
{
    PhaseConfig phase;
    phase.name = "zones";
    phase.source.kind = SourceKind::Sequential;
    phase.source.blockSize = blockSectors * sectorBytes;
    phase.source.requests = requests;
    phase.source.zones.space = {128, 100};
    return phase;
}

std::vector<Request> all(const PhaseConfig& phase)
{
    const auto source = makeSource(phase, capacity, 1);
    std::vector<Request> requests;
    while (const auto request = source->next())
        requests.push_back(*request);
    CHECK(source->counts().requests == requests.size());
    return requests;
}

} // namespace

TEST_CASE("zoned source: sequential requests leave out what cannot be written, and end at the border of a zone")
{
    const auto requests = all(sequential(40, 13));
    REQUIRE(requests.size() == 15); // the third and the eighth cross a border
    const std::vector<std::pair<std::uint64_t, std::uint32_t>> expected{{0, 40},   {40, 40},  {80, 20},
                                                                        {128, 20}, {148, 40}, {188, 40}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(requests[i].lba == expected[i].first);
        CHECK(requests[i].sectors == expected[i].second);
    }
    CHECK(requests.back().lba == 4 * 128 + 80); // the end of the last zone
}

TEST_CASE("zoned source: random requests are inside zones")
{
    PhaseConfig phase = sequential(10, 500);
    phase.source.kind = SourceKind::Uniform;
    phase.source.mix.readRatio = 1;
    std::uint64_t last = 0;
    for (const Request& request : all(phase)) {
        CHECK(request.lba % 128 + request.sectors <= 100);
        last = std::max(last, request.lba);
    }
    CHECK(last >= 4 * 128);
}

TEST_CASE("zoned source: an append names its zone; reads stay reads")
{
    PhaseConfig phase = sequential(50, 4);
    phase.source.zones.writes = ZoneWrites::Append;
    const auto appends = all(phase);
    REQUIRE(appends.size() == 4);
    CHECK(appends[1].kind == RequestKind::Append);
    CHECK(appends[1].lba == 0);
    CHECK(appends[3].lba == 128);
    phase.source.mix.readRatio = 1;
    CHECK(all(phase)[1].kind == RequestKind::Read);
    CHECK(all(phase)[1].lba == 50);
}

TEST_CASE("zoned source: commands go to one zone after the other, of the region")
{
    PhaseConfig phase = sequential(8, 4);
    phase.source.zones.command = ZoneCommand::Reset;
    phase.source.region.offset.bytes = 200 * sectorBytes;
    const auto resets = all(phase);
    REQUIRE(resets.size() == 4);
    for (const Request& reset : resets) {
        CHECK(reset.kind == RequestKind::ResetZone);
        CHECK(reset.sectors == 128);
    }
    CHECK(resets[0].lba == 2 * 128);
    CHECK(resets[2].lba == 4 * 128);
    CHECK(resets[3].lba == 2 * 128);
}
