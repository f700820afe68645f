// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of power losses, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describePower(Fields& f, PowerSection& c, const FirmwareSection& firmware, const nand::Part& part)
{
    const Ftl layer = firmware.layerFor(part); // the cache of a drive with zones is always protected
    const bool isProtected =
        layer == Ftl::Zoned || (layer == Ftl::PageMap && firmware.config.writeCache == WriteCache::Protected);
    instants(f, "cuts", c.config.cuts,
             "Simulated times of power losses. A time at which there is no power has no effect.");
    f.quantityOr("meanCutInterval", Quantity::Time, c.meanCutInterval, "never", {1'000'000, 1'000 * second},
                 "Additional random power losses: mean time from power-on to the next one, uniform from 0 to twice the "
                 "mean, so that some fall into recovery.");
    f.onlyIf(c.meanCutInterval.has_value(), "random power losses", "meanCutInterval is not given", {"meanCutInterval"})
        .number("maxCuts", c.config.maxCuts, {0, 1'000'000}, "Maximum number of random power losses; 0: no limit.");
    f.quantity("offTime", Quantity::Time, c.config.offTime, {0, 1'000 * second}, "Time without power.");
    f.flag("readBack", c.config.readBack,
           "After each power loss the host reads back everything that it has written before the workload continues.");
    f.choice("lostCommands", c.config.lostCommands, "What the host does with commands in progress at a power loss.");
    const auto ifProtected = [&]() -> Fields& {
        return f.onlyIf(isProtected, "a protected write cache", "firmware.pageMap.writeCache is volatile",
                        {"../firmware/pageMap/writeCache", "../firmware/ftl"});
    };
    ifProtected().quantityOr("holdUp", Quantity::Time, c.holdUp, "auto", {1'000'000, 1'000 * second},
                             "Time for which capacitors supply the drive after a power loss; auto: 25 ms, or eight "
                             "times what the programs of a full write buffer take, if that is more.");
    physical(ifProtected(), "holdUpPower", Quantity::Power, c.config.holdUpWatt,
             "Power that the drive draws from the capacitors during the hold-up time.");
}

} // namespace strobe::platform
