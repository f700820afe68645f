// SPDX-License-Identifier: Apache-2.0
//
// A firmware image of the RV32 core: segments, symbols, and looking up functions. Input: the file.
#include "models/base/config_error.h"
#include "models/cpu/elf_image.h"
#include "tests/fuzz/target.h"

#include <vector>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    try {
        const auto image = strobe::cpu::ElfImage::parse(std::vector<std::byte>(bytes, bytes + size), "image");
        image.mustFit({{"memory", {strobe::BusAddress{0x80000000}, 0x1000000}}});
        for (const auto& segment : image.segments())
            image.functionAt(segment.address);
        image.find("work");
    } catch (const strobe::ConfigError&) {
    }
    return 0;
}
