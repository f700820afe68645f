// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_timing.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

PataConfig inMode(PataMode mode)
{
    PataConfig config;
    config.mode = mode;
    return config;
}

} // namespace

TEST_CASE("registers take a cycle of PIO mode 4 in every mode")
{
    for (const auto& row : pataModeTable)
        CHECK(PataTiming(inMode(row.value)).registers(2) == 240ns);
    CHECK(PataTiming(inMode(PataMode::Udma5)).command() == 12 * 120ns);
}

TEST_CASE("words move at the rate of the mode")
{
    for (const auto& row : pataModeTable) {
        const PataTiming timing(inMode(row.value));
        const double megabytes = 2.0 / static_cast<double>(timing.word().count()) * 1e6;
        CHECK(std::stod(std::string(row.help)) == Approx(megabytes).epsilon(0.005));
        CHECK(timing.onLine(512) == timing.word() * 256);
        CHECK(timing.burst(512) == timing.onLine(512) + timing.overhead());
    }
}

TEST_CASE("a slower host sets the rate of a burst")
{
    PataConfig config = inMode(PataMode::Udma5);
    config.hostBytesPerSecond = 50'000'000;
    CHECK(PataTiming(config).burst(5000) == 100us + PataTiming(config).overhead());
    config.hostBytesPerSecond = 500'000'000;
    CHECK(PataTiming(config).burst(4096) == PataTiming(config).onLine(4096) + PataTiming(config).overhead());
}

TEST_CASE("a longer transfer has more bursts")
{
    const PataConfig config = inMode(PataMode::Udma5);
    const PataTiming timing(config);
    const Time one = pataCommandTime(config, 8);
    CHECK(pataCommandTime(config, 16) - one == timing.burst(4096));
}
