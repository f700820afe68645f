// SPDX-License-Identifier: Apache-2.0
//
// The error model of a part: its tables fit together, and to the part.
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::size_t maxReadOptions = 32;

// The tables of an error model of states fit together.
void checkStates(Checks& checks, const nand::ThresholdStates& c, std::size_t states)
{
    const std::string path = "/nand/part/errors/states";
    const auto expectSize = [&](std::size_t size, std::size_t needed, const std::string& key, const char* what) {
        checks.expectOfFlash(size == needed, path + "/" + key,
                             fmt::format("{} numbers, but the cells have {} {}", size, needed, what));
    };
    checks.expectOfFlash(!c.retention.empty(), path + "/retention", "needs at least one row");
    for (std::size_t i = 0; i < c.retention.size(); ++i) {
        const std::string row = fmt::format("retention/{}", i);
        expectSize(c.retention[i].means.size(), states, row + "/means", "states");
        expectSize(c.retention[i].deviations.size(), states, row + "/deviations", "states");
        const bool arePositive = std::all_of(c.retention[i].deviations.begin(), c.retention[i].deviations.end(),
                                             [](double deviation) { return deviation > 0; });
        checks.expectOfFlash(arePositive, fmt::format("{}/{}/deviations", path, row), "must be above zero");
        checks.expectOfFlash(i == 0 || c.retention[i].hours > c.retention[i - 1].hours,
                             fmt::format("{}/{}/hours", path, row), "must be more than the one before");
    }
    checks.expectOfFlash(c.wear.size() != 1, path + "/wear", "needs two rows, or none");
    for (std::size_t i = 0; i < c.wear.size(); ++i) {
        const std::string row = fmt::format("wear/{}", i);
        expectSize(c.wear[i].means.size(), states, row + "/means", "states");
        checks.expectOfFlash(i == 0 || c.wear[i].cycles > c.wear[i - 1].cycles, fmt::format("{}/{}/cycles", path, row),
                             "must be more than the one before");
    }
    expectSize(c.references.size(), states - 1, "references", "references between states");
    checks.expectOfFlash(!c.pages.empty(), path + "/pages", "needs the references of at least one page type");
    for (std::size_t i = 0; i < c.pages.size(); ++i) {
        const bool exist = !c.pages[i].empty() &&
                           std::all_of(c.pages[i].begin(), c.pages[i].end(),
                                       [&](std::uint32_t reference) { return reference >= 1 && reference < states; });
        checks.expectOfFlash(exist, fmt::format("{}/pages/{}/references", path, i),
                             fmt::format("must be numbers of references, 1 to {}", states - 1));
    }
}

} // namespace

void resolveErrors(Resolving& r)
{
    const nand::Part& part = r.file.nand.part;
    const nand::ErrorModel& c = part.errors;
    if (!c.isOn())
        return;
    Checks& checks = r.checks;
    const std::string path = "/nand/part/errors";
    checks.expectOfFlash(!part.isOverwritable(), path + "/model", "PCM has no error model of flash: must be \"wear\"");
    checks.expectOfFlash(part.endurance != 0, "/nand/part/endurance",
                         "a part with an error model (errors) needs a rated endurance");
    const bool hasOther = std::any_of(part.wear.points.begin(), part.wear.points.end(),
                                      [](const nand::WearPoint& point) { return point.bitErrorRate > 0; });
    checks.expectOfFlash(!hasOther, path + "/model",
                         "bit error rates come from it or from the points of \"wear\", not from both");
    const std::size_t states = std::size_t{1} << nand::bitsPerCell(part.cell);
    const bool hasStates = c.kind == nand::ErrorModelKind::States;
    if (hasStates)
        checkStates(checks, c.states, states);
    else
        checks.expectOfFlash(c.formula.pageFactors.empty() || c.formula.pageFactors.size() == part.pageTypes.size(),
                             path + "/formula/pageFactors",
                             fmt::format("{} factors, but the part has {} page types", c.formula.pageFactors.size(),
                                         part.pageTypes.size()));
    checks.expectOfFlash(c.options.size() <= maxReadOptions, path + "/options",
                         fmt::format("{} options; up to {} are allowed", c.options.size(), maxReadOptions));
    for (std::size_t i = 0; i < c.options.size(); ++i) {
        const std::size_t needed = hasStates ? states - 1 : 0;
        checks.expectOfFlash(
            c.options[i].shifts.size() == needed, fmt::format("{}/options/{}/shifts", path, i),
            hasStates ? fmt::format("{} numbers, but there are {} references", c.options[i].shifts.size(), needed)
                      : std::string("applies only to model \"states\""));
        checks.expectOfFlash(!hasStates || c.options[i].factor == 1, fmt::format("{}/options/{}/factor", path, i),
                             "applies only to model \"formula\"");
    }
}

} // namespace strobe::platform
