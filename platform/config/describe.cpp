// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of a scenario, once: key, unit, range, sentence. Each section has a file describe_<section>.cpp.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describe(Fields& f, ScenarioFile& c)
{
    f.text("name", c.name, "Name of the scenario, printed in the report.");
    f.text("description", c.description, "Purpose of the scenario, one or two sentences.");
    f.number("seed", c.seed, {0},
             "Seed of all random choices; the same scenario with the same seed gives the same report.");
    f.choice("data", c.dataMode, "Contents of sectors.");
    f.required().object("nand", "The flash array.", [&](Fields& g) { describeNand(g, c.nand); });
    f.object("environment", "Supply and temperature of the dies, which determine their output delay.",
             [&](Fields& g) { describeEnvironment(g, c.environment); });
    f.object("channel", "The NAND buses.", [&](Fields& g) { describeChannel(g, c.channel); });
    f.object("controller", "The flash controller.", [&](Fields& g) { describeController(g, c.controller); });
    describeMemories(f, c);
    f.object("firmware", "The firmware and its policies.",
             [&](Fields& g) { describeFirmware(g, c.firmware, c.nand.part); });
    f.object("host", "The host's link to the drive.", [&](Fields& g) { describeHost(g, c.host); });
    f.required().object("workload", "The requests of the host.", [&](Fields& g) {
        describeWorkload(g, c.workload, c.firmware.layerFor(c.nand.part) == Ftl::Zoned);
    });
    f.object("operations", "NAND operations on the dies, for `strobe operations`; `strobe run` ignores them.",
             [&](Fields& g) { describeOperations(g, c.operations); });
    f.object("energy", "Energy figures.", [&](Fields& g) { describeEnergy(g, c.energy); });
    f.seldom().object("thermal", "Temperature of the drive, and throttling by it.",
                      [&](Fields& g) { describeThermal(g, c.thermal); });
    f.object("power", "Power losses, and the return of power.",
             [&](Fields& g) { describePower(g, c.power, c.firmware, c.nand.part); });
    f.object("faults", "Planned faults; power losses are in `power`.",
             [&](Fields& g) { describeFaults(g, c.faults, c.host.config.interface); });
    f.object("report", "The report.", [&](Fields& g) {
        g.number("mismatchDetails", c.report.mismatchDetails, {0, 16}, "Data mismatches listed in full.");
        g.number("failureDetails", c.report.failureDetails, {0, 16}, "Modelled failures of each kind listed in full.");
        g.flag("wearMap", c.report.wearMap, "Include the erase count of every block in the JSON report.");
        const Range interval{0, 1'000 * second, microsecond};
        g.quantity("wearEvery", Quantity::Time, c.report.wearEvery, interval,
                   "Simulated time between the points of the wear history; 0s: no history.");
        g.flag("stages", c.report.stages, "Divide the latency of requests into stages.");
        g.onlyIf(c.report.stages, "stages true", "stages is false", {"stages"})
            .number("slowest", c.report.slowest, {0, 100'000}, "Slowest requests listed with their stages.");
        g.quantityOr("seriesEvery", Quantity::Time, c.report.seriesEvery, "auto", interval,
                     "Measured time between the points of the JSON report's time series; auto: 128 to 256 points; 0s: "
                     "no series.");
    });
}

} // namespace strobe::platform
