// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of planned faults, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>

#include <string>

namespace strobe::platform {

namespace {

void describeFlashFault(Fields& f, nand::FlashFault& c)
{
    f.choice("kind", c.kind, "What happens to the operations that are hit.");
    f.numberOr("die", c.die, "all", {0, maxDies - 1}, "Die: (channel x ways + way) x luns + lun.");
    f.numberOr("plane", c.plane, "all", {0, 63}, "Plane of the die.");
    f.numberOr("block", c.block, "all", {0, 1'048'575}, "Block of the die.");
    const bool hasPages = c.kind != nand::FlashFaultKind::EraseFail;
    f.onlyIf(hasPages, "operations on pages", "kind is erase-fail", {"kind"})
        .numberOr("page", c.page, "all", {0, 65'535}, "Page of the block.");
    f.quantity("at", Quantity::Time, c.at, {}, "Simulated time from which operations are hit.");
    f.quantityOr("until", Quantity::Time, c.until, "end", {},
                 "Simulated time from which operations are no longer hit.");
    const auto unlessDead = [&]() -> Fields& {
        return f.onlyIf(c.kind != nand::FlashFaultKind::Dead, "faults of single operations",
                        "kind is dead, which hits all", {"kind"});
    };
    unlessDead().real("rate", c.rate, 0, 1, "Probability that an operation is hit.");
    unlessDead().number("count", c.count, {0, 1'000'000'000}, "Maximum number of operations hit per die; 0: no limit.");
    f.onlyIf(c.kind == nand::FlashFaultKind::BitErrors, "kind bit-errors", fmt::format("kind is {}", enumName(c.kind)),
             {"kind"})
        .number("bits", c.bits, {1, 65'535}, "Raw bit errors added to the worst codeword of a read that is hit.");
}

const std::string hostInterface = "../../host/interface";

std::string chosenInterface(HostProtocol host)
{
    return fmt::format("host.interface is {}", enumName(host));
}

void describeLinkErrors(Fields& f, host::LinkErrors& c, HostProtocol host)
{
    const bool isNvme = host == HostProtocol::Nvme;
    const bool isSata = host == HostProtocol::Sata || host == HostProtocol::Ahci;
    f.onlyIf(isNvme || isSata, "host.interface nvme, ahci or sata", chosenInterface(host), {hostInterface})
        .real(
            "damaged", c.damaged, 0, 0.5,
            "Probability that a packet (NVMe) or a FIS without data (SATA, AHCI) arrives with a wrong CRC and is sent "
            "again.");
    f.onlyIf(isNvme, "host.interface nvme", chosenInterface(host), {hostInterface})
        .real("lost", c.lost, 0, 0.4,
              "Probability that a packet is not recognised and is sent again when the replay timer has expired.");
}

void describeHostFaults(Fields& f, host::HostFaults& c, HostProtocol host)
{
    const Range interval{100 * microsecond, 1'000 * second};
    const bool isNvme = host == HostProtocol::Nvme;
    const auto ifDriver = [&]() -> Fields& {
        return f.onlyIf(isNvme || host == HostProtocol::Ahci, "host.interface nvme or ahci", chosenInterface(host),
                        {hostInterface});
    };
    const auto ifNvme = [&]() -> Fields& {
        return f.onlyIf(isNvme, "host.interface nvme", chosenInterface(host), {hostInterface});
    };
    instants(ifDriver(), "resets", c.resets,
             "Simulated times of controller resets; without effect while the drive is not ready.");
    ifDriver().quantityOr(
        "meanResetInterval", Quantity::Time, c.meanResetInterval, "never", interval,
        "Additional random resets: mean time from when the drive is ready, after power-on or a reset, to the next.");
    instants(ifNvme(), "aborts", c.aborts, "Simulated times at which a random outstanding command is aborted.");
    ifNvme().quantityOr("meanAbortInterval", Quantity::Time, c.meanAbortInterval, "never", interval,
                        "Additional random aborts: mean time from one to the next.");
}

} // namespace

void describeFaults(Fields& f, FaultsConfig& c, HostProtocol host)
{
    f.listOf("flash", c.flash, "Faults of the flash.", describeFlashFault);
    f.object("link", "Errors of the host's link.", [&](Fields& g) { describeLinkErrors(g, c.link, host); });
    f.object("host", "What the host's driver does to a drive that works.",
             [&](Fields& g) { describeHostFaults(g, c.host, host); });
}

} // namespace strobe::platform
