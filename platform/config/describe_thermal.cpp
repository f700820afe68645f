// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the thermal model, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

namespace {

const Range celsius{-40, 150};

void describeNode(Fields& f, thermal::NetworkConfig::NodeConfig& c)
{
    f.real("resistance", c.resistance, 0.01, 10'000, "Thermal resistance to the ambient, K/W.");
    f.real("capacity", c.capacity, 1e-6, 1e6, "Heat capacity, J/K.");
}

void describeThrottle(Fields& f, ThermalConfig::Throttle& c)
{
    const Range thresholds{1, 150};
    f.flag("enabled", c.isEnabled, "Firmware lets fewer dies work at a time when it is hot.");
    const auto only = [&]() -> Fields& {
        return f.onlyIf(c.isEnabled, "firmware that throttles", "it is not enabled", {"enabled"});
    };
    only().number("light", c.light, thresholds,
                  "Composite temperature from which on it throttles lightly, degrees Celsius; the host can set a lower "
                  "one (host controlled thermal management).");
    only().number("heavy", c.heavy, thresholds, "The same for heavy throttling.");
    only().number("hysteresis", c.hysteresis, {0, 50},
                  "A level ends when it is colder than its threshold by more than this, degrees Celsius.");
    only().quantity("lightDies", Quantity::Percent, c.lightPermille, {1, 1000},
                    "Share of the dies that may work at a time with light throttling; at least one.");
    only().quantity("heavyDies", Quantity::Percent, c.heavyPermille, {1, 1000}, "The same with heavy throttling.");
}

} // namespace

void describeThermal(Fields& f, ThermalConfig& c)
{
    f.seldom().flag("enabled", c.isEnabled, "The drive has a temperature, and a sensor that firmware reads.");
    const auto only = [&]() -> Fields& {
        return f.onlyIf(c.isEnabled, "a thermal model", "it is not enabled", {"enabled"});
    };
    only().quantity("interval", Quantity::Time, c.interval, {10 * microsecond, 10 * second},
                    "Between two samples of the sensor; powers are constant in it.");
    only().real("ambient", c.network.ambient, -40, 125, "Ambient temperature, degrees Celsius.");
    only().numberOr("initial", c.network.initial, "ambient", celsius,
                    "Temperature of controller and flash at the start, degrees Celsius.");
    const auto node = [&](const char* name, const char* text, thermal::NetworkConfig::NodeConfig& config) {
        f.ifChosen(c.isEnabled, "a thermal model").object(name, text, [&](Fields& g) { describeNode(g, config); });
    };
    node("controller", "Everything but the dies: the components of energy.", c.network.controller);
    node("flash", "All flash packages together: the arrays of the dies, and components of the group die.",
         c.network.flash);
    only().real("coupling", c.network.coupling, 0, 10'000,
                "Thermal resistance between controller and flash packages, K/W; 0: they are not coupled.");
    only().number("warning", c.warning, celsius,
                  "Composite temperature from which on the drive warns (WCTEMP), degrees Celsius.");
    only().number("critical", c.critical, celsius, "The same of a critical temperature (CCTEMP).");
    f.ifChosen(c.isEnabled, "a thermal model").object("throttle", "What firmware does when it is hot.", [&](Fields& g) {
        describeThrottle(g, c.throttle);
    });
}

} // namespace strobe::platform
