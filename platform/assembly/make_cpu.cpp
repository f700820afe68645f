// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/make_cpu.h"

#include "models/cpu/native_cpu_module.h"

#include <utility>

namespace strobe::platform {

namespace {

cpu::CpuConfig cpuConfig(const Scenario& scenario, const std::string& image)
{
    cpu::CpuConfig config;
    config.image = image;
    config.clockHz = scenario.cpu.hertz;
    config.quantum = scenario.cpu.quantum;
    for (const CostPoint& point : scenario.firmware.costs)
        config.costs.override(point.name, point.cycles);
    return config;
}

} // namespace

std::unique_ptr<cpu::CpuModule> makeCpu(const Scenario& scenario, const std::string& image,
                                        cpu::InterruptControllerModule& interrupts, cpu::Console console)
{
    return std::make_unique<cpu::NativeCpuModule>("cpu", cpuConfig(scenario, image), interrupts, std::move(console));
}

} // namespace strobe::platform
