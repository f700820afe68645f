// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/source_coverage.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

using namespace strobe;
using namespace strobe::cpu;

TEST_CASE("an image without a line table has no coverage of sources")
{
    const CodePlaces places(ElfImage::parse(test::ElfBuilder().file(), "none.elf"));
    CHECK(sourceCoverage(places, CodeCoverage(places.image()).counts()).empty());
}

#ifdef STROBE_TEST_IMAGE // there is a compiler for the core
namespace {

const SourceCoverage* fileOf(const CoverageByFile& files, const std::string& end)
{
    for (const auto& [path, file] : files) {
        if (path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0)
            return &file;
    }
    return nullptr;
}

class Environment final : public rv32::Environment {
    rv32::BusResult load(std::uint32_t /*address*/, unsigned /*bytes*/, std::uint32_t& /*value*/) override
    {
        return rv32::BusResult::Fault;
    }
    rv32::BusResult store(std::uint32_t /*address*/, unsigned /*bytes*/, std::uint32_t /*value*/) override
    {
        return rv32::BusResult::Fault;
    }
};

} // namespace

TEST_CASE("counts of instructions become those of the lines, functions and branches of each source")
{
    const CodePlaces places(ElfImage::load(STROBE_TEST_IMAGE));
    CodeCoverage coverage(places.image());
    const CoverageByFile none = sourceCoverage(places, coverage.counts());
    const SourceCoverage* hal = fileOf(none, "hal/rv32/hal_rv32.c");
    REQUIRE(hal != nullptr);
    REQUIRE(hal->functions.count("hal_external_interrupt") == 1);
    CHECK(hal->functions.at("hal_external_interrupt").calls == 0);
    CHECK(hal->functions.at("hal_external_interrupt").line > 0);
    for (const auto& [line, count] : hal->lines)
        CHECK(count == 0);
    for (const auto& [branch, count] : hal->branches)
        CHECK_FALSE(count.has_value());

    // Twice through the whole function, as if without a jump.
    const ElfImage::Symbol& function = *places.image().find("hal_external_interrupt");
    Environment environment;
    rv32::Core core({}, environment);
    for (int i = 0; i < 2; ++i) {
        core.setPc(function.address);
        coverage.begin(core);
        core.setPc(function.address + function.size);
        coverage.end(core);
    }
    const CoverageByFile twice = sourceCoverage(places, coverage.counts());
    hal = fileOf(twice, "hal/rv32/hal_rv32.c");
    const std::uint32_t first = hal->functions.at("hal_external_interrupt").line;
    CHECK(hal->functions.at("hal_external_interrupt").calls == 2);
    CHECK(hal->lines.at(first) == 2);
    std::size_t executed = 0;
    for (const auto& [line, count] : hal->lines) {
        CHECK((count == 0 || count == 2));
        executed += count == 2 ? 1 : 0;
    }
    CHECK(executed > 1);
    CHECK(executed < hal->lines.size());
    for (const auto& [branch, count] : hal->branches) {
        if (count)
            CHECK(*count == (branch.way == 0 ? 0U : 2U));
    }
}
#endif
