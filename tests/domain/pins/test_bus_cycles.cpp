// SPDX-License-Identifier: Apache-2.0
//
// Where the edges are inside the cycles: the timing diagrams of the paper's Figs. 4 and 6, set-up and hold times.
#include "models/channel/interface_equations.h"
#include "pin_helpers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

nand::Operation at(Opcode opcode, nand::PageAddress target, std::uint32_t sectors = 0)
{
    nand::Operation op = operation(opcode, sectors);
    op.target = target;
    return op;
}

} // namespace

TEST_CASE("every latched byte is stable for set-up and hold time around its edge, on every interface")
{
    for (const InterfaceTiming& timing : interfaces()) {
        const PinTwin twin = twinOf(timing, versatilePart());
        for (const auto& row : busSequenceTable) {
            const Waveform waveform = waveformOf(row.value, twin, 7);
            INFO(timing.name << " " << row.name);
            for (const Capture& capture : waveform.captures()) {
                // Against the pins themselves, not only against the capture's own account of them.
                CHECK(waveform.levelAt({Pin::Data}, capture.at) == capture.byte);
                CHECK(waveform.levelAt({Pin::Data}, capture.validFrom) == capture.byte);
                CHECK(waveform.levelAt({Pin::Data}, capture.validTo - picoseconds(1)) == capture.byte);
            }
        }
    }
}

namespace {

bool keepsItsMargins(const InterfaceTiming& timing)
{
    const PinTwin twin = twinOf(timing, parts()[0]);
    for (const Opcode opcode : {Opcode::Read, Opcode::Program}) {
        const Waveform waveform = replayOf(twin, operation(opcode, 1), 6);
        REQUIRE(waveform.captures().size() >= 6);
        for (const Capture& capture : waveform.captures()) {
            if (capture.setUpMargin() < Time{} || capture.holdMargin() < Time{})
                return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("the paper's interfaces and the modes of SDR keep their set-up and hold times at any clock")
{
    std::vector<InterfaceTiming> timings = interfaces();
    for (std::int64_t period = 12'000; period <= 120'000; period += 333) { // slower than need be
        for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
            timings.push_back(interfaceNamed(name));
            timings.back().cycle = std::max(timings.back().cycle, picoseconds(period));
        }
    }
    for (const InterfaceTiming& timing : timings) {
        const Signalling signalling = signallingOf(timing);
        if (signalling != Signalling::Conventional && signalling != Signalling::DataValidStrobe)
            continue;
        INFO(timing.name << " " << timing.cycle.count());
        CHECK(keepsItsMargins(timing));
    }
}

TEST_CASE("at a fifth of their minimum period the paper's interfaces do not keep their set-up and hold times")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        InterfaceTiming timing = interfaceNamed(name);
        timing.cycle /= 5;
        INFO(name);
        CHECK_FALSE(keepsItsMargins(timing));
    }
}

TEST_CASE("at the minimum period the conventional read capture has exactly its set-up time (eq. 4)")
{
    InterfaceTiming timing = interfaceNamed("CONV");
    const PinTwin twin = twinOf(timing, parts()[0]);
    const Waveform waveform = replayOf(twin, operation(Opcode::Read, 1), 4);
    const Stretch& data = stretchOf(waveform, "data out");
    const Time tD = channel::equation::clockDelay1(table2.alphaPermille, timing.cycle);
    CHECK(tD == picoseconds(9'907));
    std::uint32_t byte = 0;
    for (const Capture& capture : waveform.captures()) {
        if (capture.byDie)
            continue;
        // DCLK rises tD after each clock; RE# falls with the clock and the byte comes a cycle and tD later.
        const Time strobe = data.start + timing.cycle * byte;
        CHECK(capture.at == strobe + timing.cycle + tD - table2.tIN);
        CHECK(capture.validFrom == strobe + table2.tOUT + table2.tREA);
        CHECK(capture.setUpMargin() == picoseconds(1)); // the picosecond by which 19.81333… ns was rounded up
        ++byte;
    }
    CHECK(byte == 4);
    for (const Time edge : edgesOf(waveform, Pin::LatchClock, 1))
        CHECK((edge - data.start - tD).count() % timing.cycle.count() == 0);
}

TEST_CASE("without the delayed clock the capture would come too early, so it takes a later edge")
{
    // alpha = 0: DCLK is the clock; 29.72 ns need two periods of 19.814 ns.
    channel::ElectricalParameters parameters = table2;
    parameters.alphaPermille = 0;
    const PinTwin twin(pinModelOf(interfaceNamed("CONV"), parameters), parts()[0]);
    const Waveform waveform = replayOf(twin, operation(Opcode::Read, 1), 1);
    const Stretch& data = stretchOf(waveform, "data out");
    CHECK(waveform.captures().back().at == data.start + 2 * picoseconds(19'814) - table2.tIN);
}

TEST_CASE("a slow conventional bus latches in the same cycle")
{
    InterfaceTiming timing = interfaceNamed("CONV");
    timing.cycle = 100ns;
    const Waveform waveform = replayOf(twinOf(timing, parts()[0]), operation(Opcode::Read, 1), 2);
    const Stretch& data = stretchOf(waveform, "data out");
    CHECK(waveform.captures().back().at == data.start + 100ns + picoseconds(29'800) - table2.tIN); // alpha of 0.298
    CHECK(waveform.captures().back().at < data.end);
}

TEST_CASE("DVS comes tIOS after its data: the DLL of eq. 2")
{
    const PinTwin twin = twinOf(interfaceNamed("PROPOSED"), parts()[0]);
    const PinTiming& p = twin.model().pins;
    CHECK(p.tIOS == picoseconds(250 + 4'690));
    CHECK(p.tIOH == picoseconds(20));
    CHECK(p.tDLL() == p.tIODmax - p.tRWEBDmin + p.tIOS);
    CHECK((p.tIOS + p.tIOH) * 2 ==
          channel::equation::strobeCycle9(table2.tS, table2.tH, table2.tDIFF)); // eq. 8 is eq. 9

    const Waveform waveform = replayOf(twin, operation(Opcode::Read, 1), 6);
    const Stretch& data = stretchOf(waveform, "data out");
    const std::vector<Time> falls = edgesOf(waveform, Pin::Read, 0);
    REQUIRE(falls.size() == 3); // the controller fetches at both edges, the falling one first
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(falls[i] == data.start + static_cast<int>(i) * 12ns + p.tIODmax + p.tIOS);
    std::vector<Capture> reads;
    for (const Capture& capture : waveform.captures()) {
        if (!capture.byDie)
            reads.push_back(capture);
    }
    REQUIRE(reads.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(reads[i].at == data.start + static_cast<int>(i) * 6ns + p.tIODmax + p.tIOS);
        CHECK(reads[i].setUpMargin() == Time{});
        CHECK(reads[i].holdMargin() == 6ns - p.tIOS - p.tIOH);
    }
}

TEST_CASE("at the minimum period of eq. 9 the strobe leaves nothing to spare")
{
    channel::ElectricalParameters parameters = table2;
    parameters.tBYTE = 1ns; // then 9.92 ns decide
    const InterfaceTiming timing = channel::resolveTiming(channel::InterfaceKind::Proposed, parameters, {});
    CHECK(timing.cycle == picoseconds(9'920));
    const PinTwin twin(pinModelOf(timing, parameters), parts()[0]);
    const Waveform waveform = replayOf(twin, operation(Opcode::Read, 1), 6);
    for (const Capture& capture : waveform.captures()) {
        if (!capture.byDie) {
            CHECK(capture.setUpMargin() == Time{});
            CHECK(capture.holdMargin() == Time{});
        }
    }
}

TEST_CASE("a read: 00h, addresses, 30h, busy, data on request (Figs. 4b and 6b)")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        const InterfaceTiming timing = interfaceNamed(name);
        const PinTwin twin = twinOf(timing, parts()[0]);
        const Waveform waveform = replayOf(twin, at(Opcode::Read, {2, 5}, 1), 4);
        INFO(name);
        CHECK(latched(waveform) == "C00 A00 A00 A85 A00 C30"); // row 2 * 64 + 5
        const Time confirmed = stretchOf(waveform, "30h").end;
        CHECK(edgesOf(waveform, Pin::Ready, 0) == std::vector<Time>{confirmed + 100ns});
        CHECK(edgesOf(waveform, Pin::Ready, 1) == std::vector<Time>{confirmed + 25us});
        const Stretch& data = stretchOf(waveform, "data out");
        CHECK(data.start == confirmed + 25us + 20ns + 20ns); // tR, tRR, tCS
        CHECK(dataBytes(waveform, false) == std::vector<std::uint8_t>{0, 1, 2, 3});
        CHECK(waveform.levelAt({Pin::ChipEnable}, confirmed + 1us) == 1); // others may use the bus
        CHECK(waveform.levelAt({Pin::ChipEnable}, data.start) == 0);
        CHECK(waveform.levelAt({Pin::Data}, waveform.end()) == highImpedance);
        // DDR requests four bytes with two periods of its strobe, the others with four.
        const Pin asks = std::string(name) == "CONV" ? Pin::Read : Pin::Write;
        std::size_t edges = 0;
        for (const Time edge : edgesOf(waveform, asks, 0))
            edges += edge >= data.start && edge < data.end ? 1U : 0U;
        CHECK(edges == (std::string(name) == "PROPOSED" ? 2U : 4U));
    }
}

TEST_CASE("a program: 80h, addresses, data at the strobe's edges, 10h, busy, status (Figs. 4a and 6a)")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        const InterfaceTiming timing = interfaceNamed(name);
        const Waveform waveform = replayOf(twinOf(timing, parts()[0]), at(Opcode::Program, {1, 0}, 1), 5);
        INFO(name);
        CHECK(latched(waveform) == "C80 A00 A00 A40 A00 C10 C70");
        CHECK(dataBytes(waveform, true) == std::vector<std::uint8_t>{0, 1, 2, 3, 4});
        CHECK(dataBytes(waveform, false) == std::vector<std::uint8_t>{0xE0});
        const Stretch& data = stretchOf(waveform, "data in");
        CHECK(stretchOf(waveform, "10h").start == data.end);
        CHECK(waveform.levelAt({Pin::Write}, data.end) == (timing.bytesPerCycle == 2 ? 1 : 0));
        const Time confirmed = stretchOf(waveform, "10h").end;
        CHECK(edgesOf(waveform, Pin::Ready, 1) == std::vector<Time>{confirmed + 200us});
        CHECK(edgesOf(waveform, Pin::Ready, 0) == std::vector<Time>{confirmed + 100ns});
    }
}

TEST_CASE("each written byte has one edge of its own: rising at single, both at double data rate")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        const Waveform waveform = replayOf(twinOf(interfaceNamed(name), parts()[0]), operation(Opcode::Program, 1), 8);
        const Stretch& data = stretchOf(waveform, "data in");
        std::size_t falling = 0;
        std::size_t rising = 0;
        for (const Change& change : waveform.changesOf({Pin::Write})) {
            const bool inside = change.at >= data.start && change.at < data.end;
            falling += inside && change.level == 0 ? 1U : 0U;
            rising += inside && change.level == 1 ? 1U : 0U;
        }
        const std::size_t expected = std::string(name) == "PROPOSED" ? 4U : 8U;
        INFO(name);
        CHECK(falling == expected);
        CHECK(rising == expected);
    }
}

TEST_CASE("erase, copy-back, id and reset put their commands and addresses on the bus")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), parts()[1]); // two column, three row cycles
    CHECK(latched(replayOf(twin, at(Opcode::Erase, {3, 9}))) == "C60 AC0 A00 A00 CD0 C70"); // the page does not count
    nand::Operation copy = at(Opcode::CopyBack, {5, 1});
    copy.source = {4, 2};
    CHECK(latched(replayOf(twin, copy)) == "C00 A00 A00 A02 A01 A00 C35 C85 A00 A00 A41 A01 A00 C10 C70");
    const Waveform id = replayOf(twin, operation(Opcode::ReadId));
    CHECK(latched(id) == "C90 A00");
    CHECK(dataBytes(id, false) == parts()[1].id);
    CHECK(latched(replayOf(twin, operation(Opcode::Reset))) == "CFF");
    CHECK(latched(replayOf(twin, operation(Opcode::ReadStatus))) == "C70");
}

TEST_CASE("a column address counts bytes of the page")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), parts()[0]);
    nand::Operation op = operation(Opcode::Read, 1);
    op.firstSector = 3; // 1536 = 0x600
    CHECK(latched(replayOf(twin, op)) == "C00 A00 A06 A00 A00 C30");
}

TEST_CASE("real bytes are on the pins where an operation carries them, then firmware's record, then blank")
{
    std::vector<std::byte> page(512);
    for (std::size_t i = 0; i < page.size(); ++i)
        page[i] = static_cast<std::byte>(i * 3 + 1);
    nand::Operation op = operation(Opcode::Program, 1);
    op.data = {page.data(), DataMode::Bytes};
    op.spare = {0x11223344, 0, 0, 0};
    nand::Part part = parts()[0];
    part.geometry.pageBytes = 512;
    const std::vector<std::uint8_t> bytes = dataBytes(replayOf(twinOf(interfaceNamed("PROPOSED"), part), op), true);
    REQUIRE(bytes.size() == 512 + 64);
    for (std::size_t i = 0; i < page.size(); ++i)
        CHECK(bytes[i] == static_cast<std::uint8_t>(page[i]));
    CHECK(bytes[512] == 0x44);
    CHECK(bytes[515] == 0x11);
    CHECK(bytes[575] == 0xFF);
}

TEST_CASE("the die releases the bus before tCS has passed")
{
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        const PinTwin twin = twinOf(interfaceNamed(name), parts()[0]);
        Waveform scratch(twin.model().signalling);
        const Tenure tenure = twin.response(scratch, operation(Opcode::Read, 1), {}, 0, 5);
        INFO(name);
        CHECK(tenure.released > tenure.end); // the last byte arrives after its cycle
        CHECK(tenure.released - tenure.end <= 20ns);
    }
}

TEST_CASE("source-synchronous data has CLK, both latches high and DQS from the die while W/R# is low")
{
    const Waveform waveform = replayOf(twinOf(interfaceNamed("NV_DDR_5"), parts()[0]), operation(Opcode::Read, 1), 4);
    const Stretch& data = stretchOf(waveform, "data out");
    CHECK(waveform.nameOf({Pin::Read}) == "W/R#");
    CHECK(waveform.levelAt({Pin::Read}, data.start) == 0);
    CHECK(waveform.levelAt({Pin::Read}, data.start - 1us) == 1);
    CHECK(waveform.levelAt({Pin::CommandLatch}, data.start - 25ns) == 1);
    CHECK(waveform.levelAt({Pin::AddressLatch}, data.start - 25ns) == 1);
    CHECK(edgesOf(waveform, Pin::Strobe, 1) == std::vector<Time>{data.start, data.start + 10ns});
    CHECK(dataBytes(waveform, false) == std::vector<std::uint8_t>{0, 1, 2, 3});
}

TEST_CASE("during warm-up cycles the strobe runs without data")
{
    const Time clock = picoseconds(2500);
    const PinTwin twin = twinOf(interfaceNamed("NV_DDR3_10 with warm-up"), parts()[0]);
    const Waveform read = replayOf(twin, operation(Opcode::Read, 1), 4);
    const Stretch& out = stretchOf(read, "data out");
    CHECK(stretchOf(read, "warm-up").start == out.start - 4 * clock);
    CHECK(edgesOf(read, Pin::Strobe, 1) == std::vector<Time>{out.start - 4 * clock, out.start - 3 * clock,
                                                             out.start - 2 * clock, out.start - clock, out.start,
                                                             out.start + clock});
    CHECK(dataBytes(read, false) == std::vector<std::uint8_t>{0, 1, 2, 3});
    CHECK(read.levelAt({Pin::Data}, out.start - clock) == highImpedance);
    const Waveform program = replayOf(twin, operation(Opcode::Program, 1), 4);
    const Stretch& in = stretchOf(program, "data in");
    CHECK(program.levelAt({Pin::Strobe}, in.start - clock / 2) == 1);
    CHECK(program.levelAt({Pin::Data}, in.start - clock / 2) == highImpedance);
    CHECK(program.levelAt({Pin::Strobe}, in.start - clock) == 0); // the preamble is inside tADL
}
