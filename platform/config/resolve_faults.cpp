// SPDX-License-Identifier: Apache-2.0
//
// Planned faults: their places exist on the drive.
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

// At most, of one read: rows add up.
std::uint64_t plannedBits(const Resolving& r)
{
    std::uint64_t bits = 0;
    for (const nand::FlashFault& fault : r.file.faults.flash)
        bits += fault.kind == nand::FlashFaultKind::BitErrors ? fault.bits : 0;
    return bits;
}

void flashFault(Resolving& r, const nand::FlashFault& fault, const std::string& path)
{
    const nand::DieGeometry& geometry = r.file.nand.part.geometry;
    const auto below = [&](const char* key, const std::optional<std::uint32_t>& value, std::uint32_t limit) {
        if (value)
            r.checks.expect(*value < limit, path + "/" + key,
                            fmt::format("must be 0 to {}, not {}", limit - 1, *value));
    };
    below("die", fault.die, r.file.nand.array.dies());
    below("plane", fault.plane, geometry.planes);
    below("block", fault.block, geometry.blocks());
    below("page", fault.page, geometry.pagesPerBlock);
    r.checks.expect(!fault.plane || !fault.block || geometry.planeOf(*fault.block) == *fault.plane, path + "/plane",
                    "the block is in another plane: give one of them");
    r.checks.expect(!fault.until || *fault.until > fault.at, path + "/until", "must be later than at");
    const bool recovers =
        !r.file.power.config.cuts.empty() || r.file.power.meanCutInterval || r.file.nand.contents.loads();
    r.checks.expect(fault.kind != nand::FlashFaultKind::Dead || !recovers, path + "/kind",
                    "recovery cannot tell dead flash from pages that a power loss has interrupted: dead cannot be "
                    "combined with power losses or a drive that was used before");
    const std::uint32_t corrected = r.file.controller.eccCode.correctableBits;
    const bool addsErrors = fault.kind == nand::FlashFaultKind::BitErrors;
    r.checks.expect(!addsErrors || corrected != 0, path + "/kind",
                    "bit errors pass unnoticed without a code: controller.ecc.correctableBits must be above 0");
    r.checks.expect(
        !addsErrors || !recovers || plannedBits(r) <= corrected, path + "/bits",
        fmt::format("recovery cannot tell pages that are beyond correction from those that a power loss has "
                    "interrupted: with power losses or a drive that was used before, all rows together may add "
                    "{} bits, which the code corrects, not {}",
                    corrected, plannedBits(r)));
}

} // namespace

void resolveFaults(Resolving& r)
{
    for (std::size_t i = 0; i < r.file.faults.flash.size(); ++i)
        flashFault(r, r.file.faults.flash[i], fmt::format("/faults/flash/{}", i));
    r.result.faults = r.file.faults;
    host::LinkErrors& errors = r.result.faults.link;
    host::HostFaults& faults = r.result.faults.host;
    errors.seed = faults.seed = r.file.seed;
    r.result.host.nvme.pcie.errors = r.result.host.sata.errors = errors;
    r.result.host.nvme.faults = r.result.host.ahci.faults = faults;
}

} // namespace strobe::platform
