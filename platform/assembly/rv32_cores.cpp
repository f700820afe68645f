// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/rv32_cores.h"

#include "models/base/check.h"

namespace strobe::platform {

std::vector<cpu::Rv32CpuModule*> rv32CoresOf(SsdModule& ssd)
{
    std::vector<cpu::Rv32CpuModule*> cores;
    for (cpu::CpuModule* cpu : {ssd.cpu.get(), ssd.second ? ssd.second->cpu.get() : nullptr}) {
        if (cpu == nullptr)
            continue;
        cores.push_back(dynamic_cast<cpu::Rv32CpuModule*>(cpu));
        check(cores.back() != nullptr, "firmware that does not run on the RV32 core is inspected");
    }
    return cores;
}

} // namespace strobe::platform
