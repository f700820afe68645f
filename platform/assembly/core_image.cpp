// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/core_image.h"

#include "models/base/config_error.h"
#include "models/cpu/spare_layout.h"
#include "platform/assembly/firmware_image.h"

#include <fmt/format.h>
#include <optional>

namespace strobe::platform {

namespace {
constexpr const char* secondCoreMark = "hal_second_core"; // of start-up code that a second core may execute
}

cpu::ElfImage loadCoreImage(const std::string& path, const Scenario& scenario, const MemoryLayout& layout)
{
    cpu::ElfImage image = cpu::ElfImage::load(path);
    image.mustFit({{"SRAM", layout.sram}, {"control memory", layout.control}});
    if (scenario.firmware.cores > 1 && image.find(secondCoreMark) == nullptr)
        throw ConfigError(
            (scenario.origin ? scenario.origin("/firmware/cores") + ": " : "") +
            fmt::format("/firmware/cores: the start-up code of \"{}\" is for one core: a second one would "
                        "start at the same address with the same stack; must be 1, or the image needs "
                        "the symbol {} (firmware/hal/rv32/start.S)",
                        path, secondCoreMark));
    if (const std::optional<cpu::SpareLayout> described = cpu::SpareLayout::of(image)) {
        const nand::DieGeometry& geometry = scenario.nand.part.geometry;
        described->mustFit(geometry.sectorsPerPage(), geometry.spareRecords(), image);
    }
    return image;
}

void checkFirmwareImage(const Scenario& scenario)
{
    const std::string path = findFirmwareImage(scenario.firmware);
    if (scenario.firmware.mode == FirmwareMode::Rv32)
        loadCoreImage(path, scenario, layOutMemory(scenario));
}

} // namespace strobe::platform
