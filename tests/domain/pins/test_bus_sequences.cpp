// SPDX-License-Identifier: Apache-2.0
//
// Whole sequences against the transaction level: the same operations through the channel's interface block, which joins
// and suspends them, to real dies. Every time on the bus and every edge of R/B# must be the same, to the picosecond.
#include "pin_helpers.h"
#include "tests/domain/channel/train_player.h"
#include "tests/support/sanitizers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;
using channel::test::TrainPlayer;
using Phase = channel::NandInterface::Phase;

namespace {

struct Span {
    Time from;
    Time to;

    friend bool operator==(Span a, Span b) { return a.from == b.from && a.to == b.to; }
    friend std::ostream& operator<<(std::ostream& out, Span s) { return out << s.from.count() << ".." << s.to.count(); }
};
using Spans = std::vector<Span>;

// Touching and overlapping ones as one. REQUIRES: in order of their beginning.
Spans merged(const Spans& spans)
{
    Spans all;
    for (const Span span : spans) {
        if (!all.empty() && span.from <= all.back().to)
            all.back().to = std::max(all.back().to, span.to);
        else
            all.push_back(span);
    }
    return all;
}

struct Account { // of a sequence
    Spans bus;
    Spans low; // R/B#
    Time end{};
};

Account accountOf(const Waveform& waveform)
{
    Account account;
    for (const Stretch& stretch : waveform.stretches()) {
        if (stretch.onBus)
            account.bus.push_back({stretch.start, stretch.end});
        account.end = std::max(account.end, stretch.end);
    }
    account.bus = merged(account.bus);
    const std::vector<Change> changes = waveform.changesOf({Pin::Ready});
    REQUIRE(changes.size() % 2 == 0);
    for (std::size_t i = 0; i < changes.size(); i += 2)
        account.low.push_back({changes[i].at, changes[i + 1].at});
    return account;
}

// The sequence's operations at the transaction level on an idle channel.
Account played(BusSequence sequence, const InterfaceTiming& timing, const nand::Part& part)
{
    TrainPlayer player(timing, part, 1, {true, true, channel::Suspend::Both});
    const std::vector<nand::Operation> ops = operationsOf(sequence, part);
    Time begin{};
    if (sequence == BusSequence::CopyBackHalves) { // of a blank page there is no second half
        nand::Operation source = operation(Opcode::Program);
        source.target = ops.front().source;
        player.add(0, {}, source);
        begin = 1s;
    }
    const channel::BusSchedule schedule(timing, part);
    Time arrival = begin;
    for (const nand::Operation& op : ops) {
        player.add(0, arrival, op);
        if (sequence == BusSequence::ProgramSuspend || sequence == BusSequence::EraseSuspend)
            arrival += schedule.requestTime(op) + suspendedAfter(op, part);
    }
    player.play();

    Account account;
    for (const TrainPlayer::Tenure& t : player.tenures) {
        if (t.start < begin)
            continue;
        account.bus.push_back({t.start - begin, t.end - begin});
        const Time falls = t.end - begin + timing.tWB;
        const Time ready =
            (t.phase == Phase::CacheEnd ? std::max(t.end, t.op->arrayEnd) + part.times.tRCBSY : t.ready) - begin;
        if (t.form == nand::Form::Suspend && t.phase == Phase::Request)
            account.low.back().to = ready;
        if (t.phase != Phase::Response && falls < ready)
            account.low.push_back({falls, ready});
    }
    account.bus = merged(account.bus);
    account.low = merged(account.low);
    for (const nand::Operation& op : player.operations)
        account.end = std::max(account.end, op.done - begin);
    return account;
}

} // namespace

TEST_CASE("every sequence has the bus and R/B# when the transaction level has, on every interface, to the picosecond")
{
    std::size_t combination = 0; // under sanitizers every fifth one
    for (InterfaceTiming timing : interfaces()) {
        for (const nand::Part& part : {versatilePart(), wordLinePart(), phaseChangePart()}) {
            for (const bool status : {true, false}) {
                if (strobe::test::isSanitized && combination++ % 5 != 0)
                    continue;
                timing.statusAfterArray = status;
                const PinTwin twin = twinOf(timing, part);
                for (const auto& row : busSequenceTable) {
                    if (!unsupportedReason(row.value, twin).empty())
                        continue;
                    INFO(timing.name << " " << part.name << " " << row.name << (status ? "" : ", no status read"));
                    const Account pins = accountOf(waveformOf(row.value, twin));
                    const Account transactions = played(row.value, timing, part);
                    CHECK(pins.bus == transactions.bus);
                    CHECK(pins.low == transactions.low);
                    CHECK(pins.end == transactions.end);
                }
            }
        }
    }
}

TEST_CASE("a part of two planes can do all sequences, others only what they can")
{
    const PinTwin all = twinOf(interfaceNamed("CONV"), versatilePart());
    const PinTwin pcm = twinOf(interfaceNamed("CONV"), phaseChangePart());
    const PinTwin wordLines = twinOf(interfaceNamed("CONV"), wordLinePart());
    std::string ofPcm;
    std::string notOfWordLines;
    for (const auto& row : busSequenceTable) {
        if (!unsupportedReason(row.value, wordLines).empty())
            notOfWordLines += std::string(row.name) + " ";
        CHECK(unsupportedReason(row.value, all).empty());
        if (unsupportedReason(row.value, pcm).empty())
            ofPcm += std::string(row.name) + " ";
    }
    CHECK(ofPcm == "read program status id reset ");
    CHECK(notOfWordLines == "copyback cache-program copyback-halves program-suspend multi-plane-cache-program ");
}

TEST_CASE("an operation that a part does not have is refused with a reason")
{
    const auto reason = [](BusSequence sequence, const nand::Part& part) {
        return unsupportedReason(sequence, twinOf(interfaceNamed("CONV"), part));
    };
    CHECK(reason(BusSequence::Erase, phaseChangePart()) ==
          "it is phase-change memory, which has neither erase nor copy-back");
    CHECK(reason(BusSequence::CacheRead, phaseChangePart()) ==
          "it is phase-change memory, which has no cache register");
    CHECK(reason(BusSequence::MultiPlaneRead, parts()[0]) == "it has one plane");
    nand::Part part = versatilePart();
    part.multiPlane = nand::MultiPlaneRule::None;
    CHECK(reason(BusSequence::MultiPlaneErase, part) == "it has no multi-plane commands");
    CHECK(reason(BusSequence::MultiPlaneCacheProgram, part) == "it has no multi-plane commands");
    part.maxSuspends = 0;
    CHECK(reason(BusSequence::EraseSuspend, part) == "it cannot suspend");
    CHECK(reason(BusSequence::ProgramSuspend, part) == "it cannot suspend");
    part = versatilePart();
    part.pageTypes.clear();
    part.times.tPROG = 2 * part.times.tPSUSP;
    CHECK(reason(BusSequence::ProgramSuspend, part) ==
          "its program is over before the array could come to rest from half way on");
    part.times.tBERS = 2 * part.times.tESUSP;
    CHECK(reason(BusSequence::EraseSuspend, part) ==
          "its erase is over before the array could come to rest from half way on");
    part = versatilePart();
    part.multiPlaneCache = false;
    CHECK(reason(BusSequence::MultiPlaneCacheProgram, part) == "it has no multi-plane cache programs");
    part.geometry.planes = part.geometry.blocksPerPlane = 1;
    CHECK(reason(BusSequence::ProgramSuspend, part) == "it has one block, and meanwhile only others can be read");
}

TEST_CASE("planes: each is requested, the last with the confirm that starts the array, then each responds")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), versatilePart()); // 32 blocks of 64 pages: rows 30 * 64 + 1, …
    CHECK(latched(waveformOf(BusSequence::MultiPlaneRead, twin, 2)) ==
          "C00 A00 A00 A81 A07 A00 C32 C00 A00 A00 AC1 A07 A00 C30 "
          "C06 A00 A00 A81 A07 A00 CE0 C06 A00 A00 AC1 A07 A00 CE0");
    CHECK(latched(waveformOf(BusSequence::MultiPlaneProgram, twin, 2)) ==
          "C80 A00 A00 A81 A07 A00 C11 C80 A00 A00 AC1 A07 A00 C10 C78 A81 A07 A00 C78 AC1 A07 A00");
    CHECK(latched(waveformOf(BusSequence::MultiPlaneErase, twin)) ==
          "C60 A80 A07 A00 CD1 C60 AC0 A07 A00 CD0 C78 A80 A07 A00 C78 AC0 A07 A00");
    nand::Part four = versatilePart();
    four.geometry.planes = 4;
    const Waveform waveform = waveformOf(BusSequence::MultiPlaneErase, twinOf(interfaceNamed("CONV"), four));
    CHECK(edgesOf(waveform, Pin::Ready, 0).size() == 4);
}

TEST_CASE("cache: pages overlap with the array, 3Fh and 10h end the sequence")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), versatilePart()); // last block: rows 31 * 64 + 1, …
    const Waveform read = waveformOf(BusSequence::CacheRead, twin, 2);
    CHECK(latched(read) == "C00 A00 A00 AC1 A07 A00 C30 C00 A00 A00 AC2 A07 A00 C31 C00 A00 A00 AC3 A07 A00 C31 C3F");
    CHECK(dataBytes(read, false) == std::vector<std::uint8_t>{0, 1, 0, 1, 0, 1});
    CHECK(latched(waveformOf(BusSequence::CacheProgram, twin, 2)) ==
          "C80 A00 A00 AC1 A07 A00 C15 C80 A00 A00 AC2 A07 A00 C15 C70 C80 A00 A00 AC3 A07 A00 C10 C70 C70");
    // The second 31h finds the array at work for the page before it: R/B# is low for what is left of tR, then tRCBSY.
    std::vector<Time> fetches;
    for (const Stretch& stretch : read.stretches()) {
        if (stretch.label == "tR")
            fetches.push_back(stretch.length());
    }
    REQUIRE(fetches.size() == 3);
    CHECK(fetches[0] == 25us);
    CHECK((fetches[1] > 10us && fetches[1] < 15us)); // it has worked on while data and command were on the bus
    CHECK((fetches[2] > 20us && fetches[2] < 25us));
}

TEST_CASE("a copy-back in halves: the spare record out, what is replaced in, each run after its column")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), versatilePart());
    const Waveform waveform = waveformOf(BusSequence::CopyBackHalves, twin, 2);
    CHECK(latched(waveform) == "C00 A00 A00 AC0 A07 A00 C35 C05 A00 A06 CE0 " // the spare bytes begin at 1536
                               "C85 A00 A00 AC1 A07 A00 C85 A00 A04 C85 A00 A06 C10 C70");
    CHECK(dataBytes(waveform, false).size() == 16 + 1); // the record, the status
    std::vector<std::uint8_t> in{0, 1, 0, 1}; // two bytes of each sector: the counting pattern repeats at 1024
    in.resize(4 + 16, 0xFF);                  // the operation's record is blank
    CHECK(dataBytes(waveform, true) == in);

    nand::Operation op = operation(Opcode::CopyBack);
    op.form = nand::Form::CopyIn;
    op.replaced = 0b010; // not the first sector
    CHECK(latched(replayOf(twin, op, 1)) == "C85 A00 A02 A00 A00 A00 C10 C70");
    op.replaced = 0;
    op.replacesSpare = true;
    CHECK(latched(replayOf(twin, op, 1)) == "C85 A00 A06 A00 A00 A00 C10 C70");
    op.replacesSpare = false;
    CHECK(latched(replayOf(twin, op, 1)) == "C85 A00 A00 A00 A00 A00 C10 C70");
}

TEST_CASE("suspend, the read of another block, resume; R/B# rises when the array has stopped")
{
    const nand::Part part = versatilePart();
    const PinTwin twin = twinOf(interfaceNamed("CONV"), part);
    const Waveform program = waveformOf(BusSequence::ProgramSuspend, twin, 2);
    CHECK(latched(program) == "C80 A00 A00 AC1 A07 A00 C10 C84 C00 A00 A00 A01 A00 A00 C30 C13 C70");
    CHECK(edgesOf(program, Pin::Ready, 1)[0] == stretchOf(program, "84h").end + part.times.tPSUSP);
    const Waveform erase = waveformOf(BusSequence::EraseSuspend, twin, 2);
    CHECK(latched(erase) == "C60 AC0 A07 A00 CD0 C61 C00 A00 A00 A01 A00 A00 C30 CD2 C70");
    CHECK(edgesOf(erase, Pin::Ready, 1)[0] == stretchOf(erase, "61h").end + part.times.tESUSP);
    // What the array does before, during the command and after it is the whole program.
    Time worked = stretchOf(program, "84h").end - stretchOf(program, "10h").end;
    worked += program.stretches()[program.stretches().size() - 6].length();
    CHECK(program.stretches()[program.stretches().size() - 6].label == "tPROG");
    CHECK(worked == part.tPROG(1));
}

TEST_CASE("a page of PCM goes over the bus access by access, each after the column where it begins")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), phaseChangePart());
    const Waveform read = waveformOf(BusSequence::Read, twin);
    CHECK(latched(read) == "C00 A00 A00 AC1 A03 A00 C30 C00 A11 A02 AC1 A03 A00 C30 C00 A22 A04 AC1 A03 A00 C30");
    const std::vector<std::uint8_t> bytes = dataBytes(read, false);
    REQUIRE(bytes.size() == 3 * 529); // (1536 + 49) / 3, rounded up
    CHECK(bytes[529] == static_cast<std::uint8_t>(529));
    CHECK(bytes[1535] == 0xFF); // the last byte of data counts to 1535, then the record
    CHECK(latched(waveformOf(BusSequence::Program, twin, 1)) ==
          "C80 A00 A00 AC1 A03 A00 C10 C70 C80 A01 A00 AC1 A03 A00 C10 C70 C80 A02 A00 AC1 A03 A00 C10 C70");
}
