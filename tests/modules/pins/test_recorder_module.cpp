// SPDX-License-Identifier: Apache-2.0
//
// The recorder sits in the wire, changes nothing and records passing operations; its pictures agree with the wire's
// times.
#include "models/pins/recorder_module.h"
#include "tests/domain/channel/parts.h"
#include "tests/modules/channel/rig.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>
#include <array>

using namespace strobe;
using namespace strobe::pins;
using nand::Opcode;
using strobe::channel::test::Controller;
using strobe::channel::test::parts;
using strobe::channel::test::table2;
using strobe::test::KernelFixture;
using namespace std::chrono_literals;

namespace {

channel::InterfaceTiming proposed()
{
    channel::InterfaceTiming timing = channel::resolveTiming(channel::InterfaceKind::Proposed, table2, {});
    timing.tCS = 20ns;
    timing.tWB = 100ns;
    timing.tRR = 20ns;
    timing.tWHR = 60ns;
    return timing;
}
channel::InterfaceTiming conventional()
{
    channel::InterfaceTiming timing = proposed();
    timing.name = "CONV";
    timing.cycle = picoseconds(19'814);
    timing.bytesPerCycle = 1;
    return timing;
}

// A controller, perhaps a recorder, a channel of four dies: the last two have no data strobe.
struct Wire {
    Wire(bool recorded, std::size_t limit, Time from, const nand::Part& dieType = parts()[0],
         const channel::JoinPolicy& join = {})
        : part(dieType), controller("controller"),
          channel("channel", ChannelId{0}, {schedules[0], schedules[0], schedules[1], schedules[1]},
                  channel::SegmentOrder::CommandsFirst, join)
    {
        if (recorded) {
            recorder = std::make_unique<RecorderModule>("recorder", RecorderRequest{ChannelId{0}, limit, from});
            controller.socket.bind(recorder->host);
            recorder->channel.bind(channel.host);
            channel.watch(*recorder);
        } else {
            controller.socket.bind(channel.host);
        }
        for (std::uint16_t i = 0; i < 4; ++i) {
            dies.push_back(std::make_unique<nand::Die>(DieId{i}, part, 0, Rng(1, "die")));
            modules.push_back(std::make_unique<nand::DieModule>(("die_" + std::to_string(i)).c_str(), *dies.back()));
            channel.dies[i].bind(modules.back()->socket);
        }
    }

    void stageMix(std::size_t count)
    {
        Rng rng(7, "mix");
        for (std::size_t i = 0; i < count; ++i) {
            nand::Operation op;
            op.die = DieId{static_cast<std::uint16_t>(rng.below(4))};
            static constexpr Opcode opcodes[] = {Opcode::Read,       Opcode::Program, Opcode::Erase,
                                                 Opcode::ReadStatus, Opcode::ReadId,  Opcode::CopyBack};
            op.opcode = opcodes[rng.below(std::size(opcodes))];
            op.target.block = static_cast<std::uint32_t>(rng.below(part.geometry.blocks()));
            op.source = op.target;
            op.sectors = static_cast<std::uint32_t>(rng.below(5));
            controller.stage(static_cast<int>(i) * 40us, op);
        }
    }

    nand::Part part;
    std::array<std::shared_ptr<const channel::BusSchedule>, 2> schedules{
        std::make_shared<const channel::BusSchedule>(proposed(), part),
        std::make_shared<const channel::BusSchedule>(conventional(), part)};
    Controller controller;
    std::unique_ptr<RecorderModule> recorder;
    channel::ChannelModule channel;
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<std::unique_ptr<nand::DieModule>> modules;
};

// Two planes; everything that a channel can join or suspend.
nand::Part twoPlanes(bool chained = false)
{
    nand::Part part = parts()[0];
    part.geometry.planes = 2;
    part.multiPlaneCache = chained;
    return part;
}
constexpr channel::JoinPolicy everything{true, true, channel::Suspend::Both};

// Programs in order, reads and erases elsewhere, some copy-backs in halves; in bursts, so that many can be joined.
void stageJoinable(Wire& wire, int count)
{
    Rng rng(11, "joinable");
    std::array<std::uint32_t, 4> nextPage{};
    for (int i = 0; i < count; ++i) {
        const auto die = static_cast<std::uint32_t>(rng.below(4));
        const std::uint64_t kind = rng.below(8);
        nand::Operation op;
        op.die = DieId{static_cast<std::uint16_t>(die)};
        op.sectors = 1;
        const Time at = i / 16 * 250us;
        if (kind == 0) {
            op.opcode = Opcode::Erase;
            op.target.block = 20 + static_cast<std::uint32_t>(rng.below(2));
        } else if (kind < 4) {
            op.target = {24 + static_cast<std::uint32_t>(rng.below(2)), 0};
            for (; kind == 1 && op.target.page < 2 && i + 1 < count; ++i) { // three pages of a block
                wire.controller.stage(at, op);
                ++op.target.page;
            }
        } else {
            const std::uint32_t page = nextPage[die] / 2;
            op.opcode = Opcode::Program;
            op.target = {page / 64 * 2 + nextPage[die]++ % 2, page % 64};
            if (kind == 7 && page % 64 > 0) {
                op.opcode = Opcode::CopyBack;
                op.form = nand::Form::CopyOut;
                op.source = {op.target.block, 0};
                op.replaced = rng.below(4);
            }
        }
        wire.controller.stage(at, op);
    }
}

// `mix`: plain operations, or what can be joined.
std::vector<Time> completions(bool recorded, bool mix = true)
{
    KernelFixture kernel;
    Wire wire(recorded, 1'000, {}, mix ? parts()[0] : twoPlanes(), mix ? channel::JoinPolicy{} : everything);
    mix ? wire.stageMix(300) : stageJoinable(wire, 300);
    kernel.run();
    std::vector<Time> times;
    for (const auto& done : wire.controller.done)
        times.push_back(done.at);
    CHECK(wire.controller.wrongAnswers == 0);
    CHECK(wire.controller.lateResponses == 0);
    return times;
}

} // namespace

TEST_CASE("a recorder in the wire changes no time")
{
    const std::vector<Time> without = completions(false);
    CHECK(without.size() == 300);
    CHECK(completions(true) == without);
    const std::vector<Time> joined = completions(false, false);
    CHECK(joined.size() == 300);
    CHECK(completions(true, false) == joined);
}

TEST_CASE("a channel's activity with a mix of operations and dies can be drawn, and the lengths agree")
{
    KernelFixture kernel;
    Wire wire(true, 1'000, {});
    wire.stageMix(300);
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 300);
    const PinTwin fast(pinModelOf(proposed(), table2), wire.part);
    const PinTwin slow(pinModelOf(conventional(), table2), wire.part);
    // Fails a check if any request is longer or shorter than its edges, or if two are on the bus at once.
    const ChannelPicture picture = drawChannel({fast, fast, slow, slow}, 2, wire.recorder->operations());
    CHECK(picture.contentions == 0);
    CHECK(std::any_of(wire.recorder->operations().begin(), wire.recorder->operations().end(), [](const auto& recorded) {
        return recorded.op().status == nand::Status::Illegal; // refused operations have a picture too
    }));
    CHECK(picture.waveform.end() >= wire.controller.done.back().at);
}

TEST_CASE("joined, halved and suspended operations of a channel can be drawn, 3Fh included")
{
    const auto suspend = GENERATE(channel::Suspend::Both, channel::Suspend::None); // reads pass programs, or do not
    const bool suspends = suspend == channel::Suspend::Both;
    const bool chained = GENERATE(false, true);
    KernelFixture kernel;
    Wire wire(true, 1'000, {}, twoPlanes(chained), {true, true, suspend});
    stageJoinable(wire, 400);
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 400);
    std::array<std::size_t, nand::formTable.size()> forms{};
    std::size_t cacheEnds = 0;
    Time lastTenure{};
    for (const RecordedOperation& recorded : wire.recorder->operations()) {
        REQUIRE(!recorded.tenures().empty());
        CHECK(recorded.tenures().back().end == recorded.op().done);
        for (const BusTenure& tenure : recorded.tenures()) {
            ++forms[static_cast<std::size_t>(tenure.form)];
            cacheEnds += tenure.phase == channel::NandInterface::Phase::CacheEnd ? 1U : 0U;
            lastTenure = std::max(lastTenure, tenure.end);
        }
    }
    for (const auto& form : nand::formTable) {
        const bool isCut = form.value == nand::Form::Suspend || form.value == nand::Form::Resume;
        if (form.value == nand::Form::WordLinePlane || form.value == nand::Form::WordLinePage ||
            form.value == nand::Form::WordLineEnd || form.value == nand::Form::References ||
            form.value == nand::Form::Sense || form.value == nand::Form::PlaneRead)
            continue; // of other parts
        INFO(form.name << ", " << forms[static_cast<std::size_t>(form.value)] << " times, suspends " << suspends);
        const std::size_t few = form.value == nand::Form::LastPlaneCache ? 1 : 3; // chains need waiting rows
        CHECK((forms[static_cast<std::size_t>(form.value)] > few) ==
              (form.value != nand::Form::Access && (suspends || !isCut) &&
               (chained || form.value != nand::Form::LastPlaneCache)));
    }
    if (!suspends)
        CHECK(cacheEnds > 3);
    const PinTwin fast(pinModelOf(proposed(), table2), wire.part);
    const PinTwin slow(pinModelOf(conventional(), table2), wire.part);
    const ChannelPicture picture = drawChannel({fast, fast, slow, slow}, 2, wire.recorder->operations());
    CHECK(picture.contentions == 0);
    CHECK(picture.waveform.end() >= lastTenure);
    // R/B# of a die is low whenever one of its operations is between request and ready, and only then: a die that is
    // given any command but suspend, resume or the next of a cache sequence has its R/B# high.
    for (const RecordedOperation& recorded : wire.recorder->operations()) {
        for (const BusTenure& tenure : recorded.tenures()) {
            if (tenure.phase != channel::NandInterface::Phase::Request || tenure.form == nand::Form::Suspend)
                continue;
            const std::uint32_t die = raw(recorded.op().die);
            CHECK(picture.waveform.levelAt({Pin::Ready, die}, tenure.start) == 1);
            if (tenure.ready > tenure.end + proposed().tWB)
                CHECK(picture.waveform.levelAt({Pin::Ready, die}, tenure.ready - picoseconds(1)) == 0);
        }
    }
}

TEST_CASE("a suspension lets R/B# rise for operations whose suspend command is not in the recording")
{
    KernelFixture kernel;
    Wire wire(true, 2, 1us, twoPlanes(), everything); // not the first plane, on which the commands travel
    const auto stage = [&](Time at, Opcode opcode, nand::PageAddress target) {
        nand::Operation op;
        op.opcode = opcode;
        op.target = target;
        op.sectors = opcode == Opcode::Erase ? 0 : 1;
        wire.controller.stage(at, op);
    };
    stage(0us, Opcode::Read, {8, 0});    // while this one is at work the erases join the queue
    stage(500ns, Opcode::Erase, {2, 0}); // the first plane
    stage(2us, Opcode::Erase, {3, 0});   // recorded, as the next
    stage(300us, Opcode::Read, {8, 1});
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 2);
    const PinTwin fast(pinModelOf(proposed(), table2), wire.part);
    const ChannelPicture picture = drawChannel({fast, fast, fast, fast}, 2, wire.recorder->operations());
    for (const RecordedOperation& recorded : wire.recorder->operations()) {
        const BusTenure& asked = recorded.tenures().front();
        CHECK(asked.ready < 500us); // the erase takes 2 ms
        if (recorded.op().opcode == Opcode::Read)
            CHECK(picture.waveform.levelAt({Pin::Ready, 0}, asked.start) == 1);
    }
}

TEST_CASE("a recorder keeps the first operations from a time on, and no more than the limit")
{
    KernelFixture kernel;
    Wire wire(true, 5, 1ms);
    wire.stageMix(100);
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 5);
    std::vector<Time> submitted;
    for (const RecordedOperation& recorded : wire.recorder->operations())
        submitted.push_back(recorded.op().submitted);
    std::sort(submitted.begin(), submitted.end());
    CHECK(submitted.front() == 1ms);
    CHECK(submitted.back() == 1ms + 4 * 40us);
    CHECK(wire.controller.completed == 100);
}
