// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_identify.h"
#include "models/host/nvme/nvme_power.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

namespace {

constexpr Time ms(std::int64_t count)
{
    return std::chrono::milliseconds(count);
}

// Two states for idleness: reached and left in 2 + 3 ms, and in 5 + 40 ms.
std::vector<PowerState> threeStates()
{
    return {{8.0, {}, {}}, {0.05, ms(2), ms(3)}, {0.005, ms(5), ms(40)}};
}

PowerStates::Table chain(Time toFirst, Time toSecond)
{
    PowerStates::Table table{};
    table[0] = {1, toFirst};
    table[1] = {2, toSecond};
    return table;
}

PowerStates sleepy()
{
    PowerStates power(threeStates());
    CHECK(power.setTable(chain(ms(100), ms(1000)), {}));
    power.enableTransitions(true, {});
    return power;
}

struct PowerHost : RawHost {
    static ControllerOptions options()
    {
        ControllerOptions options;
        options.powerStates = threeStates();
        return options;
    }
    PowerHost() : RawHost(slowDrive(ms(1)), options())
    {
        enable();
        createPair(1);
    }
    NvmeStatus setTransitions(const PowerStates::Table& table)
    {
        const auto structure = encode(table);
        const std::uint64_t at = memory.allocate(4096);
        memory.write(at, structure.data(), PowerStates::tableBytes);
        SubmissionEntry command = feature(AdminOpcode::SetFeatures, Feature::AutonomousTransitions, 1);
        command.setQuad(6, at);
        return status(0, command);
    }
    std::uint32_t powerState()
    {
        return execute(0, feature(AdminOpcode::GetFeatures, Feature::PowerManagement)).result;
    }
};

} // namespace

TEST_CASE("an idle drive goes down from state to state, and counts where it was")
{
    PowerStates power = sleepy();
    CHECK(power.current(ms(99)) == 0);
    CHECK(power.current(ms(100)) == 1);
    // Idle time in state 1 begins when it has been entered.
    CHECK(power.current(ms(1101)) == 1);
    CHECK(power.current(ms(1102)) == 2);
    const auto use = power.use(ms(2000));
    REQUIRE(use.size() == 3);
    CHECK(use[0].time == ms(100));
    CHECK(use[1].time == ms(1002));
    CHECK(use[2].time == ms(898));
    CHECK(use[1].entries == 1);
    CHECK(use[2].entries == 1);
}

TEST_CASE("a command waits for the exit, and for what is left of the entry before")
{
    PowerStates power = sleepy();
    CHECK(power.wake(ms(50)) == ms(50)); // still awake
    power.rest(ms(60));
    CHECK(power.current(ms(159)) == 0);
    CHECK(power.wake(ms(161)) == ms(165)); // the entry, begun at 160 ms, ends at 162 ms
    CHECK(power.wake(ms(163)) == ms(165)); // another command, meanwhile
    CHECK(power.wake(ms(166)) == ms(166));
    power.rest(ms(170));
    CHECK(power.wake(ms(280)) == ms(283));
    const auto use = power.use(ms(300));
    CHECK(use[1].time == ms(1) + ms(10)); // 160 to 161, 270 to 280
    CHECK(use[1].entries == 2);
    CHECK(use[0].time + use[1].time == ms(300));
}

TEST_CASE("without autonomous transitions the drive stays where the host has put it")
{
    PowerStates power(threeStates());
    CHECK(power.current(ms(100'000)) == 0);
    CHECK(power.select(2, ms(10)));
    CHECK(power.current(ms(100'000)) == 2);
    CHECK(power.wake(ms(100'000)) == ms(100'040));
    CHECK_FALSE(power.select(3, ms(100'100)));
}

TEST_CASE("idle time before the table was set, or enabled, does not count")
{
    PowerStates power(threeStates());
    CHECK(power.setTable(chain(ms(100), ms(1000)), ms(10'000)));
    power.enableTransitions(true, ms(10'000));
    CHECK(power.current(ms(10'059)) == 0);
    CHECK(power.wake(ms(10'060)) == ms(10'060));
    CHECK(power.use(ms(10'100))[0].time == ms(10'100));
}

TEST_CASE("what ends without a command in progress does not keep the drive awake")
{
    PowerStates power = sleepy();
    power.rest(ms(90)); // a format
    CHECK(power.current(ms(100)) == 1);
}

TEST_CASE("a table leads to states that exist and are not operational")
{
    PowerStates power(threeStates());
    CHECK(power.setTable(chain(ms(1), {}), {}));
    PowerStates::Table wrong{};
    wrong[0] = {3, ms(1)};
    CHECK_FALSE(power.setTable(wrong, {}));
    wrong[0] = {0, ms(1)};
    CHECK_FALSE(power.setTable(wrong, {}));
    wrong[0] = {3, {}}; // without effect
    CHECK(power.setTable(wrong, {}));
}

TEST_CASE("a tolerance allows the states that can be left fast enough")
{
    const auto all = transitionsForTolerance(threeStates(), ms(100));
    CHECK(all[0].to == 1);
    CHECK(all[0].after == ms(250));
    CHECK(all[1].to == 2);
    CHECK(all[1].after == ms(2250));
    CHECK(all[2].after == Time{});
    const auto light = transitionsForTolerance(threeStates(), ms(44));
    CHECK(light[0].to == 1);
    CHECK(light[1].after == Time{});
    CHECK(transitionsForTolerance(threeStates(), ms(4))[0].after == Time{});
    CHECK(encode(all)[0] == (1U << 3U | 250U << 8U));
    CHECK(decodeTransitions(encode(all))[1].after == ms(2250));
}

TEST_CASE("Identify describes the power states")
{
    const IdentifyPage page = identifyController({13, 4, 4, true, false, false, 1, threeStates()});
    const auto word = [&page](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, page.data() + at, sizeof value);
        return value;
    };
    CHECK(page[263] == std::byte{2}); // NPSS
    CHECK(page[265] == std::byte{1}); // APSTA
    CHECK((word(2048) & 0xFFFF) == 800);
    CHECK((word(2048 + 32) & 0xFFFF) == 500); // 50 mW, in tenths of a milliwatt
    CHECK(page[2048 + 32 + 3] == std::byte{3});
    CHECK(word(2048 + 32 + 4) == 2000); // us
    CHECK(word(2048 + 32 + 8) == 3000);
    CHECK(word(2048 + 64 + 8) == 40'000);
    const IdentifyPage one = identifyController({});
    CHECK(one[263] == std::byte{0});
    CHECK(one[265] == std::byte{0});
}

TEST_CASE("a command to a sleeping drive takes the exit latency longer, admin commands do not wake it")
{
    PowerHost host;
    const auto readTime = [&host] {
        const Time from = host.now;
        CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == NvmeStatus::Success);
        return host.now - from;
    };
    CHECK(host.setTransitions(chain(ms(100), ms(1000))) == NvmeStatus::Success);
    const Time awake = readTime();
    CHECK(host.powerState() == 0);
    host.now += ms(500);
    CHECK(host.powerState() == 1);
    CHECK(host.powerState() == 1);
    CHECK(readTime() == awake + ms(3));
    host.now += ms(5000);
    CHECK(readTime() == awake + ms(40));
    CHECK(host.powerState() == 0);
    CHECK(host.controller.power().use(host.now)[2].entries == 1);
}

TEST_CASE("a reset brings the drive back to state 0 without transitions")
{
    PowerHost host;
    CHECK(host.setTransitions(chain(ms(100), ms(1000))) == NvmeStatus::Success);
    host.now += ms(500);
    CHECK(host.powerState() == 1);
    host.write(nvme::reg::CC, 0);
    host.run();
    host.enable();
    host.now += ms(5000);
    CHECK(host.powerState() == 0);
}

TEST_CASE("a queue that is deleted while its command waits for the exit leaves the drive free to sleep again")
{
    PowerHost host;
    CHECK(host.setTransitions(chain(ms(100), ms(1000))) == NvmeStatus::Success);
    host.now += ms(500);
    CHECK(host.powerState() == 1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.write(nvme::reg::doorbells + 8, host.queues[1].tail);
    host.run(host.now + ms(1));
    SubmissionEntry deletion = RawHost::make(AdminOpcode::DeleteSq);
    deletion.dword[10] = 1;
    CHECK(host.status(0, deletion) == NvmeStatus::Success);
    host.run();
    host.now += ms(500);
    CHECK(host.powerState() == 1);
}

TEST_CASE("power features: states that do not exist, tables that lead nowhere, and drives with one state")
{
    PowerHost host;
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::PowerManagement, 2)) ==
          NvmeStatus::Success);
    CHECK(host.powerState() == 2);
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::PowerManagement, 3)) ==
          NvmeStatus::InvalidField);
    PowerStates::Table wrong{};
    wrong[0] = {9, ms(1)};
    CHECK(host.setTransitions(wrong) == NvmeStatus::InvalidField);
    RawHost one;
    one.enable();
    CHECK(one.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::PowerManagement, 1)) ==
          NvmeStatus::InvalidField);
    CHECK(one.status(0, RawHost::feature(AdminOpcode::GetFeatures, Feature::AutonomousTransitions)) ==
          NvmeStatus::InvalidField);
}
