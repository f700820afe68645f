#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The table through which firmware reaches devices without time (NativeCpuModule::runFunctional). A fill writes five
// registers per page: the devices' class is a parameter, so that such a write is one call from firmware into the
// device.

#include "models/cpu/functional_devices.h"
#include "models/cpu/native_cpu_module.h"

#include <cstdint>

namespace strobe::cpu {

template <class Devices>
struct NativeCpuModule::FunctionalHal {
    static Devices& devicesOf(NativeCpuModule& cpu) { return static_cast<Devices&>(*cpu.functional_); }

    static std::uint32_t read32(void* context, std::uint32_t address)
    {
        return guarded(context, [=](NativeCpuModule& cpu) {
            std::uint32_t value = 0;
            return devicesOf(cpu).read(address, value) ? value : cpu.readAtOnce(address);
        });
    }
    static void write32(void* context, std::uint32_t address, std::uint32_t value)
    {
        guarded(context, [=](NativeCpuModule& cpu) {
            if (!devicesOf(cpu).write(address, value))
                cpu.writeAtOnce(address, value);
        });
    }
    static std::uint64_t timeNs(void* context) { return static_cast<NativeCpuModule*>(context)->functionalNs_; }
    static std::uint32_t pending(void* context) { return devicesOf(*static_cast<NativeCpuModule*>(context)).lines(); }
    static std::uint32_t wait(void* context)
    {
        return guarded(context, [](NativeCpuModule& cpu) { return cpu.sleepFunctionally(); });
    }

    static std::uint32_t store(void* context, const hal_strip* strip)
    {
        return guarded(context, [=](NativeCpuModule& cpu) { return devicesOf(cpu).store(*strip); });
    }
    static std::uint32_t arrive(void* context)
    {
        return guarded(context, [=](NativeCpuModule& cpu) { return std::uint32_t{devicesOf(cpu).arrive()}; });
    }

    static strobe_native_hal table(strobe_native_hal table)
    {
        table.read32 = read32;
        table.write32 = write32;
        table.cost = nullptr; // takes no time
        table.time_ns = timeNs;
        table.pending = pending;
        table.wait = wait;
        table.store = store;
        table.arrive = arrive;
        return table;
    }
};

template <class Devices>
void NativeCpuModule::runFunctional(Devices& devices)
{
    runFunctional(devices, FunctionalHal<Devices>::table(hal_));
}

} // namespace strobe::cpu
