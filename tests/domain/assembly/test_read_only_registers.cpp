// SPDX-License-Identifier: Apache-2.0
#include "firmware/hal/cores.h"
#include "models/base/strobe_registers.h"
#include "platform/assembly/memory_layout.h"
#include "platform/assembly/read_only_registers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

TEST_CASE("registers without a writable bit are read-only, also in arrays and of a second core, and memory is not")
{
    Scenario scenario;
    scenario.memory.size = 1U << 20U;
    scenario.memory.bufferSize = 1U << 16U;
    const ReadOnlyRegisters registers(memoryMap(layOutMemory(scenario), 2));
    CHECK(registers.has(regs::host::base + regs::host::SLOTS));
    CHECK(registers.has(regs::uart::base + regs::uart::LOST));
    CHECK(registers.has(regs::intc::base + HAL_CORE_STEP + regs::intc::PENDING));
    CHECK(registers.has(regs::flash::base + regs::flash::UNIT_STATUS));
    CHECK(registers.has(regs::flash::base + regs::flash::UNIT_STATUS + 4095 * regs::flash::UNIT_STATUS_step));
    CHECK_FALSE(registers.has(regs::flash::base + regs::flash::UNIT_STATUS + 4));
    CHECK_FALSE(registers.has(regs::flash::base + regs::flash::UNIT_HEAD));
    CHECK_FALSE(registers.has(regs::host::base + regs::host::CAPACITY_LO));
    CHECK_FALSE(registers.has(regs::intc::base + HAL_CORE_STEP + regs::intc::ENABLE));
    CHECK_FALSE(registers.has(regs::host::base + regs::host::size - 4)); // no register
    CHECK_FALSE(registers.has(0));
    CHECK_FALSE(registers.has(0xFFFFFFFC));
}
