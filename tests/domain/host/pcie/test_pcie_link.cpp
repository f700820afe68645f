// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/host_memory.h"
#include "models/host/pcie/pcie_link.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t high = std::uint64_t{1} << 32;

PcieConfig make(PcieGeneration generation, std::uint32_t lanes, std::uint32_t payload)
{
    PcieConfig config;
    config.generation = generation;
    config.lanes = lanes;
    config.maxPayload = payload;
    return config;
}

} // namespace

TEST_CASE("a lane carries 250 to 7375 MB/s")
{
    const double wanted[] = {250e6, 500e6, 984.6e6, 1969.2e6, 3938.5e6, 7375e6};
    for (const auto& generation : pcieGenerationTable) {
        const Time time = pcieLineTime(make(generation.value, 1, 256), 1'000'000'000);
        CHECK(1e9 / toSeconds(time) == Approx(wanted[static_cast<std::size_t>(generation.value)]).epsilon(1e-4));
    }
    CHECK(pcieLineTime(make(PcieGeneration::Gen3, 4, 256), 1 << 20) * 4 >=
          pcieLineTime(make(PcieGeneration::Gen3, 1, 256), 1 << 20));
    CHECK(pcieLineTime(make(PcieGeneration::Gen1, 1, 256), 4) == 16ns);
}

TEST_CASE("payload rates per lane agree with the packets' overhead")
{
    // Payload over payload and overhead: 128 of 152 and of 148 bytes, 256 of 280 and of 276.
    CHECK(peakWriteRate(make(PcieGeneration::Gen1, 1, 128)) == Approx(210.5e6).epsilon(0.001));
    CHECK(peakReadRate(make(PcieGeneration::Gen1, 1, 128)) == Approx(216.2e6).epsilon(0.001));
    CHECK(peakWriteRate(make(PcieGeneration::Gen3, 1, 256)) == Approx(900.2e6).epsilon(0.001));
    CHECK(peakReadRate(make(PcieGeneration::Gen4, 1, 256)) == Approx(1826.5e6).epsilon(0.001));
    CHECK(peakWriteRate(make(PcieGeneration::Gen2, 4, 256)) == Approx(4 * 457.1e6).epsilon(0.001));
    CHECK(peakWriteRate(make(PcieGeneration::Gen5, 4, 256)) == Approx(4 * 3600.9e6).epsilon(0.001));
    // In FLIT mode 256 of 272 and of 268 bytes.
    CHECK(peakWriteRate(make(PcieGeneration::Gen6, 4, 256)) == Approx(4 * 6941.2e6).epsilon(0.001));
    CHECK(peakReadRate(make(PcieGeneration::Gen6, 1, 256)) == Approx(7044.8e6).epsilon(0.001));
}

TEST_CASE("transfers are cut at the borders of payload, request and completion")
{
    const PcieConfig config;
    CHECK(writeTrain(config, high, 4096).packets == 16);
    CHECK(writeTrain(config, high, 4096).bytes == 4096 + 16 * 24);
    CHECK(writeTrain(config, high + 16, 4096).packets == 17);
    CHECK(writeTrain(config, 0xFEE0'0000, 4).bytes == 24); // 32-bit address
    CHECK(writeTrain(config, high, 0).packets == 0);
    CHECK(requestTrain(config, high, 4096).packets == 8);
    CHECK(requestTrain(config, high, 64).bytes == 24);
    CHECK(requestTrain(config, high + 480, 64).packets == 2);
    CHECK(completionTrain(config, high, 64).bytes == 64 + 20);
    CHECK(completionTrain(config, high, 4096).packets == 16);
    CHECK(completionTrain(config, high + 32, 480).packets == 3); // 32 to the boundary, then 256 and 192
    CHECK(completionTrain(config, high + 60, 4).packets == 1);
}

TEST_CASE("a read takes its request, the memory and its completion")
{
    PcieLink link{PcieConfig{}};
    const PcieConfig& c = link.config();
    const Time back = link.requestRead(high, 512, 0ns);
    CHECK(back == link.lineTime(24) + c.latency + c.memoryLatency);
    const PcieLink::Arrival arrival = link.completeReads(completionTrain(c, high, 512), back);
    CHECK(arrival.last == back + link.lineTime(512 + 2 * 20) + c.latency);
    CHECK(arrival.first == back + c.latency);
    CHECK(link.counters().packetsToHost == 1);
    CHECK(link.counters().packetsToDrive == 2);
}

TEST_CASE("a register write passes completions that wait, and they continue after it")
{
    PcieLink link{PcieConfig{}};
    const Time latency = link.config().latency;
    const TlpTrain train = completionTrain(link.config(), high, 4096);
    const Time alone = link.completeReads(train, 0ns).last;
    CHECK(link.writeRegister(0xFE00'1000, 4, 0ns) == link.lineTime(24) + latency);
    const Time second = link.completeReads(train, 0ns).last;
    CHECK(second == 2 * (alone - latency) + link.lineTime(24) + latency);
    CHECK(link.toDrive().usage().busy == 2 * link.lineTime(train.bytes) + link.lineTime(24));
    link.resetUsage();
    CHECK(link.toDrive().usage().jobs == 0);
    CHECK(link.counters().packetsToDrive == 0);
}

TEST_CASE("register accesses keep their order, whatever their length")
{
    PcieLink link{PcieConfig{}};
    const Time first = link.writeRegister(0xFE00'0028, 8, 0ns);
    const Time second = link.writeRegister(0xFE00'0014, 4, 0ns);
    CHECK(second == first + link.lineTime(24));
    CHECK(link.readRegister(0xFE00'001C, 4, 0ns) ==
          second + link.lineTime(20) + link.config().latency + link.lineTime(24));
}

TEST_CASE("a driver's memory keeps what was written, across pages, and rejects addresses beyond it")
{
    DriverMemory memory;
    const std::uint64_t base = memory.allocate(8192);
    CHECK(base >= high);
    std::array<std::uint8_t, 256> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::uint8_t>(i);
    CHECK(memory.write(base + 4000, out.data(), 256));
    std::array<std::uint8_t, 256> in{};
    CHECK(memory.read(base + 4000, in.data(), 256));
    CHECK(in == out);
    CHECK_FALSE(memory.read(base + 8000, in.data(), 256));
    CHECK_FALSE(memory.write(0, out.data(), 1));
    CHECK_FALSE(memory.readSectors(base, 1, {}));
    CHECK_FALSE(memory.writeSectors(DriverMemory::firstWindow + 7, 1, {}));
}

TEST_CASE("the replay timer has the values of the specification's table")
{
    // Symbol times (bytes of a lane) at 2.5 GT/s by lanes and largest payload: 4 ns each.
    const auto symbols = [](std::uint32_t lanes, std::uint32_t payload) {
        return toSeconds(replayTimer(make(PcieGeneration::Gen1, lanes, payload))) / 4e-9;
    };
    CHECK(symbols(1, 128) == Approx(711).margin(3));
    CHECK(symbols(4, 256) == Approx(354).margin(3));
    CHECK(symbols(8, 256) == Approx(321).margin(3));
    CHECK(symbols(1, 512) == Approx(1677).margin(3));
    CHECK(symbols(8, 512) == Approx(258).margin(3));
    CHECK(toSeconds(replayTimer(make(PcieGeneration::Gen2, 1, 128))) == Approx(864 * 2e-9).margin(6e-9));
    CHECK(toSeconds(replayTimer(make(PcieGeneration::Gen3, 1, 128))) == Approx(999 * 1.0156e-9).margin(4e-9));
    CHECK(toSeconds(replayTimer(make(PcieGeneration::Gen4, 4, 256))) == Approx(24'000 * 0.5078e-9).epsilon(0.001));
}

TEST_CASE("a damaged packet costs the way there and back and its own time, whichever of a train it is")
{
    PcieConfig config;
    config.errors.damaged = 0.2;
    PcieLink link(config);
    const TlpTrain train = writeTrain(config, high, 1 << 20);
    const Time end = link.write(high, 1 << 20, 0us);
    const LinkErrorCounters& errors = link.errors();
    CHECK(errors.damaged > 800); // a quarter of 4,096 packets
    CHECK(errors.damaged < 1'250);
    CHECK(errors.lost == 0);
    const Time each = 2 * config.latency + link.lineTime(train.bytes / train.packets);
    CHECK(errors.repeats == each * static_cast<std::int64_t>(errors.damaged));
    CHECK(end == link.lineTime(train.bytes) + errors.repeats + config.latency);
    CHECK(link.write(high, 64, 0us) > end); // waits for the repetitions
}

TEST_CASE("a packet that is not recognised waits for the replay timer")
{
    PcieConfig config;
    config.errors.lost = 0.3;
    PcieLink link(config);
    Time none{};
    for (int i = 0; i < 50; ++i)
        none += link.lineTime(requestOverhead(config, high) + 4) + config.latency;
    Time taken{};
    for (int i = 0; i < 50; ++i)
        taken += link.writeRegister(high, 4, std::chrono::seconds(i)) - Time(std::chrono::seconds(i));
    const LinkErrorCounters& errors = link.errors();
    REQUIRE(errors.lost > 5);
    CHECK(taken - none == (replayTimer(config) + link.lineTime(requestOverhead(config, high) + 4)) *
                              static_cast<std::int64_t>(errors.lost));
}
