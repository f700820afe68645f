// SPDX-License-Identifier: Apache-2.0
//
// Codes with a strength: what is corrected, what is not, what that takes, and what is delivered.
#include "models/controller/ecc.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr nand::PageAddress page0{2, 0};

nand::Operation pageRead(Content data, std::uint32_t sectors, std::uint32_t bitErrors, std::uint8_t senses = 1)
{
    nand::Operation read;
    read.data = data;
    read.sectors = sectors;
    read.bitErrors = bitErrors;
    read.senses = senses;
    return read;
}

EccConfig coded(std::uint32_t correctableBits)
{
    EccConfig config{2us, 3us, 0, {}};
    config.code.codewordBytes = 1024;
    config.code.correctableBits = correctableBits;
    config.code.bitsPerIteration = 4;
    config.code.maxIterations = 5;
    config.code.iterationTime = 10us;
    return config;
}

void write(Bench& bench)
{
    bench.putTags(0, 100, 4);
    bench.put(0, pages(SuperchipOpcode::Program, 0, page0, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.takeEvents();
    bench.acknowledge();
    bench.now += 1us; // the memory is idle again
}

void read(Bench& bench, std::uint32_t bitErrors)
{
    bench.bitErrors = bitErrors;
    bench.put(1, pages(SuperchipOpcode::Read, 0, page0, 1, 8));
    bench.head(0, descriptorAt(1));
    bench.run();
}

std::uint32_t bitsThatDiffer(const std::vector<std::byte>& a, const std::vector<std::byte>& b)
{
    std::uint32_t differ = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        differ += static_cast<std::uint32_t>(__builtin_popcount(std::to_integer<unsigned>(a[i] ^ b[i])));
    return differ;
}

} // namespace

TEST_CASE("a decoder takes an iteration for every few errors, up to a limit, and all of them before it gives up")
{
    const EccCode code = coded(12).code;
    CHECK(code.iterations(0) == 0);
    CHECK(code.iterations(1) == 1);
    CHECK(code.iterations(4) == 1);
    CHECK(code.iterations(5) == 2);
    CHECK(code.iterations(12) == 3);
    CHECK(code.iterations(13) == 5);
    CHECK(coded(100).code.iterations(90) == 5);
    CHECK(coded(0).code.iterations(90) == 0);
}

TEST_CASE("errors that the code corrects cost time and occupy the decoder, and the data is as it was")
{
    EccEngines ecc(coded(12), 2048);
    std::vector<std::byte> data(2048, std::byte{0x5A});
    const std::vector<std::byte> before = data;
    const Content content{data.data(), DataMode::Bytes};
    CHECK(ecc.decode(pageRead(content, 4, 0), 100us).at == 103us);
    const EccEngines::Decoded decoded = ecc.decode(pageRead(content, 4, 9), 100us);
    CHECK(decoded.correction == Correction::Corrected);
    CHECK(decoded.at == 133us);
    CHECK(ecc.decode(2048, 100us) == 133us); // the next page waits for the decoder
    CHECK(data == before);
    CHECK(ecc.counters().corrected == 1);
    CHECK(ecc.counters().correctedBits == 9);
    CHECK(ecc.counters().iterations == 3);
    CHECK(ecc.counters().maxBitErrors == 9);
}

TEST_CASE("a codeword with one error more than the code corrects is given up after the last iteration")
{
    EccEngines ecc(coded(12), 2048);
    CHECK(ecc.decode(pageRead({}, 4, 12), 0us).correction == Correction::Corrected);
    const EccEngines::Decoded decoded = ecc.decode(pageRead({}, 4, 13), 100us);
    CHECK(decoded.correction == Correction::Uncorrectable);
    CHECK(decoded.at == 153us);
    CHECK(ecc.counters().uncorrectable == 1);
    CHECK(ecc.counters().maxIterations == 5);
    ecc.resetUsage();
    CHECK(ecc.counters().pages() == 0);
}

TEST_CASE("without a code exactly the bits read wrong are wrong, all in one codeword")
{
    EccEngines ecc(coded(0), 2048);
    const std::vector<std::byte> before(2048, std::byte{0x5A});
    for (const std::uint32_t errors : {1U, 7U, 300U}) {
        std::vector<std::byte> data = before;
        CHECK(ecc.decode(pageRead({data.data(), DataMode::Bytes}, 4, errors), 0us).correction ==
              Correction::Undetected);
        CHECK(bitsThatDiffer(data, before) == errors);
        const auto same = [&](std::size_t from) {
            return std::equal(data.begin() + static_cast<std::ptrdiff_t>(from),
                              data.begin() + static_cast<std::ptrdiff_t>(from + 1024),
                              before.begin() + static_cast<std::ptrdiff_t>(from));
        };
        CHECK(same(0) != same(1024));
    }
    CHECK(ecc.counters().undetected == 3);
}

TEST_CASE("without a code a tag that was read wrong has no valid checksum, however often it is read wrong")
{
    EccEngines ecc(coded(0), 512);
    for (const SectorTag tag : {makeTag(7, 3), SectorTag{0}}) {
        std::vector<std::byte> data(sizeof tag);
        std::memcpy(data.data(), &tag, sizeof tag);
        for (int i = 0; i < 10; ++i) {
            CHECK(ecc.decode(pageRead({data.data(), DataMode::Tags}, 1, 2), 0us).correction == Correction::Undetected);
            SectorTag found = 0;
            std::memcpy(&found, data.data(), sizeof found);
            CHECK_FALSE(isTagIntact(found));
        }
    }
}

TEST_CASE("a miscorrection passes as corrected, with wrong data, with the given probability")
{
    EccConfig config = coded(12);
    config.code.miscorrection = 0.25;
    EccEngines ecc(config, 2048);
    for (int i = 0; i < 4000; ++i)
        ecc.decode(pageRead({}, 4, 50), 0us);
    CHECK(ecc.counters().undetected > 900);
    CHECK(ecc.counters().undetected < 1100);
    CHECK(ecc.counters().undetected + ecc.counters().uncorrectable == 4000);
}

TEST_CASE("a unit reports a page beyond correction, and delivers one that was corrected later")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.ecc = coded(12);
    SECTION("corrected")
    {
        Bench bench(config);
        write(bench);
        const Time start = bench.now;
        read(bench, 12);
        CHECK(bench.outcome(1).code == StatusCode::Ok);
        CHECK(bench.hasTags(8, 100, 4));
        CHECK(bench.lines.back().at - start == Bench::readTime() + 30us);
    }
    SECTION("beyond correction")
    {
        Bench bench(config);
        write(bench);
        read(bench, 13);
        CHECK(bench.outcome(1).code == StatusCode::Uncorrectable);
        CHECK_FALSE(bench.hasTags(8, 100, 4));
        CHECK(bench.controller.failures().count(FailureKind::OperationFailed) == 1);
        CHECK(bench.controller.ecc(ChannelId{0}).counters().uncorrectable == 1);
    }
    SECTION("no code")
    {
        config.ecc.code.correctableBits = 0;
        Bench bench(config);
        write(bench);
        read(bench, 13);
        CHECK(bench.outcome(1).code == StatusCode::Ok);
        CHECK_FALSE(bench.hasTags(8, 100, 4));
    }
}

TEST_CASE("a soft read corrects more, and occupies the decoder for longer")
{
    EccConfig config;
    config.decodeLatency = 3us;
    config.code.correctableBits = 8;
    config.code.bitsPerIteration = 8;
    config.code.iterationTime = 1us;
    config.code.maxIterations = 4;
    config.code.softGain = 0.5;
    config.code.softTime = 50us;
    EccEngines ecc(config, 2048);
    CHECK(config.code.correctable(1) == 8);
    CHECK(config.code.correctable(3) == 12);
    CHECK(config.code.correctable(5) == 16);
    CHECK(ecc.decode(pageRead({}, 4, 12), 0us).correction == Correction::Uncorrectable);
    const EccEngines::Decoded soft = ecc.decode(pageRead({}, 4, 12, 3), 100us);
    CHECK(soft.correction == Correction::Corrected);
    CHECK(soft.at == 100us + 2us + 50us + 3us);
    CHECK(ecc.decode(2048, 100us) == 155us); // the next page waits for the decoder
    CHECK(ecc.decode(pageRead({}, 4, 13, 3), 200us).correction == Correction::Uncorrectable);
    CHECK(ecc.reads().softDecodes == 2);
}

TEST_CASE("reads are counted by their bit errors and by the reads that failed before")
{
    EccConfig config;
    config.code.correctableBits = 40;
    EccEngines ecc(config, 2048);
    for (const std::uint32_t errors : {0U, 0U, 1U, 2U, 3U, 4U, 40U})
        ecc.decode(pageRead({}, 4, errors), 0us);
    nand::Operation again = pageRead({}, 4, 33);
    again.attempt = 2;
    ecc.decode(again, 0us);
    ecc.decode(pageRead({}, 4, 41), 0us); // fails
    const ReadCounters& reads = ecc.reads();
    CHECK(reads.byErrors[0] == 2);
    CHECK(reads.byErrors[1] == 1);
    CHECK(reads.byErrors[2] == 2);
    CHECK(reads.byErrors[3] == 1);
    CHECK(reads.byErrors[6] == 3); // 32 to 63
    CHECK(reads.byRetries[0] == 7);
    CHECK(reads.byRetries[2] == 1);
    CHECK(reads.meanRetries() == 0.25);
}
