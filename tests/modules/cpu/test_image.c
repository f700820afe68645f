/* SPDX-License-Identifier: Apache-2.0
 *
 * A firmware image for the tests of the native runner: uses the table itself, without hal.h.
 */
#include "firmware/hal/native.h"
#include "tests/modules/cpu/test_scripts.h"

#include <stddef.h>

enum cost_point {
#define HAL_COST_POINT(name, cycles, text) COST_##name,
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
    COST_POINTS
};

#define INTC_ENABLE 0x02000004u
#define TIMER_COMPARE_LO 0x02010008u
#define TIMER_COMPARE_HI 0x0201000Cu
#define TIMER_CONTROL 0x02010010u

static const struct strobe_native_hal* hal;
static uint32_t global = 1000;

static void write32(uint32_t address, uint32_t value)
{
    hal->write32(hal->context, address, value);
}
static uint32_t read32(uint32_t address)
{
    return hal->read32(hal->context, address);
}
static void cost(enum cost_point point, uint32_t times)
{
    hal->cost(hal->context, (uint32_t)point, times);
}
static uint32_t now(void)
{
    return (uint32_t)hal->time_ns(hal->context);
}
static uint32_t sleep(void)
{
    return hal->wait(hal->context);
}

static void times(uint32_t* results)
{
    write32(RECORDER, 0xA);
    cost(COST_wake_up, 1);
    write32(RECORDER + 4, 0xB);
    cost(COST_gc_page, 3);
    results[0] = now();
    results[1] = read32(RECORDER + 8);
    results[2] = now();
}

static void serve(void)
{
    write32(INTC_ENABLE, 1);
    for (;;) {
        write32(RECORDER, sleep());
        write32(RECORDER_ACK, 1);
    }
}

static void poll(uint32_t* results)
{
    write32(INTC_ENABLE, 1);
    while (hal->pending(hal->context) == 0)
        cost(COST_gc_page, 1);
    results[0] = now();
}

static void arm_timer(uint32_t ns, uint32_t* results)
{
    write32(INTC_ENABLE, 1u << 2);
    write32(TIMER_COMPARE_LO, ns);
    write32(TIMER_COMPARE_HI, 0);
    write32(TIMER_CONTROL, 1);
    results[0] = sleep();
    results[1] = now();
}

static void look_at_memory(uint32_t* results)
{
    uint32_t* const word = hal->memory(hal->context, SDRAM + 0x100, 4);
    *word = 0x12345678;
    results[0] = hal->memory(hal->context, NOWHERE, 4) == NULL;
    results[1] = hal->memory(hal->context, RECORDER, 4) == NULL;       /* registers are not memory */
    results[2] = hal->memory(hal->context, SDRAM + 0x3FFE, 4) == NULL; /* across the end of it */
    results[3] = hal->memory(hal->context, SDRAM + 0x100, 4) == word;
    results[4] = hal->memory(hal->context, SDRAM + 0xFFFFFFFF, 8) == NULL;
    results[5] = now();
}

__attribute__((visibility("default"))) void STROBE_NATIVE_ENTRY(const struct strobe_native_hal* table);

__attribute__((visibility("default"))) void STROBE_NATIVE_ENTRY(const struct strobe_native_hal* table)
{
    hal = table;
    uint32_t* const boot = hal->memory(hal->context, BOOT_MEMORY, 128);
    const uint32_t argument = boot[1];
    uint32_t* const results = boot + RESULTS;
    switch ((enum test_script)boot[0]) {
    case SCRIPT_TIMES: times(results); break;
    case SCRIPT_COUNT:
        global += argument;
        write32(INTC_ENABLE, 1);
        sleep();
        global += argument;
        boot[argument] = global;
        write32(INTC_ENABLE, 0);
        break;
    case SCRIPT_SERVE: serve(); break;
    case SCRIPT_TIMER: arm_timer(argument, results); break;
    case SCRIPT_SPIN:
        for (uint32_t i = 0; i < argument; ++i)
            cost(COST_gc_page, 1);
        write32(RECORDER, 0);
        break;
    case SCRIPT_POLL: poll(results); break;
    case SCRIPT_MEMORY: look_at_memory(results); break;
    case SCRIPT_PANIC:
        cost(COST_gc_page, 8);
        hal->panic(hal->context, "map is inconsistent");
        break;
    case SCRIPT_BAD_READ: read32(NOWHERE); break;
    case SCRIPT_BAD_WRITE: write32(NOWHERE + 4, 7); break;
    case SCRIPT_BAD_COST: cost((enum cost_point)COST_POINTS, 1); break;
    case SCRIPT_BROKEN_TARGET: write32(RECORDER_BROKEN, 7); break;
    case SCRIPT_RETURN: return;
    case SCRIPT_LOG:
        cost(COST_wake_up, 1);
        hal->log(hal->context, "hello from firmware");
        break;
    }
    write32(INTC_ENABLE, 0);
    for (;;)
        sleep();
}
