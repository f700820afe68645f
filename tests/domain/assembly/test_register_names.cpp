// SPDX-License-Identifier: Apache-2.0
#include "firmware/hal/cores.h"
#include "models/base/strobe_registers.h"
#include "platform/assembly/memory_layout.h"
#include "platform/assembly/register_names.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

TEST_CASE("registers are named as in the register map; other addresses are numbers")
{
    Scenario scenario;
    scenario.memory.size = 1U << 20U;
    scenario.memory.bufferSize = 1U << 16U;
    const RegisterNames names(layOutMemory(scenario), 2);
    CHECK(names.of(regs::host::base + regs::host::XFER_START) == "HOST.XFER_START");
    CHECK(names.of(regs::flash::base + regs::flash::UNIT_HEAD) == "FLASH.UNIT_HEAD[0]");
    CHECK(names.of(regs::flash::base + regs::flash::UNIT_HEAD + 3 * regs::flash::UNIT_HEAD_step) ==
          "FLASH.UNIT_HEAD[3]");
    CHECK(names.of(regs::intc::base + regs::intc::ENABLE) == "INTC.ENABLE");
    CHECK(names.of(regs::intc::base + HAL_CORE_STEP + regs::intc::ENABLE) == "INTC1.ENABLE");
    CHECK(names.of(regs::host::base + 0xFFC) == "0x03000ffc");
    CHECK(names.of(0x12345678) == "0x12345678");
}
