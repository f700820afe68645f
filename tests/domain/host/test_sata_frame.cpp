// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_frame.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;
using Catch::Matchers::WithinAbs;

namespace {

SataConfig sata(SataGeneration generation, Time handshake)
{
    SataConfig config;
    config.generation = generation;
    config.handshake = handshake;
    return config;
}

double megabytesPerSecond(const SataConfig& config, std::uint32_t sectors)
{
    return sectors * 512.0 / toSeconds(queuedReadTime(config, sectors)) / 1e6;
}

double thousandPerSecond(const SataConfig& config, std::uint32_t sectors)
{
    return 1e-3 / toSeconds(queuedReadTime(config, sectors));
}

struct Row {
    SataGeneration generation;
    double slow128, fast128; // MB/s, 128 KiB reads
    double slow64, fast64;   // MB/s, 64 KiB reads
    double slow4, fast4;     // thousand 4 KiB reads per second
};
// Published ranges of effective throughput for handshakes of 1.0 and 0.5 us.
constexpr std::array<Row, 3> table{{{SataGeneration::Gen1, 145, 147, 144, 146, 30, 32},
                                    {SataGeneration::Gen2, 284, 290, 281, 289, 52, 60},
                                    {SataGeneration::Gen3, 544, 568, 535, 562, 82, 104}}};

} // namespace

TEST_CASE("FIS codes and lengths are those of Serial ATA")
{
    const auto is = [](FisType type, int code, int dwords) {
        return fisInfo(type).code == code && fisInfo(type).dwords == dwords && fisInfo(type).type == type;
    };
    CHECK(is(FisType::RegisterHostToDevice, 0x27, 5));
    CHECK(is(FisType::RegisterDeviceToHost, 0x34, 5));
    CHECK(is(FisType::DmaActivate, 0x39, 1));
    CHECK(is(FisType::DmaSetup, 0x41, 7));
    CHECK(is(FisType::Data, 0x46, 1));
    CHECK(is(FisType::PioSetup, 0x5F, 5));
    CHECK(is(FisType::SetDeviceBits, 0xA1, 2));
}

TEST_CASE("a frame takes its dwords, SOF, CRC, EOF, the share of ALIGN and the handshake")
{
    // 32 bytes at 600 MB/s, 256/254: 53.753 ns; 8208 bytes at 150 MB/s: 55.150866 us.
    const FrameTiming fast(sata(SataGeneration::Gen3, 750ns));
    CHECK(fast.frame(FisType::RegisterHostToDevice) == picoseconds(803'754));
    CHECK(fast.frame(FisType::DmaActivate) == picoseconds(776'877));
    const FrameTiming slow(sata(SataGeneration::Gen1, 0ns));
    CHECK(slow.data(16) == picoseconds(55'150'867));
    CHECK(slow.lastSector() == slow.line(520));
    CHECK(slow.data(0) == slow.frame(FisType::Data));
}

TEST_CASE("handshakes of 0.5 and 1.0 us give both ends of the published throughput ranges")
{
    for (const Row& row : table) {
        const SataConfig slow = sata(row.generation, 1us);
        const SataConfig fast = sata(row.generation, 500ns);
        INFO(enumName(row.generation));
        CHECK_THAT(megabytesPerSecond(slow, 256), WithinAbs(row.slow128, 0.6));
        CHECK_THAT(megabytesPerSecond(fast, 256), WithinAbs(row.fast128, 0.6));
        CHECK_THAT(megabytesPerSecond(slow, 128), WithinAbs(row.slow64, 0.6));
        CHECK_THAT(megabytesPerSecond(fast, 128), WithinAbs(row.fast64, 0.6));
        CHECK_THAT(thousandPerSecond(slow, 8), WithinAbs(row.slow4, 0.6));
        CHECK_THAT(thousandPerSecond(fast, 8), WithinAbs(row.fast4, 0.6));
    }
}

TEST_CASE("the default handshake is inside all published ranges")
{
    for (const Row& row : table) {
        SataConfig config;
        config.generation = row.generation;
        INFO(enumName(row.generation) << ": " << megabytesPerSecond(config, 256) << " MB/s (128 KiB), "
                                      << megabytesPerSecond(config, 128) << " MB/s (64 KiB), "
                                      << thousandPerSecond(config, 8) << " k/s (4 KiB)");
        CHECK(megabytesPerSecond(config, 256) > row.slow128);
        CHECK(megabytesPerSecond(config, 256) < row.fast128);
        CHECK(megabytesPerSecond(config, 128) > row.slow64);
        CHECK(megabytesPerSecond(config, 128) < row.fast64);
        CHECK(thousandPerSecond(config, 8) > row.slow4);
        CHECK(thousandPerSecond(config, 8) < row.fast4);
    }
}

TEST_CASE("writes cost a DMA Activate for each data frame, the first only without auto-activate")
{
    SataConfig config;
    const Time activate = FrameTiming(config).frame(FisType::DmaActivate);
    CHECK(queuedWriteTime(config, 16) == queuedReadTime(config, 16));
    CHECK(queuedWriteTime(config, 33) == queuedReadTime(config, 33) + 2 * activate);
    config.autoActivate = false;
    CHECK(queuedWriteTime(config, 33) == queuedReadTime(config, 33) + 3 * activate);
}
