// SPDX-License-Identifier: Apache-2.0
//
// The tables of docs/host.md are these numbers: a change of the model without the page fails here, and prints the
// correct page.
#include "models/host/sata_frame.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace strobe;
using namespace strobe::host;

namespace {

std::string document()
{
    std::ifstream file(strobe::test::sourceDirectory() + "/docs/host.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

double megabytesPerSecond(Time time, std::uint32_t sectors)
{
    return sectors * 512.0 / toSeconds(time) / 1e6;
}

} // namespace

TEST_CASE("docs/host.md shows the throughput that the frames give")
{
    const std::string text = document();
    for (const auto& generation : sataGenerationTable) {
        SataConfig config;
        config.generation = generation.value;
        std::array<char, 200> row{};
        std::snprintf(
            row.data(), row.size(), "| %s | %.1f | %.1f | %.1f | %.1f | %.1f k | %.1f k |", generation.name.data(),
            megabytesPerSecond(queuedReadTime(config, 256), 256), megabytesPerSecond(queuedWriteTime(config, 256), 256),
            megabytesPerSecond(queuedReadTime(config, 128), 128), megabytesPerSecond(queuedWriteTime(config, 128), 128),
            1e-3 / toSeconds(queuedReadTime(config, 8)), 1e-3 / toSeconds(queuedWriteTime(config, 8)));
        INFO(row.data());
        CHECK(text.find(row.data()) != std::string::npos);
    }
}

TEST_CASE("docs/host.md shows how long each frame takes")
{
    const std::string text = document();
    for (const FisInfo& fis : fisTable) {
        std::array<char, 200> row{};
        int used = std::snprintf(row.data(), row.size(), "| %02Xh | %.*s | %u |", fis.code,
                                 static_cast<int>(fis.name.size()), fis.name.data(), fis.dwords);
        for (const auto& generation : sataGenerationTable) {
            SataConfig config;
            config.generation = generation.value;
            const FrameTiming timing(config);
            const Time time = fis.type == FisType::Data ? timing.data(maxFrameSectors) : timing.frame(fis.type);
            used += std::snprintf(row.data() + used, row.size() - static_cast<std::size_t>(used), " %.3f us |",
                                  toMicroseconds(time));
        }
        INFO(row.data());
        CHECK(text.find(row.data()) != std::string::npos);
    }
}
