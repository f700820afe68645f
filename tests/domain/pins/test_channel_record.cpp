// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/pins/channel_record.h"
#include "pin_helpers.h"
#include "tests/domain/channel/train_player.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

using Phase = channel::NandInterface::Phase;
using channel::test::TrainPlayer;

// An operation as a channel leaves it, on an idle bus, from `start` on.
RecordedOperation carriedOut(const channel::BusSchedule& schedule, nand::Operation op, std::uint16_t die, Time start)
{
    op.die = DieId{die};
    op.requestStart = start;
    op.requestEnd = start + schedule.requestTime(op);
    op.ready = op.requestEnd + schedule.arrayTime(op);
    const Time answers = schedule.responsePossible(op, op.ready);
    op.done = answers + schedule.responseTime(op);
    return {op,
            {{Phase::Request, op.form, 0, start, op.requestEnd, op.ready},
             {Phase::Response, op.form, 0, answers, op.done, op.done}}};
}

} // namespace

TEST_CASE("a channel's picture is that of its operations, each where its time stamps say")
{
    const nand::Part part = parts()[0];
    for (const char* name : {"CONV", "PROPOSED"}) {
        const InterfaceTiming timing = interfaceNamed(name);
        const channel::BusSchedule schedule(timing, part);
        const PinTwin twin = twinOf(timing, part);
        const nand::Operation op = operation(Opcode::Read, 1);
        const Time start = 7us;
        const ChannelPicture picture = drawChannel({twin}, 1, {carriedOut(schedule, op, 0, start)});
        const Waveform alone = replayOf(twin, op);
        INFO(name);
        REQUIRE(picture.waveform.changes().size() == alone.changes().size());
        for (std::size_t i = 0; i < alone.changes().size(); ++i) {
            const Change& change = picture.waveform.changes()[i];
            CHECK(change.at == alone.changes()[i].at + start);
            CHECK(change.level == alone.changes()[i].level);
        }
        CHECK(picture.contentions == 0);
    }
}

TEST_CASE("dies have chip enables by way and R/B# of their own")
{
    const nand::Part part = parts()[0];
    const InterfaceTiming timing = interfaceNamed("CONV");
    const channel::BusSchedule schedule(timing, part);
    const std::vector<PinTwin> twins(4, twinOf(timing, part));                           // two ways of two dies
    const RecordedOperation op = carriedOut(schedule, operation(Opcode::Erase), 7, 1us); // die 3 of the second channel
    const ChannelPicture picture = drawChannel(twins, 2, {op});
    const Waveform& w = picture.waveform;
    CHECK(w.lines().size() == 2 + 4 + 6);
    CHECK(w.identifierOf({Pin::ChipEnable, 1}) == "CE_n1");
    CHECK(w.changesOf({Pin::ChipEnable, 0}).empty());
    CHECK(w.changesOf({Pin::ChipEnable, 1}).size() == 4);
    CHECK(w.changesOf({Pin::Ready, 3}).size() == 2);
    CHECK(w.changesOf({Pin::Ready, 2}).empty());
}

TEST_CASE("a chip that is selected twice without a gap stays selected")
{
    const nand::Part part = parts()[0];
    const InterfaceTiming timing = interfaceNamed("CONV");
    const channel::BusSchedule schedule(timing, part);
    const RecordedOperation first = carriedOut(schedule, operation(Opcode::Read, 1), 0, 0us);
    const RecordedOperation second = carriedOut(schedule, operation(Opcode::Read, 1), 0, first.op().done);
    const Waveform w = drawChannel({twinOf(timing, part)}, 1, {first, second}).waveform;
    // request, response and the next request, response: down, up, down (both), up
    CHECK(w.changesOf({Pin::ChipEnable, 0}).size() == 6);
    CHECK(w.levelAt({Pin::ChipEnable, 0}, first.op().done) == 0);
}

TEST_CASE("driving the bus before a die has released it is counted")
{
    const nand::Part part = parts()[0];
    InterfaceTiming timing = interfaceNamed("CONV");
    timing.tCS = {};
    const channel::BusSchedule schedule(timing, part);
    const RecordedOperation first = carriedOut(schedule, operation(Opcode::Read, 1), 0, 0us);
    const RecordedOperation second = carriedOut(schedule, operation(Opcode::Erase), 1, first.op().done);
    const std::vector<PinTwin> twins(2, twinOf(timing, part));
    CHECK(drawChannel(twins, 1, {first, second}).contentions == 1);
}

TEST_CASE("time stamps that do not match the interface are detected")
{
    const nand::Part part = parts()[0];
    const channel::BusSchedule fast(interfaceNamed("PROPOSED"), part);
    const RecordedOperation op = carriedOut(fast, operation(Opcode::Read, 1), 0, 0us);
    CHECK_THROWS_AS(drawChannel({twinOf(interfaceNamed("CONV"), part)}, 1, {op}), InternalError);
}

TEST_CASE("a recorded operation keeps its bytes when their place is used again")
{
    std::vector<std::byte> buffer(512, std::byte{0xA5});
    nand::Operation op = operation(Opcode::Program, 1);
    op.data = {buffer.data(), DataMode::Bytes};
    const RecordedOperation recorded(op, {});
    buffer.assign(512, std::byte{0});
    CHECK(recorded.op().data.data[511] == std::byte{0xA5});
}

TEST_CASE("a recorded copy-back keeps its bytes up to the last sector that is replaced")
{
    std::vector<std::byte> buffer(4 * 512, std::byte{0x5A});
    nand::Operation op = operation(Opcode::CopyBack);
    op.data = {buffer.data(), DataMode::Bytes};
    op.replaced = 0b0101;
    const RecordedOperation recorded(op, {});
    buffer.assign(4 * 512, std::byte{0});
    CHECK(recorded.op().data.data[3 * 512 - 1] == std::byte{0x5A});

    nand::Operation in = recorded.op();
    in.form = nand::Form::CopyIn;
    const std::vector<std::uint8_t> bytes = dataBytes(replayOf(twinOf(interfaceNamed("CONV"), parts()[0]), in), true);
    REQUIRE(bytes.size() == 2 * (512 + 16)); // each with its share of the spare bytes
    CHECK(bytes[511] == 0x5A);
    CHECK(bytes[512] == 0xFF);
    CHECK(bytes[512 + 16 + 511] == 0x5A);
}

TEST_CASE("all joined, halved and suspended operations of a channel can be drawn without collisions")
{
    const auto suspend = GENERATE(channel::Suspend::Both, channel::Suspend::None); // reads pass programs, or do not
    const bool suspends = suspend == channel::Suspend::Both;
    using Clock = std::pair<const char*, Time>;
    for (const auto& [name, arrivals] : {Clock{"CONV", 150us}, Clock{"PROPOSED", 30us}, Clock{"NV_DDR2_7", 20us}}) {
        const nand::Part part = versatilePart();
        const InterfaceTiming timing = interfaceNamed(name);
        TrainPlayer player(timing, part, 3, {true, true, suspend});
        Rng rng(3, "mix");
        std::array<std::uint32_t, 3> nextPage{};
        for (int i = 0; i < 600; ++i) {
            const Time at = arrivals * (i / 6); // in heaps
            const auto die = static_cast<std::uint32_t>(rng.below(3));
            const bool isErase = rng.below(8) == 0;
            const bool isRead = rng.below(3) == 0;
            nand::Operation op = operation(isErase ? Opcode::Erase : isRead ? Opcode::Read : Opcode::Program);
            op.sectors = isErase ? 0 : 1 + static_cast<std::uint32_t>(rng.below(3));
            op.target.block = static_cast<std::uint32_t>(rng.below(2)); // of both planes; others are erased
            const std::uint32_t page = nextPage[die] / 2;               // each in both planes
            if (isErase) {
                op.target.block += 10;
            } else if (isRead) {
                op.target.block += 20;
                for (; rng.below(2) == 0 && op.target.page < 2; ++op.target.page)
                    player.add(die, at, op);
            } else {
                op.target.block = page / 64 * 2 + nextPage[die]++ % 2;
                op.target.page = page % 64;
                if (page % 64 > 0 && rng.below(3) == 0) {
                    op.opcode = Opcode::CopyBack;
                    op.form = nand::Form::CopyOut;
                    op.sectors = 0;
                    op.source = {op.target.block, 0};
                    op.replaced = rng.below(8);
                    op.replacesSpare = rng.below(2) == 0;
                }
            }
            player.add(die, at, op);
        }
        player.play();
        std::vector<RecordedOperation> recorded;
        std::size_t cacheEnds = 0;
        std::array<std::size_t, nand::formTable.size()> forms{};
        for (const nand::Operation& op : player.operations) {
            std::vector<BusTenure> tenures;
            for (const TrainPlayer::Tenure& t : player.tenures) {
                if (t.op == &op)
                    tenures.push_back({t.phase, t.form, t.accesses, t.start, t.end, t.ready});
            }
            for (const BusTenure& tenure : tenures) {
                ++forms[static_cast<std::size_t>(tenure.form)];
                cacheEnds += tenure.phase == Phase::CacheEnd ? 1U : 0U;
            }
            recorded.emplace_back(op, tenures);
        }
        INFO(name);
        for (const auto& form : nand::formTable) {
            const bool isCut = form.value == nand::Form::Suspend || form.value == nand::Form::Resume;
            const bool isOfWordLine = form.value == nand::Form::WordLinePlane ||
                                      form.value == nand::Form::WordLinePage || form.value == nand::Form::WordLineEnd;
            const bool isOfOtherParts = form.value == nand::Form::References || form.value == nand::Form::Sense ||
                                        form.value == nand::Form::PlaneRead;
            if (isOfWordLine || isOfOtherParts)
                continue;
            INFO(form.name);
            CHECK((forms[static_cast<std::size_t>(form.value)] > 5) ==
                  (form.value != nand::Form::Access && (suspends || !isCut)));
        }
        if (!suspends)
            CHECK(cacheEnds > 5);
        // Fails a check if any tenure is longer or shorter than its edges, or if two are on the bus at once.
        CHECK(drawChannel(std::vector<PinTwin>(3, twinOf(timing, part)), 1, recorded).contentions == 0);
    }
}

TEST_CASE("programs of word lines can be drawn from the record of a channel")
{
    const nand::Part part = wordLinePart();
    const InterfaceTiming timing = interfaceNamed("NV_DDR2_7");
    TrainPlayer player(timing, part, 2, {true, false, channel::Suspend::Program});
    for (std::uint32_t page = 0; page < 16; ++page) {
        for (std::uint32_t block = 0; block < 4; ++block) {
            nand::Operation op = operation(Opcode::Program, 3);
            op.target = {block, page};
            player.add(block / 2, Time{}, op);
        }
        nand::Operation read = operation(Opcode::Read, 3);
        read.target = {20, page};
        player.add(page % 2, page * 100us, read);
    }
    player.play();
    CHECK(player.interface.suspensions() > 2);
    std::vector<RecordedOperation> recorded;
    for (const nand::Operation& op : player.operations) {
        std::vector<BusTenure> tenures;
        for (const TrainPlayer::Tenure& t : player.tenures) {
            if (t.op == &op)
                tenures.push_back({t.phase, t.form, t.accesses, t.start, t.end, t.ready});
        }
        CHECK(!tenures.empty());
        recorded.emplace_back(op, tenures);
    }
    // Fails a check if any tenure is longer or shorter than its edges, or if two are on the bus at once.
    CHECK(drawChannel(std::vector<PinTwin>(2, twinOf(timing, part)), 1, recorded).contentions == 0);
}

TEST_CASE("a record keeps the spare records of an operation, whose memory is used again when it has ended")
{
    const nand::Part part = parts()[0];
    const channel::BusSchedule schedule(interfaceNamed("CONV"), part);
    std::vector<nand::Spare> flashUnit{{1, 2, 3}, {4, 5, 6}};
    nand::Operation op = operation(Opcode::Program, 3 * nand::sectorsPerRecord);
    op.moreSpares = flashUnit.data();
    const RecordedOperation recorded = carriedOut(schedule, op, 0, 0us);
    const std::vector<nand::Spare> sent = flashUnit;
    flashUnit = {{7, 8, 9}, {7, 8, 9}};
    const nand::Operation kept = recorded.op();
    REQUIRE(kept.moreSpares != nullptr);
    CHECK(std::vector<nand::Spare>(kept.moreSpares, kept.moreSpares + 2) == sent);
}
