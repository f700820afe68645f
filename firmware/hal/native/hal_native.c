/* SPDX-License-Identifier: Apache-2.0
 *
 * hal.h over the table of a native runner (native.h). Handlers and the interrupt enable are kept here: a handler runs
 * at the end of a HAL call when interrupts are enabled and its line is asserted, with interrupts disabled meanwhile,
 * once per call (lines are level-sensitive: a source that is not served interrupts again at the next call). What runs
 * for each page is inline: an image is optimised as a whole.
 */
#include "firmware/hal/hal.h"
#include "firmware/hal/native.h"
#include "firmware/hal/native/attach.h"
#include "firmware/hal/text.h"

static const struct strobe_native_hal* table;
static hal_handler handlers[HAL_LINES];
static bool enabled;

static void deliver(uint32_t lines)
{
    enabled = false;
    for (uint32_t line = 0; line < HAL_LINES; ++line) {
        if ((lines >> line & 1u) != 0 && handlers[line] != NULL)
            handlers[line]();
    }
    enabled = true;
}

static inline void end_of_call(void)
{
    if (enabled)
        deliver(table->pending(table->context));
}

inline uint32_t reg_read(bus_address address)
{
    const uint32_t value = table->read32(table->context, address);
    end_of_call();
    return value;
}

inline void reg_write(bus_address address, uint32_t value)
{
    table->write32(table->context, address, value);
    end_of_call();
}

void* hal_memory(bus_address address, uint32_t bytes)
{
    void* pointer = table->memory(table->context, address, bytes);
    if (pointer == NULL) {
        struct text text;
        text_start(&text, "no memory at bus address ");
        text_number(&text, address);
        text_add(&text, ", bytes ");
        text_number(&text, bytes);
        hal_panic(text.chars);
    }
    return pointer;
}

uint32_t hal_core(void)
{
    return table->core;
}

inline bool hal_can_store(void)
{
    return table->store != NULL;
}

inline uint32_t hal_store(const struct hal_strip* strip)
{
    return table->store(table->context, strip);
}

inline bool hal_arrive(void)
{
    return table->arrive(table->context) != 0;
}

inline void hal_cost(enum hal_cost_point point, uint32_t times)
{
    if (table->cost != NULL)
        table->cost(table->context, (uint32_t)point, times);
    end_of_call();
}

void hal_set_handler(enum hal_line line, hal_handler handler)
{
    handlers[line] = handler;
}

bool hal_interrupts_disable(void)
{
    const bool were_enabled = enabled;
    enabled = false;
    return were_enabled;
}

void hal_interrupts_restore(bool enable)
{
    enabled = enable;
    end_of_call();
}

void hal_wait_for_interrupt(void)
{
    const uint32_t lines = table->wait(table->context);
    if (enabled)
        deliver(lines);
}

inline uint64_t hal_time_ns(void)
{
    return table->time_ns(table->context);
}

void hal_log(const char* text)
{
    table->log(table->context, text);
}

_Noreturn void hal_panic(const char* text)
{
    table->panic(table->context, text);
    __builtin_trap(); /* panic() must not return */
}

void hal_native_attach(const struct strobe_native_hal* hal)
{
    table = hal;
    enabled = false;
    for (uint32_t line = 0; line < HAL_LINES; ++line)
        handlers[line] = NULL;
    if (hal->abi != STROBE_NATIVE_ABI)
        hal_panic("native HAL: the simulator was built with another version of native.h; rebuild the firmware");
}
