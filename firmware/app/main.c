/* SPDX-License-Identifier: Apache-2.0
 *
 * Where firmware starts, and the loop of each core. Interrupts only end the sleep: all event sources leave their events
 * in rings in memory, whose phase bits say what is new, so a handler would have nothing to do. They stay disabled, and
 * the loop serves rings until there is nothing left. With one core it does everything; with two, core 0 serves the host
 * and has the flash translation layer, core 1 the flash controller (peer.h). Where data out is calibrated, that is done
 * before the flash translation layer starts, and again from within the loop, after sleeps.
 */
#include "firmware/app/request.h"
#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/calibration.h"
#include "firmware/drivers/peer.h"

static struct peer host_side; /* as core 1 sees it */

static _Noreturn void flash_core(const struct boot_block* boot)
{
    struct arena arena;
    peer_await(&host_side, boot, &arena);
    flash_core_init(boot, &arena, &host_side);
    peer_ready(&host_side, &arena);
    for (;;) {
        if (!flash_core_serve())
            peer_sleep(&host_side);
    }
}

_Noreturn void firmware_main(void)
{
    const struct boot_block* boot = boot_read();
    hal_interrupts_disable();
    if (hal_core() != 0)
        flash_core(boot);
    struct arena arena = peer_arena(boot);
    const bool calibrates = calibration_start(boot);
    const uint32_t other = boot->cores > 1 ? 1u << HAL_LINE_SOFTWARE : 1u << HAL_LINE_FLASH;
    const uint32_t lines = 1u << HAL_LINE_HOST | other | 1u << HAL_LINE_TIMER;
    reg_write(INTC_ENABLE, lines);
    request_init(boot, &arena);
    if (calibrates) /* not before: what waits for flash in there serves nothing else */
        reg_write(INTC_ENABLE, lines | 1u << HAL_LINE_CAPTURE);
    for (;;) {
        if (!request_serve()) {
            request_sleep();
            HAL_COST(wake_up);
        }
        if (calibrates)
            calibration_serve();
    }
}
