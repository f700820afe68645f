// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::size_t leastPatternBytes = 4; // a wrong sample is accepted as correct once in 2^32

template <class T>
void withoutEffect(Resolving& r, T& value, const T& usual, bool isUsual, const char* path)
{
    if (r.checks.expectEffect(isUsual, path,
                              "has no effect without channel.calibration: only a controller that chooses the sampling "
                              "instant of data out depends on the output delay of the dies",
                              {"/channel/calibration/enabled", "/channel/interface"}))
        return;
    value = usual;
}

// Where data comes with a strobe, or is sampled at the fixed instant of its interface, the output delay is not
// modelled.
void conditionsWithoutEffect(Resolving& r)
{
    const channel::DieEnvironment usual;
    channel::DieEnvironment& e = r.result.environment;
    withoutEffect(r, r.result.nand.corner, nand::Corner::Typical, r.result.nand.corner == nand::Corner::Typical,
                  "/nand/corner");
    withoutEffect(r, e.supplyPermille, usual.supplyPermille, e.supplyPermille == usual.supplyPermille,
                  "/environment/supply");
    withoutEffect(r, e.celsius, usual.celsius, e.celsius == usual.celsius, "/environment/temperature");
    withoutEffect(r, e.changes, usual.changes, e.changes.empty(), "/environment/changes");
    r.file.nand.corner = r.result.nand.corner;
    r.file.environment = e;
}

} // namespace

void resolveCalibration(Resolving& r)
{
    const channel::DieEnvironment& e = r.file.environment;
    r.checks.expect(
        std::is_sorted(e.changes.begin(), e.changes.end(), [](const auto& a, const auto& b) { return a.at < b.at; }),
        "/environment/changes", "must be in order of time");
    r.result.environment = e;
    const channel::InterfaceTiming& timing = r.result.channel.timing;
    CalibrationConfig& c = r.file.channel.calibration;
    const bool isCalibratable =
        r.result.channel.kind == channel::InterfaceKind::Conv || timing.name.rfind("ONFI_SDR", 0) == 0;
    if (!r.checks.expectEffect(
            !c.isEnabled || isCalibratable, "/channel/calibration",
            fmt::format("data of {} comes with a strobe: CONV and ONFI_SDR_0 to 5 can be calibrated", timing.name),
            {"/channel/interface"}))
        c = {};
    r.result.channel.calibration = c;
    if (!c.isEnabled) {
        conditionsWithoutEffect(r);
        return;
    }
    r.checks.expect(
        r.file.firmware.config.cores == 1, "/firmware/cores",
        "must be 1 with channel.calibration: of two cores, one has the registers and the other the calibration "
        "loop",
        {"/channel/calibration"});
    r.checks.expect(
        r.file.channel.suspend == channel::Suspend::None, "/channel/suspend",
        "must be none with channel.calibration: a pattern read would separate a suspended operation from its "
        "read",
        {"/channel/calibration"});
    r.checks.expect(
        c.fastClock < timing.outCycle(), "/channel/calibration/fastClock",
        fmt::format("a period of {} is not below that of data out, {}", toText(c.fastClock), toText(timing.outCycle())),
        {"/channel/interface", "/channel/clock", "/channel/readClock"});
    const nand::Part& part = r.result.nand.part;
    r.checks.expect(part.id.size() >= leastPatternBytes, "/channel/calibration",
                    fmt::format("needs a part with an id of {} bytes at least: it is the pattern", leastPatternBytes),
                    {"/nand/part"});
    const nand::OutputParameters& o = part.output;
    r.checks.expect(o.fastPermille <= 1'000 && o.slowPermille >= 1'000, "/nand/part/output",
                    "the fast corner is 100 % at most, the slow one 100 % at least");
}

} // namespace strobe::platform
