#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Whether the firmware that is linked into a test starts with as much control memory as its footprint.

#include "tests/firmware/support/host_model.h"
#include "tests/support/catch.h"

#include <cstddef>
#include <cstdint>
#include <functional>

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace strobe::test {

struct MemoryCase {
    const char* name;
    std::function<void(MockOptions&)> change;
    std::uint32_t mostUnused = 2048; // bytes of the footprint that firmware may leave: alignment, sizes rounded up
};

// `Boot`: boot_block of the firmware's headers.
template <class Boot>
std::uint32_t controlMemoryOf(const MockOptions& options, std::uint64_t (*footprint)(const Boot*))
{
    Boot boot{};
    options.boot.fill(reinterpret_cast<std::byte*>(&boot));
    boot.buffer_size = options.bufferPages * boot.page_bytes;
    if (boot.mapping_unit == 0)
        boot.mapping_unit = boot.page_bytes;
    boot.bad_block_table = options.badBlockTable ? 1 : 0;
    return static_cast<std::uint32_t>((footprint(&boot) + 3) / 4 * 4);
}

// False: the control memory is too small.
inline bool startsWithin(std::uint32_t bytes, MockOptions options)
{
    options.memoryBytes = bytes;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    try {
        drive.run(strobe_firmware_entry, host);
    } catch (const FirmwarePanic& panic) {
        CHECK_THAT(panic.what(), Catch::Matchers::StartsWith("control memory too small"));
        return false;
    }
    return true;
}

} // namespace strobe::test
