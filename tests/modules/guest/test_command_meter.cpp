// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/command_meter.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using platform::guest::CommandMeter;

namespace {

struct Port : Front {
    std::vector<CommandStatus> ended;
    Time readyAt{};
    void driveReady(Time at) override { readyAt = at; }
    void transfer(const TransferOrder& order, Time at) override { meter->transferDone(order.handle, at); }
    void complete(std::uint16_t, CommandStatus status, Time) override { ended.push_back(status); }
    CommandMeter* meter = nullptr;
};

struct Bench {
    FakeSsd ssd{FakeSsd::Config{}};
    Port port;
    CommandMeter meter;

    Bench()
    {
        port.meter = &meter;
        meter.connect(ssd, port);
        ssd.connect(meter);
    }
};

Command command(std::uint16_t slot, RequestKind kind, std::uint32_t sectors)
{
    Command made;
    made.slot = slot;
    made.kind = kind;
    made.sectors = sectors;
    return made;
}

const KindResult& of(const PhaseResult& phase, RequestKind kind)
{
    return phase.kinds[static_cast<std::size_t>(kind)];
}

} // namespace

TEST_CASE("commands pass unchanged, and count for the phase in which they end")
{
    Bench bench;
    bench.meter.driveReady(Time{7});
    CHECK(bench.port.readyAt == Time{7});
    CHECK(bench.meter.readyAt() == Time{7});
    CHECK(bench.meter.capacitySectors() == bench.ssd.capacitySectors());
    std::vector<std::pair<std::uint16_t, Time>> seen;
    bench.meter.onCommand([&seen](const Command& of, Time at) { seen.emplace_back(of.slot, at); });
    bench.meter.beginPhase("boot", false, Time{});
    bench.meter.submit(command(3, RequestKind::Flush, 0), Time{100});
    bench.meter.beginPhase("one", true, Time{150});
    CHECK(bench.meter.outstanding() == 1);
    bench.meter.complete(3, CommandStatus::Ok, Time{180});
    bench.meter.submit(command(4, RequestKind::Write, 8), Time{200});
    bench.meter.complete(4, CommandStatus::DeviceFault, Time{260});
    bench.meter.end(Time{300});
    CHECK(bench.ssd.submitted.size() == 2);
    CHECK(seen == std::vector<std::pair<std::uint16_t, Time>>{{3, Time{100}}, {4, Time{200}}});
    CHECK(bench.port.ended == std::vector<CommandStatus>{CommandStatus::Ok, CommandStatus::DeviceFault});
    const auto& phases = bench.meter.phases();
    REQUIRE(phases.size() == 2);
    CHECK_FALSE(phases[0].measured);
    CHECK(phases[0].end == Time{150});
    CHECK(phases[0].completed == 0);
    CHECK(phases[1].name == "one");
    CHECK(phases[1].start == Time{150});
    CHECK(phases[1].end == Time{300});
    CHECK(of(phases[1], RequestKind::Flush).requests == 1);
    CHECK(of(phases[1], RequestKind::Flush).latency.maximum() == Time{80});
    CHECK(of(phases[1], RequestKind::Write).failed == 1);
    CHECK(of(phases[1], RequestKind::Write).sectors == 0);
    CHECK(bench.meter.outstanding() == 0);
}

TEST_CASE("only a phase without commands can be dropped")
{
    Bench bench;
    bench.meter.dropEmptyPhase();
    bench.meter.beginPhase("busy", true, Time{});
    bench.meter.submit(command(0, RequestKind::Read, 8), Time{1});
    bench.meter.dropEmptyPhase();
    CHECK(bench.meter.phases().size() == 1);
    bench.meter.beginPhase("empty", true, Time{2});
    bench.meter.dropEmptyPhase();
    REQUIRE(bench.meter.phases().size() == 1);
    CHECK(bench.meter.phases().front().name == "busy");
}
