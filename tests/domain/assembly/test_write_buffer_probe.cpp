// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "platform/assembly/write_buffer_probe.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
namespace reg = regs::statistics;

namespace {

// A statistics block as firmware writes it.
struct Bench {
    std::array<std::uint32_t, reg::size / 4> block{};
    WriteBufferProbe probe{reinterpret_cast<std::byte*>(block.data())};

    std::uint32_t& word(std::uint32_t offset) { return block[offset / 4]; }
};

} // namespace

TEST_CASE("a firmware without statistics has no write buffer to report")
{
    Bench bench;
    CHECK(bench.probe.slots() == 0);
    CHECK(bench.probe.usage(1us).busy == Time{});
}

TEST_CASE("sums are completed up to the present and averaged over the slots")
{
    Bench bench;
    bench.word(reg::WRITE_SLOTS) = 4;
    bench.word(reg::USED) = 3;
    bench.word(reg::USED_AT_LO) = 1000;
    bench.word(reg::USED_SUM_LO) = 200;
    bench.word(reg::WAITING) = 2;
    bench.word(reg::WAITING_AT_LO) = 1500;
    bench.word(reg::WAITING_SUM_LO) = 50;
    bench.word(reg::SHORT_LO) = 30;
    bench.word(reg::TAKEN) = 9;
    bench.word(reg::MOST_WAITING) = 5;
    bench.word(reg::LONGEST_WAIT) = 77;
    const ResourceUsage usage = bench.probe.usage(2us);
    CHECK(usage.busy == 800ns); // (200 + 3 x 1000) / 4
    CHECK(usage.waited == 1050ns);
    CHECK(usage.maxWaited == 77ns);
    CHECK(usage.maxQueue == 5);
    CHECK(usage.jobs == 9);
    CHECK(bench.probe.exhausted(2us) == 530ns);
    CHECK(bench.probe.usage(500ns).busy == 50ns); // firmware was ahead of simulated time
}

TEST_CASE("figures begin at a reset: earlier amounts are subtracted, and maxima restart")
{
    Bench bench;
    bench.word(reg::WRITE_SLOTS) = 1;
    bench.word(reg::USED) = 1;
    bench.word(reg::WAITING) = 1;
    bench.word(reg::TAKEN) = 0xFFFFFFFF;
    bench.word(reg::MOST_WAITING) = 8;
    bench.word(reg::LONGEST_WAIT) = 99;
    bench.probe.reset(10us);
    bench.word(reg::TAKEN) = 1; // has wrapped
    const ResourceUsage usage = bench.probe.usage(12us);
    CHECK(usage.busy == 2us);
    CHECK(usage.waited == 2us);
    CHECK(usage.jobs == 2);
    CHECK(usage.maxQueue == 1); // the one that waits
    CHECK(usage.maxWaited == Time{});
    CHECK(bench.probe.exhausted(12us) == 2us);
}
