// SPDX-License-Identifier: Apache-2.0
//
// The calibration of data out, with read capture by hand: windows are given, position by position.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <map>
#include <set>

using namespace strobe::test;

namespace {

struct Window {
    std::uint32_t first = 1;
    std::uint32_t last = 0; // below first: there is none
};

// Dies whose windows are known, by divider.
struct Capture {
    static constexpr std::uint32_t fineSteps = 8;
    static constexpr std::uint32_t coarse = 16;
    static constexpr std::uint32_t dividers = 4;

    FakeHal hal;
    boot_block boot{};
    std::map<std::uint32_t, std::map<std::uint32_t, Window>> windows; // die, divider
    std::int32_t temperature = 25 * 16;
    std::int32_t low = INT32_MIN;
    std::int32_t high = INT32_MAX;
    std::uint32_t trial = 0;
    std::uint32_t status = 0;
    bool isPending = false;
    bool answers = true;
    bool isThere = true;
    std::uint32_t reads = 0;
    std::uint32_t waits = 0;
    std::function<void()> whileWaiting;
    std::map<std::uint32_t, std::uint32_t> settings; // DIE_CAPTURE
    std::vector<std::uint32_t> learnt;

    explicit Capture(std::uint32_t dies)
    {
        boot.channels = dies;
        boot.ways = boot.luns = 1;
        boot.capture_margin = 2;
        boot.capture_temperature = 10 * 16;
        hal.onRead = [this](std::uint32_t address) { return read(address); };
        hal.onWrite = [this](std::uint32_t address, std::uint32_t value) { write(address, value); };
        hal.onWait = [this] {
            ++waits;
            REQUIRE(waits < 100'000);
            if (whileWaiting)
                whileWaiting();
            finish();
        };
    }

    void finish() // the pattern is returned
    {
        if (isPending)
            status |= FLASH_PATTERN_STATUS_DONE_MASK;
        isPending = false;
    }
    std::uint32_t positionOf(std::uint32_t setting) const
    {
        return (setting & FLASH_DIE_CAPTURE_COARSE_MASK) / 0x100 * fineSteps +
               (setting & FLASH_DIE_CAPTURE_FINE_MASK) / 0x10000;
    }
    std::uint32_t marginOf(std::uint32_t die) { return settings.at(die) >> FLASH_DIE_CAPTURE_MARGIN_SHIFT; }
    std::uint32_t dividerOf(std::uint32_t die) { return settings.at(die) & FLASH_DIE_CAPTURE_DIVIDER_MASK; }

private:
    std::uint32_t read(std::uint32_t address)
    {
        switch (address) {
        case FLASH_CAPTURE: return isThere ? 1u | fineSteps << 8 | coarse << 16 | dividers << 24 : 0;
        case FLASH_TEMPERATURE: return static_cast<std::uint32_t>(temperature);
        case FLASH_PATTERN_STATUS:
            return status | (temperature < low || temperature > high ? FLASH_PATTERN_STATUS_TEMPERATURE_MASK : 0);
        default: FAIL("another register was read"); return 0;
        }
    }
    void write(std::uint32_t address, std::uint32_t value)
    {
        if (address >= FLASH_DIE_CAPTURE) {
            settings[(address - FLASH_DIE_CAPTURE) / FLASH_DIE_CAPTURE_STEP] = value;
            return;
        }
        switch (address) {
        case INTC_ENABLE: CHECK(value == 1u << HAL_LINE_CAPTURE); break;
        case FLASH_TEMPERATURE_LOW: low = static_cast<std::int32_t>(value); break;
        case FLASH_TEMPERATURE_HIGH: high = static_cast<std::int32_t>(value); break;
        case FLASH_PATTERN_SETTING: trial = value; break;
        case FLASH_PATTERN_STATUS: status &= ~FLASH_PATTERN_STATUS_DONE_MASK; break;
        case FLASH_PATTERN_READ: start(value); break;
        default: FAIL("another register was written");
        }
    }
    void start(std::uint32_t request)
    {
        REQUIRE_FALSE(isPending);
        REQUIRE((status & FLASH_PATTERN_STATUS_DONE_MASK) == 0);
        ++reads;
        isPending = true;
        const std::uint32_t die = request & FLASH_PATTERN_READ_DIE_MASK;
        const bool learns = (request & FLASH_PATTERN_READ_LEARN_MASK) != 0;
        if (learns) {
            CHECK((trial & FLASH_PATTERN_SETTING_DIVIDER_MASK) == 0);
            learnt.push_back(die);
        }
        const Window window = windows[die][trial & FLASH_PATTERN_SETTING_DIVIDER_MASK];
        const std::uint32_t position = positionOf(trial);
        const bool matches = learns || (position >= window.first && position <= window.last);
        status = answers ? 32u << FLASH_PATTERN_STATUS_BITS_SHIFT : 0;
        if (!matches)
            status |= 9u << FLASH_PATTERN_STATUS_MISMATCHES_SHIFT;
    }
};

} // namespace

TEST_CASE("without read capture there is no calibration, and without calibration no register access")
{
    Capture capture(2);
    capture.isThere = false;
    CHECK_FALSE(calibration_start(&capture.boot));
    CHECK(capture.reads == 0);
    capture.isThere = true;
    capture.boot.capture_temperature = 0;
    capture.hal.onRead = [](std::uint32_t) -> std::uint32_t {
        FAIL("a register was read");
        return 0;
    };
    CHECK_FALSE(calibration_start(&capture.boot));
}

TEST_CASE("each die gets its fastest clock and the middle of the window")
{
    Capture capture(3);
    capture.windows[0][2] = {50, 58};
    capture.windows[0][3] = {50, 66};
    capture.windows[1][1] = {0, 4};     // from the first position on
    capture.windows[2][4] = {100, 127}; // to the last
    REQUIRE(calibration_start(&capture.boot));
    CHECK(capture.learnt == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(capture.dividerOf(0) == 2);
    CHECK(capture.positionOf(capture.settings[0]) == 54);
    CHECK(capture.marginOf(0) == 4);
    CHECK(capture.dividerOf(1) == 1);
    CHECK(capture.positionOf(capture.settings[1]) == 2);
    CHECK(capture.dividerOf(2) == 4);
    CHECK(capture.positionOf(capture.settings[2]) == 113);
    CHECK_FALSE(calibration_serve()); // there is nothing to do afterwards
}

TEST_CASE("a window anywhere is used if it is wide enough for the margin, and ignored if it is not")
{
    for (std::uint32_t first = 0; first < Capture::coarse * Capture::fineSteps - 6; ++first) {
        Capture capture(1);
        capture.windows[0][1] = {first, first + 3}; // one step too short
        capture.windows[0][2] = {first, first + 4};
        REQUIRE(calibration_start(&capture.boot));
        CAPTURE(first);
        CHECK(capture.dividerOf(0) == 2);
        CHECK(capture.positionOf(capture.settings[0]) == first + 2);
        CHECK(capture.marginOf(0) == 2);
    }
}

TEST_CASE("a die for which no divider has a window falls back to the base clock, and so does one that does not answer")
{
    Capture capture(2);
    REQUIRE(calibration_start(&capture.boot));
    CHECK(capture.settings == std::map<std::uint32_t, std::uint32_t>{{0, 0}, {1, 0}});
    Capture silent(1);
    silent.answers = false;
    silent.windows[0][1] = {10, 40};
    REQUIRE(calibration_start(&silent.boot));
    CHECK(silent.settings == std::map<std::uint32_t, std::uint32_t>{{0, 0}});
    CHECK(silent.reads == 1);
}

TEST_CASE("a change of temperature beyond the threshold calibrates again, step by step between other work")
{
    Capture capture(2);
    capture.windows[0][1] = capture.windows[1][1] = {20, 30};
    REQUIRE(calibration_start(&capture.boot));
    capture.settings.clear();
    capture.temperature = 35 * 16; // not beyond
    CHECK_FALSE(calibration_serve());
    capture.temperature = 36 * 16;
    capture.windows[0][1] = {24, 34};
    CHECK(calibration_serve());
    CHECK(capture.low == 26 * 16);
    CHECK(capture.high == 46 * 16);
    CHECK_FALSE(calibration_serve()); // the pattern has not arrived
    while (capture.settings.size() < 2) {
        capture.finish();
        REQUIRE(calibration_serve());
    }
    CHECK(capture.positionOf(capture.settings[0]) == 29);
    CHECK(capture.positionOf(capture.settings[1]) == 25);
    CHECK_FALSE(calibration_serve());
}

TEST_CASE("a change of temperature during a calibration is followed by another one")
{
    Capture capture(1);
    capture.windows[0][1] = {20, 30};
    capture.whileWaiting = [&] {
        if (capture.waits == 5) {
            capture.temperature = 60 * 16;
            capture.windows[0][1] = {40, 50};
        }
    };
    REQUIRE(calibration_start(&capture.boot));
    CHECK(capture.learnt == std::vector<std::uint32_t>{0, 0});
    CHECK(capture.positionOf(capture.settings[0]) == 45);
    CHECK(capture.high == 70 * 16);
}
