/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest firmware: a light that goes on and off every millisecond, ten times, and then the end of the run. The
 * light is a variable (watch it with a debugger) and a line on the UART. Uses only the generated register map.
 *
 *   strobe run --firmware build/release/firmware/example_blink.elf --console -
 */
#include "firmware/regs/strobe_regs.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define TIMER_LINE INTC_PENDING_TIMER_MASK

volatile uint32_t light;

static void say(const char* text)
{
    for (; *text != '\0'; ++text)
        REGISTER(UART_DATA) = (uint8_t)*text; /* the queue holds a line */
    REGISTER(UART_DATA) = '\n';
}

static void sleep_until(uint64_t ns)
{
    REGISTER(TIMER_COMPARE_LO) = (uint32_t)ns;
    REGISTER(TIMER_COMPARE_HI) = (uint32_t)(ns >> 32);
    REGISTER(TIMER_CONTROL) = TIMER_CONTROL_ENABLE_MASK;
    while ((REGISTER(INTC_PENDING) & TIMER_LINE) == 0)
        __asm__ volatile("wfi");
}

/* Ends the run: semihosting operation 0x18, reason 0x20026. */
static void end(void)
{
    __asm__ volatile("li a0, 0x18\n"
                     "li a1, 0x20026\n"
                     ".option push\n"
                     ".option norvc\n"
                     "slli zero, zero, 0x1f\n"
                     "ebreak\n"
                     "srai zero, zero, 7\n"
                     ".option pop" ::
                         : "a0", "a1", "memory");
}

_Noreturn void firmware_main(void);

_Noreturn void firmware_main(void)
{
    const uint32_t millisecond = 1000000;
    REGISTER(INTC_ENABLE) = TIMER_LINE;
    for (uint32_t i = 1; i <= 20; ++i) {
        sleep_until((uint64_t)i * millisecond);
        light ^= 1u;
        say(light != 0 ? "on" : "off");
    }
    end();
    for (;;)
        __asm__ volatile("wfi");
}
