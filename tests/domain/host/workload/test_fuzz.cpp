// SPDX-License-Identifier: Apache-2.0
//
// Random and mutated traces: each is either replayed to its end within the rules or refused with a ConfigError.
// Anything else (a crash, another exception, a request outside the drive) fails. Seeds are fixed, so a failure repeats.
#include "tests/domain/host/workload/support.h"

#include "models/base/rng.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;

namespace {

struct Outcome {
    int replayed = 0;
    int refused = 0;
};

void replay(const std::string& contents, const TraceConfig& config, Outcome& outcome)
{
    constexpr TraceFold fold{5000, 3'000'017};
    try {
        TraceSource source = traceOf(contents, fold, config);
        Time last{};
        while (const auto request = source.next()) {
            REQUIRE(request->arrival >= last);
            REQUIRE((request->sectors > 0) == (request->kind != RequestKind::Flush));
            REQUIRE(request->sectors <= config.maxSectors);
            if (request->sectors > 0) {
                REQUIRE(request->lba >= fold.firstSector);
                REQUIRE(request->lba + request->sectors <= fold.firstSector + fold.sectors);
            }
            last = request->arrival;
        }
        const SourceCounts& counts = source.counts();
        REQUIRE(counts.requests == counts.records - counts.skipped + counts.split);
        ++outcome.replayed;
    } catch (const ConfigError& error) {
        REQUIRE(std::string(error.what()).find("trace:") == 0);
        ++outcome.refused;
    }
}

TraceConfig anyConfig(Rng& rng)
{
    TraceConfig config;
    config.format = traceFormatTable[rng.below(traceFormatTable.size())].value;
    config.waitMeaning = waitMeaningTable[rng.below(2)].value;
    config.layout = fileLayoutTable[rng.below(2)].value;
    config.disorder = rng.chance(0.5) ? DisorderPolicy::Sort : DisorderPolicy::Clamp;
    return config;
}

// Changes, removes, doubles and inserts bytes, preferably significant ones.
std::string mutated(std::string text, Rng& rng)
{
    static constexpr std::string_view spice{"0123456789 ,\n\r\t-.eE\xFF\0", 21};
    const std::uint64_t changes = 1 + rng.below(2);
    for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
        const std::size_t at = rng.below(text.size());
        const char byte = rng.chance(0.7) ? spice[rng.below(spice.size())] : static_cast<char>(rng.below(256));
        switch (rng.below(5)) {
        case 0: text[at] = byte; break;
        case 1: text.insert(at, 1, byte); break;
        case 2: text.erase(at, 1 + rng.below(8)); break;
        case 3: text.insert(at, text.substr(at, rng.below(30))); break;
        default: text.insert(at, std::string(rng.below(25), byte)); break;
        }
    }
    return text;
}

} // namespace

TEST_CASE("random bytes are refused, never replayed wrongly")
{
    Rng rng(1, "fuzz");
    Outcome outcome;
    for (int i = 0; i < 2000; ++i) {
        std::string contents(rng.below(300), '\0');
        for (char& c : contents)
            c = static_cast<char>(rng.below(256));
        replay(contents, anyConfig(rng), outcome);
    }
    CHECK(outcome.refused == 2000);
}

TEST_CASE("mutated traces are replayed or refused")
{
    const std::string sample =
        GENERATE("sample.iolog2", "sample.iolog3", "sample-msr.csv", "sample.spc", "sample-systor17.csv",
                 "sample-alibaba.csv", "sample-tencent.csv", "sample.mqsim", "sample.disksim", "sample.arc",
                 "sample.blkparse", "sample.blktrace.0", "sample.vscsi1");
    const std::string contents = contentsOf(sampleDirectory + sample);
    Rng rng(2, sample);
    Outcome outcome;
    for (int i = 0; i < 2000; ++i)
        replay(mutated(contents, rng), TraceConfig{}, outcome);
    CHECK(outcome.replayed > 200); // both must happen, or the test is useless
    CHECK(outcome.refused > 200);
}

TEST_CASE("mutated compressed traces are replayed or refused")
{
    const std::string suffix = GENERATE(".gz", ".bz2", ".xz", ".zst");
    const std::string contents = contentsOf(sampleDirectory + "sample.iolog3" + suffix);
    Rng rng(3, suffix);
    Outcome outcome;
    for (int i = 0; i < 500; ++i)
        replay(mutated(contents, rng), anyConfig(rng), outcome);
    CHECK(outcome.refused > 400);
}
