// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_interrupts.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

struct Line {
    Interrupts interrupts{3};
    std::vector<std::uint32_t> sent;

    Line()
    {
        for (std::uint32_t vector = 0; vector < 3; ++vector) {
            interrupts.writeTable(vector * 16, 0xFEE0'1000);
            interrupts.writeTable(vector * 16 + 8, 40 + vector);
            interrupts.writeTable(vector * 16 + 12, 0);
        }
        interrupts.setMsix(true, false);
    }
    void completed(std::uint32_t vector, Time now)
    {
        interrupts.completed(vector, now, [this](const Interrupts::Message& m) { sent.push_back(m.data); });
    }
    void advance(Time now)
    {
        interrupts.advance(now, [this](const Interrupts::Message& m) { sent.push_back(m.data); });
    }
};

} // namespace

TEST_CASE("the vector table reads back, and starts masked")
{
    Interrupts fresh(2);
    CHECK(fresh.readTable(12) == 1);
    fresh.writeTable(16, 0xFEE0'1004);
    fresh.writeTable(20, 1);
    fresh.writeTable(24, 77);
    CHECK(fresh.readTable(16) == 0xFEE0'1004);
    CHECK(fresh.readTable(20) == 1);
    CHECK(fresh.readTable(24) == 77);
    CHECK(fresh.readTable(32) == 0); // no such vector
    fresh.writeTable(32, 5);
    CHECK_FALSE(fresh.setVectorCoalescing(2, true));
}

TEST_CASE("a masked vector stays pending and sends its message when it is unmasked")
{
    Line line;
    line.interrupts.writeTable(16 + 12, 1);
    line.completed(1, 5us);
    CHECK(line.sent.empty());
    CHECK(line.interrupts.readPending(0) == 2);
    line.interrupts.writeTable(16 + 12, 0);
    CHECK(line.interrupts.nextTime() <= 5us);
    line.advance(6us);
    CHECK(line.sent == std::vector<std::uint32_t>{41});
    CHECK(line.interrupts.readPending(0) == 0);

    line.interrupts.setMsix(true, true); // all of them
    line.completed(2, 7us);
    line.interrupts.setMsix(true, false);
    line.advance(8us);
    CHECK(line.sent == std::vector<std::uint32_t>{41, 42});
}

TEST_CASE("coalescing reports several completions with one message, or when its time is over")
{
    Line line;
    line.interrupts.setCoalescing(2, 100us);
    line.completed(1, 0us);
    line.completed(1, 1us);
    CHECK(line.sent.empty());
    line.completed(1, 2us);
    CHECK(line.sent.size() == 1);
    line.completed(1, 10us);
    CHECK(line.interrupts.nextTime() == 110us);
    line.advance(110us);
    CHECK(line.sent.size() == 2);
    line.completed(0, 120us); // the admin queue's is not coalesced
    CHECK(line.sent.size() == 3);
    CHECK(line.interrupts.setVectorCoalescing(2, true));
    line.completed(2, 130us);
    CHECK(line.sent.size() == 4);
    line.interrupts.reset();
    CHECK(line.interrupts.nextTime() == never);
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("messages go to the address in the vector table; without MSI-X the pin is asserted")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.controller.pin());
    host.write(reg::INTMS, 1);
    CHECK_FALSE(host.controller.pin());
    host.write(reg::INTMC, 1);
    host.take(1);
    host.ringCq(1);
    CHECK_FALSE(host.controller.pin());
    CHECK(host.messages.empty());

    host.write(reg::msixTable + 16, 0xFEE0'0000, 8);
    host.write(reg::msixTable + 24, 55, 8);
    CHECK(host.read(reg::msixTable + 24) == 55);
    host.controller.setMsix(true, false, host.now);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.messages == std::vector<std::uint32_t>{55});
    CHECK_FALSE(host.controller.pin());
    host.write(reg::msixTable + 28, 1);
    host.take(1);
    host.ringCq(1);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.messages.size() == 1);
    CHECK(host.read(reg::msixPending) == 2);
    host.write(reg::msixTable + 28, 0);
    CHECK(host.messages.size() == 2);
    CHECK(host.read(reg::msixPending) == 0);
}

TEST_CASE("changes of the pin are announced, and it is asserted only when the completion is in memory")
{
    RawHost host;
    std::vector<std::pair<bool, std::size_t>> changes; // level, completions in memory
    host.controller.onPin([&](bool isAsserted, Time) { changes.emplace_back(isAsserted, host.take(1).size()); });
    host.enable();
    host.createPair(1);
    changes.clear();
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0] == std::pair<bool, std::size_t>{true, 1});
    host.ringCq(1);
    REQUIRE(changes.size() == 2);
    CHECK_FALSE(changes[1].first);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    REQUIRE(changes.size() == 3);
    host.controller.setMsix(true, false, host.now);
    REQUIRE(changes.size() == 4);
    CHECK_FALSE(changes[3].first);
}

TEST_CASE("the pin changes with each event, not after all that are due")
{
    RawHost host(slowDrive(50us));
    std::vector<std::size_t> completions; // in memory when the pin rises
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::make(IoOpcode::Flush, 1));
    host.put(1, RawHost::make(IoOpcode::Flush, 2));
    host.controller.writeRegister(reg::doorbells + 8, 4, 2, host.now);
    host.run(host.now + 10us);
    REQUIRE(host.ssd.submitted.size() == 2);
    host.controller.onPin([&](bool isAsserted, Time) {
        if (isAsserted)
            completions.push_back(host.take(1).size());
    });
    while (host.ssd.nextTime() != never)
        host.ssd.advance(host.ssd.nextTime());
    host.controller.advance(host.now + 1ms); // late, as after a wait in host memory
    CHECK(completions == std::vector<std::size_t>{1});
    CHECK(host.take(1).size() == 1);
}
