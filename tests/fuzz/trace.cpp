// SPDX-License-Identifier: Apache-2.0
//
// A trace: decompression, detection, each format's reader, folding. Input: the trace. What is replayed keeps the rules
// of requests.
#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/host/workload/source_trace.h"
#include "tests/fuzz/target.h"

using namespace strobe;
using namespace strobe::host;

namespace {

void replay(const std::string& contents, TraceFormat format)
{
    constexpr TraceFold fold{5000, 3'000'017};
    constexpr std::uint64_t most = 20'000; // requests of one input: a record may be split into many
    TraceConfig config;
    config.format = format;
    config.disorder = contents.size() % 2 == 0 ? DisorderPolicy::Sort : DisorderPolicy::Clamp;
    try {
        TraceSource source(openTrace(TraceText::fromMemory("trace", contents), config), config, fold, {});
        Time last{};
        for (std::uint64_t count = 0; count < most; ++count) {
            const auto request = source.next();
            if (!request)
                break;
            check(request->arrival >= last, "an arrival before its predecessor");
            check(request->sectors == 0 || (request->lba >= fold.firstSector &&
                                            request->lba + request->sectors <= fold.firstSector + fold.sectors),
                  "a request outside the region");
            last = request->arrival;
        }
    } catch (const ConfigError&) {
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string contents(fuzz::textOf(data, size));
    for (const auto& row : traceFormatTable)
        replay(contents, row.value);
    return 0;
}
