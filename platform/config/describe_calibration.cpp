// SPDX-License-Identifier: Apache-2.0
//
// Parameters of the output delay of dies, and of the calibration of data out.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describeOutput(Fields& f, nand::OutputParameters& c)
{
    const Range delay{0, microsecond};
    const Range factor{100, 10'000};
    f.quantity("tREA", Quantity::Time, c.tREA, delay, "RE# to data valid, at most.");
    f.quantity("tCYCLE", Quantity::Time, c.tCYCLE, delay, "Page register to pins, one byte, at most.");
    f.quantity("tUNSTABLE", Quantity::Time, c.tUNSTABLE, delay,
               "Invalid part of each data-out cycle, at most: skew between pins and edges.");
    f.quantity("slow", Quantity::Percent, c.slowPermille, factor, "Delays of the slow corner.");
    f.quantity("fast", Quantity::Percent, c.fastPermille, factor, "Delays of the fast corner.");
    f.real("voltageExponent", c.voltageExponent, 0, 10, "a: delays are proportional to V to the power of -a.");
    f.real("perKelvin", c.perKelvin, 0, 0.01, "b: relative increase of delays per kelvin.");
    f.quantity("spread", Quantity::Percent, c.spreadPermille, {0, 300},
               "Standard deviation of the dies of a corner, truncated at two sigma.");
}

void describeEnvironment(Fields& f, channel::DieEnvironment& c)
{
    const Range celsius{-40, 125};
    f.quantity("supply", Quantity::Percent, c.supplyPermille, {500, 1'500},
               "Supply voltage of the dies, relative to nominal.");
    f.number("temperature", c.celsius, celsius, "Temperature of the dies at power-on, degrees Celsius.");
    f.listOf("changes", c.changes, "Later temperatures, in order of time.",
             [celsius](Fields& g, channel::DieEnvironment::Change& change) {
                 g.required().quantity("at", Quantity::Time, change.at, {}, "Simulated time of the change.");
                 g.required().number("temperature", change.celsius, celsius,
                                     "Temperature from then on, degrees Celsius.");
             });
}

void describeCalibration(Fields& f, CalibrationConfig& c)
{
    f.flag("enabled", c.isEnabled,
           "Firmware calibrates the clock and the sampling instant of data out for each die; for interfaces without a "
           "data strobe.");
    const auto only = [&]() -> Fields& {
        return f.onlyIf(c.isEnabled, "calibrated data out", "it is not enabled", {"enabled"});
    };
    only().quantity("fastClock", Quantity::Time, c.fastClock, {100, 100 * nanosecond},
                    "Period of the fast clock from which the data-out clock is divided.");
    only().number("margin", c.margin, {0, 100},
                  "Distance of a sample from both ends of the window, in eighths of a cycle of the fast clock.");
    only().number("threshold", c.threshold, {1, 200},
                  "Temperature change, degrees Celsius, after which firmware calibrates again.");
    only().quantity("drift", Quantity::Time, c.drift, {0, microsecond},
                    "Failure injection: pages, but not patterns, are sampled later by this time than calibrated.");
}

} // namespace strobe::platform
