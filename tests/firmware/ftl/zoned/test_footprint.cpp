// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/zoned/zoned_bench.h"
#include "tests/firmware/support/control_memory.h"
#include "tests/support/catch.h"

#include "firmware/ftl/zoned/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

const std::vector<MemoryCase> cases{
    {"small", [](MockOptions&) {}, 2048},
    {"zones of one die", [](MockOptions& o) { o.boot.zoneDies = 1; }, 2048},
    {"more blocks", [](MockOptions& o) { o.boot.blocksPerPlane = 300; }, 2048},
    {"a large buffer", [](MockOptions& o) { o.bufferPages = 1000; }, 2048},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 100; }, 2048},
};

} // namespace

TEST_CASE("the layer of zones starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change, mostUnused] : cases) {
        MockOptions options = zonedOptions();
        change(options);
        const std::uint32_t bytes = controlMemoryOf(options, &zoned_footprint);
        INFO(name << ": " << bytes << " bytes");
        CHECK(startsWithin(bytes, options));
        CHECK_FALSE(startsWithin(bytes - mostUnused, options));
    }
}
