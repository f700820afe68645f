// SPDX-License-Identifier: Apache-2.0
#include "models/pins/waveform.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::pins;
using namespace std::chrono_literals;

TEST_CASE("changes are sorted, redundant ones are dropped, and the last of an instant wins")
{
    Waveform waveform(Signalling::Conventional);
    const Line latch{Pin::CommandLatch, 0};
    waveform.set(30ns, latch, 0);
    waveform.set(10ns, latch, 0);
    waveform.set(10ns, latch, 1);
    waveform.set(20ns, latch, 1);
    waveform.finish();
    const std::vector<Change> changes = waveform.changesOf(latch);
    REQUIRE(changes.size() == 2);
    CHECK((changes[0].at == 10ns && changes[0].level == 1));
    CHECK((changes[1].at == 30ns && changes[1].level == 0));
    CHECK(waveform.levelAt(latch, 9ns) == waveform.idle(latch));
    CHECK(waveform.levelAt(latch, 10ns) == 1);
    CHECK(waveform.levelAt(latch, 30ns) == 0);
    CHECK(waveform.end() == 30ns);
}

TEST_CASE("selections that touch or overlap keep chip enable low")
{
    Waveform waveform(Signalling::Conventional, 2);
    waveform.select(1, 10ns, 20ns);
    waveform.select(1, 15ns, 30ns);
    waveform.select(1, 30ns, 40ns);
    waveform.select(1, 60ns, 70ns);
    waveform.finish();
    CHECK(waveform.changesOf({Pin::ChipEnable, 0}).empty());
    const std::vector<Change> changes = waveform.changesOf({Pin::ChipEnable, 1});
    REQUIRE(changes.size() == 4);
    CHECK(changes[0].at == 10ns);
    CHECK(changes[1].at == 40ns);
    CHECK(changes[2].at == 60ns);
    CHECK(waveform.nameOf({Pin::ChipEnable, 1}) != waveform.nameOf({Pin::ChipEnable, 0}));
}

TEST_CASE("pins that the signalling does not have are not drawn")
{
    Waveform waveform(Signalling::Conventional);
    waveform.set(1ns, Pin::Strobe, 1);
    waveform.finish();
    CHECK(waveform.changes().empty());
}
