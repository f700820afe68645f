/* SPDX-License-Identifier: Apache-2.0
 *
 * Where firmware starts, and its one loop. Interrupts only end the sleep: both event sources leave their events in
 * rings in memory, whose phase bits say what is new, so a handler would have nothing to do. They stay disabled, and the
 * loop serves rings until there is nothing left. Where data out is calibrated, that is done before the flash
 * translation layer starts, and again from within the loop, after sleeps.
 */
#include "firmware/app/request.h"
#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/calibration.h"

_Noreturn void firmware_main(void)
{
    const struct boot_block* boot = boot_read();
    struct arena arena;
    arena_init(&arena, boot->memory_base, boot->memory_size);
    hal_interrupts_disable();
    const bool calibrates = calibration_start(boot);
    reg_write(INTC_ENABLE, 1u << HAL_LINE_HOST | 1u << HAL_LINE_FLASH | 1u << HAL_LINE_TIMER |
                               (calibrates ? 1u << HAL_LINE_CAPTURE : 0));
    request_init(boot, &arena);
    for (;;) {
        if (!request_serve()) {
            hal_wait_for_interrupt();
            HAL_COST(wake_up);
            if (calibrates)
                calibration_serve();
        }
    }
}
