// SPDX-License-Identifier: Apache-2.0
//
// Read capture: registers, pattern reads, and that only ECC detects wrong settings.
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

namespace flash = regs::flash;

constexpr std::uint32_t positions = ReadCapture::fineSteps; // of one cycle of the fast clock

FlashControllerConfig captured(DataMode mode = DataMode::Tags)
{
    FlashControllerConfig config = Bench::oneUnit();
    config.dataMode = mode;
    config.capture.emplace();
    config.capture->electrical.tOUT = 8ns;
    config.capture->electrical.tIN = 2ns;
    config.capture->baseCycle = 20ns;
    config.capture->fastClock = picoseconds(2'500);
    config.capture->idBytes = 4;
    return config;
}

std::uint32_t setting(std::uint32_t divider, std::uint32_t position)
{
    return divider | position / positions << flash::DIE_CAPTURE_coarse_shift |
           position % positions << flash::DIE_CAPTURE_fine_shift;
}

// The position in the middle of the window of die 0.
std::uint32_t middle(const Bench& bench, std::uint32_t divider)
{
    const ReadCapture& capture = *bench.controller.capture();
    const channel::OutputWindow window = capture.window(DieId{0}, capture.cycleOf({divider, 0, 0}), bench.now);
    REQUIRE(window.width() > 0);
    return static_cast<std::uint32_t>((window.opens + window.closes) / 2 / 2'500 * positions);
}

void writePage(Bench& bench)
{
    bench.putTags(0, 100, 4);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.outcome(0).code == StatusCode::Ok);
}

StatusCode readPage(Bench& bench, std::uint32_t captureSetting)
{
    bench.write(flash::DIE_CAPTURE, captureSetting);
    bench.put(1, pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 8));
    bench.head(0, descriptorAt(1));
    bench.run();
    return bench.outcome(1).code;
}

// Mismatches of a pattern read of die 0; the pattern is learnt first.
std::uint32_t mismatches(Bench& bench, std::uint32_t trial)
{
    const auto ask = [&](std::uint32_t value, std::uint32_t request) {
        bench.write(flash::PATTERN_SETTING, value);
        bench.write(flash::PATTERN_READ, request);
        CHECK(bench.read(flash::PATTERN_STATUS) == flash::PATTERN_STATUS_busy_mask);
        bench.run();
        const std::uint32_t status = bench.read(flash::PATTERN_STATUS);
        CHECK((status & flash::PATTERN_STATUS_busy_mask) == 0);
        CHECK((status & flash::PATTERN_STATUS_done_mask) != 0);
        CHECK((status & flash::PATTERN_STATUS_bits_mask) >> flash::PATTERN_STATUS_bits_shift == 32);
        bench.write(flash::PATTERN_STATUS, 0);
        return (status & flash::PATTERN_STATUS_mismatches_mask) >> flash::PATTERN_STATUS_mismatches_shift;
    };
    CHECK(ask(0, flash::PATTERN_READ_learn_mask) == 0);
    return ask(trial, 0);
}

} // namespace

TEST_CASE("firmware finds read capture in the registers, and without it there is nothing")
{
    Bench without;
    CHECK(without.read(flash::CAPTURE) == 0);
    std::uint32_t value = 0;
    CHECK(without.controller.readRegister(flash::DIE_CAPTURE, value, without.now) == Access::Unmapped);

    FlashControllerConfig config = captured();
    config.array = {2, 2, 1};
    Bench bench(config);
    const std::uint32_t capture = bench.read(flash::CAPTURE);
    CHECK((capture & flash::CAPTURE_present_mask) != 0);
    CHECK((capture & flash::CAPTURE_fine_steps_mask) >> flash::CAPTURE_fine_steps_shift == ReadCapture::fineSteps);
    CHECK((capture & flash::CAPTURE_dividers_mask) >> flash::CAPTURE_dividers_shift == 7); // 8 is the base clock
    CHECK(bench.controller.readRegister(flash::DIE_CAPTURE + 12, value, bench.now) == Access::Ok);
    CHECK(bench.controller.readRegister(flash::DIE_CAPTURE + 16, value, bench.now) == Access::Unmapped);
}

TEST_CASE("a page comes with its die's clock and sampling offset; nothing else does")
{
    Bench bench(captured());
    writePage(bench);
    CHECK(bench.sent.back().op.outputCycle == Time{});
    const std::uint32_t position = middle(bench, 2);
    CHECK(readPage(bench, setting(2, position)) == StatusCode::Ok);
    CHECK(bench.hasTags(8, 100, 4));
    CHECK(bench.sent.back().op.outputCycle == 5ns);
    CHECK(bench.sent.back().op.sampleAt == picoseconds(2'500) * position / 8);
    CHECK(readPage(bench, 0) == StatusCode::Ok); // the base clock
    CHECK(bench.sent.back().op.outputCycle == Time{});
    CHECK(bench.controller.ecc(ChannelId{0}).counters().pages() == 0);
    CHECK(bench.controller.capture()->counters().pagesWithErrors == 0);
}

TEST_CASE("a sample outside of the window takes wrong bits, which ECC finds beyond correction")
{
    for (const int away : {-40, 40}) {
        Bench bench(captured());
        writePage(bench);
        const auto wrong = static_cast<std::uint32_t>(static_cast<int>(middle(bench, 2)) + away);
        CHECK(readPage(bench, setting(2, wrong)) == StatusCode::Uncorrectable);
        CHECK(bench.controller.ecc(ChannelId{0}).counters().uncorrectable == 1);
        CHECK(bench.controller.capture()->counters().pagesWithErrors == 1);
        CHECK(bench.controller.capture()->counters().wrongBits > 3'000); // of 8,192 in a codeword, half
    }
}

TEST_CASE("without a code the wrong bits are in the data, where an integrity check sees them")
{
    for (const DataMode mode : {DataMode::Tags, DataMode::Bytes}) {
        FlashControllerConfig config = captured(mode);
        config.ecc.code.correctableBits = 0;
        Bench bench(config);
        const Content written = bench.memory.sectors(bufferAt(0), 4);
        for (std::size_t i = 0; mode == DataMode::Bytes && i < 4 * sectorBytes; ++i)
            written.data[i] = static_cast<std::byte>(i * 7);
        if (mode == DataMode::Tags)
            bench.putTags(0, 100, 4);
        bench.put(0, pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0));
        bench.head(0, descriptorAt(0));
        bench.run();
        const auto sameAs = [&] {
            return std::memcmp(bench.memory.sectors(bufferAt(8), 4).data, bench.memory.sectors(bufferAt(0), 4).data,
                               4 * stride(mode)) == 0;
        };
        const std::uint32_t position = middle(bench, 2);
        CHECK(readPage(bench, setting(2, position)) == StatusCode::Ok);
        CHECK(sameAs());
        CHECK(readPage(bench, setting(2, position + 40)) == StatusCode::Ok);
        CHECK_FALSE(sameAs());
    }
}

TEST_CASE("close to the end of the window few bits are wrong, and ECC corrects them")
{
    const Bench bench(captured());
    const ReadCapture& capture = *bench.controller.capture();
    const channel::OutputWindow window = capture.window(DieId{0}, 5ns, bench.now);
    FlashControllerConfig config = captured();
    const std::uint32_t position = middle(bench, 2);
    const double sample = 2'500.0 * position / 8;
    config.capture->drift = picoseconds(static_cast<std::int64_t>(window.closes - 3 * 60 - sample));
    Bench drifting(config);
    writePage(drifting);
    CHECK(readPage(drifting, setting(2, position)) == StatusCode::Ok);
    CHECK(drifting.hasTags(8, 100, 4));
    CHECK(drifting.controller.ecc(ChannelId{0}).counters().corrected == 1);
    CHECK(drifting.controller.ecc(ChannelId{0}).counters().correctedBits < 40);
}

TEST_CASE("a drift after the calibration is caught although every pattern read matches")
{
    FlashControllerConfig config = captured();
    config.capture->drift = 3ns;
    Bench bench(config);
    writePage(bench);
    const std::uint32_t good = setting(2, middle(bench, 2));
    CHECK(mismatches(bench, good) == 0);
    CHECK(readPage(bench, good) == StatusCode::Uncorrectable);
}

TEST_CASE("pattern reads match only inside the window, and use the settings of PATTERN_SETTING")
{
    Bench bench(captured());
    const std::uint32_t position = middle(bench, 2);
    CHECK(mismatches(bench, setting(2, position)) == 0);
    CHECK(bench.sent.back().op.opcode == nand::Opcode::ReadId);
    CHECK(bench.sent.back().op.priority == nand::Priority::Foreground);
    CHECK(bench.sent.back().op.outputCycle == 5ns);
    CHECK(mismatches(bench, setting(2, position + 40)) > 4);
    CHECK(mismatches(bench, setting(1, position)) > 4); // the die cannot: there is no window
    CHECK(bench.controller.capture()->counters().patternReads == 6);
    CHECK(bench.controller.dispatcher().counters().issued == 0); // no unit has sent anything
}

TEST_CASE("a second pattern read while one is in progress is refused, and so is one of a die that does not exist")
{
    Bench bench(captured());
    bench.write(flash::PATTERN_READ, 0);
    bench.write(flash::PATTERN_READ, 0);
    bench.run();
    CHECK(bench.sent.size() == 1);
    bench.write(flash::PATTERN_STATUS, 0);
    bench.write(flash::PATTERN_READ, 1);
    bench.run();
    CHECK(bench.sent.size() == 1);
    const std::uint32_t underWay = flash::PATTERN_STATUS_busy_mask | flash::PATTERN_STATUS_done_mask;
    CHECK((bench.read(flash::PATTERN_STATUS) & underWay) == 0);
}

TEST_CASE("the line of read capture is high while a pattern has come back, and while the temperature is outside its "
          "limits")
{
    FlashControllerConfig config = captured();
    config.capture->environment.celsius = 25;
    config.capture->environment.changes = {{1ms, 40}, {2ms, 26}};
    Bench bench(config);
    std::vector<Bench::LineChange> line;
    bench.controller.onCaptureLine([&](bool asserted, Time at) { line.push_back({asserted, at}); });
    CHECK(bench.read(flash::TEMPERATURE) == 25 * 16);
    bench.write(flash::PATTERN_READ, 0);
    bench.run(100us);
    REQUIRE(line.size() == 1);
    CHECK(line[0].asserted);
    bench.write(flash::PATTERN_STATUS, 0);
    REQUIRE(line.size() == 2);
    CHECK_FALSE(line[1].asserted);

    bench.write(flash::TEMPERATURE_LOW, 15 * 16);
    bench.write(flash::TEMPERATURE_HIGH, 35 * 16);
    bench.run(3ms);
    REQUIRE(line.size() == 4);
    CHECK(line[2].asserted);
    CHECK(line[2].at == 1ms);
    CHECK_FALSE(line[3].asserted);
    CHECK(line[3].at == 2ms);
    CHECK(bench.read(flash::TEMPERATURE) == 26 * 16);
    bench.write(flash::TEMPERATURE_HIGH, 20 * 16);
    REQUIRE(line.size() == 5);
    CHECK((bench.read(flash::PATTERN_STATUS) & flash::PATTERN_STATUS_temperature_mask) != 0);
}

TEST_CASE("a window that has moved with the temperature moves away from a sample")
{
    FlashControllerConfig config = captured();
    config.capture->environment.celsius = 0;
    config.capture->environment.changes = {{10ms, 125}};
    config.capture->output.perKelvin = 0.003;
    Bench bench(config);
    writePage(bench);
    const std::uint32_t good = setting(2, middle(bench, 2));
    CHECK(readPage(bench, good) == StatusCode::Ok);
    bench.run(10ms);
    CHECK(readPage(bench, good) == StatusCode::Uncorrectable);
    CHECK(readPage(bench, setting(2, middle(bench, 2))) == StatusCode::Ok);
    CHECK(bench.hasTags(8, 100, 4));
}
