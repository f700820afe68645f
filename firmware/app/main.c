/* SPDX-License-Identifier: Apache-2.0
 *
 * The start of firmware, and the loop of each core. Interrupts only end the sleep: all event sources put their events
 * into rings in memory, whose phase bits mark new entries, so an interrupt handler has nothing to do. Interrupts
 * stay disabled, and the loop serves rings until they are empty. A single core does everything; with two, core 0 serves
 * the host and runs the flash translation layer, core 1 runs the flash controller (peer.h). Calibration of data out, if
 * there is any, runs before the flash translation layer starts, and later inside the loop, after sleeps.
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
    if (arena.used > request_footprint(boot))
        hal_panic("control memory: firmware allocated more than footprint.h computes");
    if (calibrates) /* not earlier: the waits for the flash inside request_init() serve no other line */
        reg_write(INTC_ENABLE, reg_read(INTC_ENABLE) | 1u << HAL_LINE_CAPTURE);
    for (;;) {
        if (!request_serve()) {
            request_sleep();
            HAL_COST(wake_up);
        }
        if (calibrates)
            calibration_serve();
    }
}
