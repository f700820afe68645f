/* SPDX-License-Identifier: Apache-2.0
 *
 * hal.h on the RV32 core. A handler runs as a machine external interrupt, between any two instructions while interrupts
 * are enabled, with interrupts disabled meanwhile; lines are level-sensitive, so a source that is not served interrupts
 * again at once. A fatal error (a panic, an exception) is reported to the environment of the core by semihosting, or on
 * the UART if there is none.
 */
#include "firmware/hal/hal.h"
#include "firmware/hal/rv32/semihost.h"
#include "firmware/hal/rv32/stack_pattern.h"
#include "firmware/hal/text.h"
#include "firmware/regs/strobe_regs.h"

#define MSTATUS_MIE 8u
#define CAUSE_INTERRUPT 0x80000000u
#define CAUSE_BREAKPOINT 3u

extern uint32_t __stack_limit[], __second_stack_limit[]; /* of link.ld: NOLINT(clang-diagnostic-reserved-identifier) */

static hal_handler handlers[HAL_CORES][HAL_LINES];
static const char* last_words; /* of a panic in progress */

/* --- interrupts --------------------------------------------------------------------------------------------------- */

__attribute__((interrupt("machine"), aligned(4))) void hal_external_interrupt(void);

void hal_external_interrupt(void)
{
    const uint32_t core = hal_core();
    const uint32_t controller = core * HAL_CORE_STEP;
    const uint32_t lines = reg_read(INTC_PENDING + controller) & reg_read(INTC_ENABLE + controller);
    for (uint32_t line = 0; line < HAL_LINES; ++line) {
        if ((lines >> line & 1u) != 0 && handlers[core][line] != NULL)
            handlers[core][line]();
    }
}

void hal_set_handler(enum hal_line line, hal_handler handler)
{
    handlers[hal_core()][line] = handler;
}

bool hal_interrupts_disable(void)
{
    uint32_t before;
    __asm__ volatile("csrrci %0, mstatus, %1" : "=r"(before) : "i"(MSTATUS_MIE) : "memory");
    return (before & MSTATUS_MIE) != 0;
}

void hal_interrupts_restore(bool enabled)
{
    if (enabled)
        __asm__ volatile("csrsi mstatus, %0" : : "i"(MSTATUS_MIE) : "memory");
}

void hal_wait_for_interrupt(void)
{
    if (*(hal_core() == 0 ? __stack_limit : __second_stack_limit) != STACK_PATTERN)
        hal_panic("stack overflow: the last word of the stack was overwritten; the stack is too small, or a null "
                  "pointer was used");
    __asm__ volatile("wfi" : : : "memory");
}

/* --- time --------------------------------------------------------------------------------------------------------- */

uint64_t hal_time_ns(void)
{
    uint32_t high, low, again; /* the counter of the timer block, without a bus access */
    /* The instructions write the variables. NOLINTNEXTLINE(bugprone-infinite-loop) */
    do {
        __asm__ volatile("rdtimeh %0\n"
                         "rdtime %1\n"
                         "rdtimeh %2"
                         : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* --- console ------------------------------------------------------------------------------------------------------ */

static void put(char character)
{
    while ((reg_read(UART_STATUS) & UART_STATUS_FREE_MASK) == 0)
        ; /* until the UART has accepted a byte; logs are rare */
    reg_write(UART_DATA, (uint8_t)character);
}

void hal_log(const char* text)
{
    while (*text != '\0')
        put(*text++);
    put('\n');
}

/* --- the way out -------------------------------------------------------------------------------------------------- */

static _Noreturn void sleep_for_ever(void)
{
    hal_interrupts_disable();
    reg_write(INTC_ENABLE + hal_core() * HAL_CORE_STEP, 0);
    for (;;)
        __asm__ volatile("wfi");
}

_Noreturn void hal_panic(const char* text)
{
    last_words = text;
    semihost_call(SEMIHOST_WRITE0, (uint32_t)text);
    semihost_call(SEMIHOST_EXIT, SEMIHOST_EXIT_ERROR);
    sleep_for_ever();
}

static const char* name_of(uint32_t cause)
{
    static const char* const names[] = {
        "instruction address misaligned", "instruction access fault", "illegal instruction",      "breakpoint",
        "load address misaligned",        "load access fault",        "store address misaligned", "store access fault"};
    if ((cause & CAUSE_INTERRUPT) != 0)
        return "unexpected interrupt";
    return cause < sizeof names / sizeof names[0] ? names[cause] : "unexpected exception";
}

_Noreturn void hal_trap(uint32_t cause, uint32_t pc, uint32_t value);

_Noreturn void hal_trap(uint32_t cause, uint32_t pc, uint32_t value)
{
    static struct text text;
    if (last_words != NULL) { /* no semihosting: the ebreak of a panic trapped */
        hal_log(last_words);
        sleep_for_ever();
    }
    text_start(&text, name_of(cause));
    text_add(&text, " at pc ");
    text_hex(&text, pc);
    text_add(&text, ", mtval ");
    text_hex(&text, value);
    hal_panic(text.chars);
}
