// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/cpu/interrupt_controller.h"
#include "tests/support/catch.h"

using namespace strobe;
using cpu::InterruptController;
using cpu::InterruptSource;

TEST_CASE("only an enabled line interrupts, and it does as long as it is asserted")
{
    InterruptController controller;
    controller.setLine(InterruptSource::Flash, true);
    CHECK(controller.pending() == regs::intc::PENDING_flash_mask);
    CHECK(controller.active() == 0);
    CHECK(controller.write(regs::intc::ENABLE, regs::intc::PENDING_flash_mask) == Access::Ok);
    CHECK(controller.active() == regs::intc::PENDING_flash_mask);
    controller.setLine(InterruptSource::Host, true);
    CHECK(controller.active() == regs::intc::PENDING_flash_mask);
    controller.setLine(InterruptSource::Flash, false);
    CHECK(controller.active() == 0);
    CHECK(controller.pending() == regs::intc::PENDING_host_mask);
}

TEST_CASE("a line is level-sensitive: writing to the controller does not clear it")
{
    InterruptController controller;
    controller.write(regs::intc::ENABLE, 0xFFFFFFFF);
    controller.setLine(InterruptSource::Host, true);
    controller.write(regs::intc::PENDING, 0);
    controller.write(regs::intc::PENDING, 0xFFFFFFFF);
    std::uint32_t value = 0;
    CHECK(controller.read(regs::intc::PENDING, value) == Access::Ok);
    CHECK(value == regs::intc::PENDING_host_mask);
}

TEST_CASE("a repeated level counts as one assertion")
{
    InterruptController controller;
    for (const bool level : {true, true, false, false, true})
        controller.setLine(InterruptSource::Timer, level);
    CHECK(controller.assertions(InterruptSource::Timer) == 2);
    CHECK(controller.assertions(InterruptSource::Host) == 0);
}

TEST_CASE("the software interrupt follows its register")
{
    InterruptController controller;
    controller.write(regs::intc::ENABLE, regs::intc::PENDING_software_mask);
    controller.write(regs::intc::SOFTWARE, 1);
    CHECK(controller.active() == regs::intc::PENDING_software_mask);
    controller.write(regs::intc::SOFTWARE, 2); // only bit 0 counts
    CHECK(controller.active() == 0);
    CHECK_THROWS_AS(controller.setLine(InterruptSource::Software, true), InternalError);
}

TEST_CASE("offsets without a register are refused")
{
    InterruptController controller;
    std::uint32_t value = 0;
    CHECK(controller.read(0xC, value) == Access::Unmapped);
    CHECK(controller.write(0x2, 0) == Access::Misaligned);
}
