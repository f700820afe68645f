// SPDX-License-Identifier: Apache-2.0
#include "platform/report/throughput.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("rates are amounts per second, in decimal and binary units")
{
    const Throughput throughput{500, 1'048'576, 500ms};
    CHECK(throughput.iops() == 1000);
    CHECK(throughput.megabytesPerSecond() == Approx(2.097152));
    CHECK(throughput.mebibytesPerSecond() == 2);
}

TEST_CASE("without time there is no rate, and without bytes no energy of a byte")
{
    CHECK(Throughput{500, 4096, {}}.iops() == 0);
    const EnergyUse idle{2, 4s, 0};
    CHECK(idle.watt() == 0.5);
    CHECK(idle.joulePerByte() == 0);
    CHECK(idle.joulePerSector() == 0);
    const EnergyUse used{2, 4s, 1024};
    CHECK(used.joulePerSector() == 1);
    CHECK(used.joulePerByte() == Approx(1.0 / 512));
}
