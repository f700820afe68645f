/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware abstraction layer: firmware's only access to its environment. Two implementations:
 *   firmware/hal/native  the firmware is a shared object of the simulator; the calls go through a table
 *   firmware/hal/rv32    the firmware runs on the modelled core; the calls are loads, stores, csr and wfi
 * Rules that keep both equal: registers are reached only with reg_read/reg_write; memory shared with the hardware is a
 * bus address converted into a pointer with hal_memory(); no other pointer is ever stored where the hardware can read
 * it; no busy loops (hal_wait_for_interrupt() instead); an interrupt handler may run between any two statements while
 * interrupts are enabled (natively inside HAL calls only); work that takes CPU time is marked with HAL_COST().
 */
#ifndef STROBE_HAL_H
#define STROBE_HAL_H

#include "firmware/hal/cores.h"
#include "firmware/hal/strip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t bus_address; /* an address on the 32-bit system bus */

/* A function that is called rarely: it is kept out of the code around its calls, which stays short. */
#define HAL_RARE __attribute__((noinline, cold))

enum hal_cost_point {
#define HAL_COST_POINT(name, cycles, text) HAL_COST_##name,
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
    HAL_COST_POINTS
};

/* Interrupt lines, bit numbers of INTC_PENDING. */
enum hal_line {
    HAL_LINE_HOST = 0,
    HAL_LINE_FLASH = 1,
    HAL_LINE_TIMER = 2,
    HAL_LINE_SOFTWARE = 3,
    HAL_LINE_CAPTURE = 4,
    HAL_LINES,           /* above: lines that may have a handler */
    HAL_LINE_THERMAL = 5 /* wakes the core, and is then seen in INTC_PENDING */
};

/* reg_read, reg_write: 32-bit registers at their bus address.
 * hal_memory: pointer to `bytes` bytes of memory at a bus address (boot block, control memory). Panics, or traps when
 * it is used, if that is not memory.
 * hal_core: which core this is. hal_fence: orders earlier stores and loads before later ones for other cores, too.
 * HAL_COST, HAL_COST_TIMES: spend the cycles of a cost point; no effect where instructions themselves take time.
 * HAL_COST_EXTRA, HAL_COST_EXTRA_TIMES: the same for work that another firmware would do here and this one does not.
 * HAL_CAN_STORE: whether functional preconditioning exists; a constant, so that firmware for the core has no code for
 * it. hal_can_store: no time passes (functional preconditioning), so that the two functions below may be called.
 * hal_store: programs a strip with sectors of host writes at once, without buffer and descriptor; returns the status of
 * the operation. The die must have no other operation in progress.
 * hal_arrive: the commands that the host has issued are in the ring now; false: there is none.
 */
#ifdef __riscv
#include "firmware/hal/rv32/hal_rv32.h"
#else
uint32_t reg_read(bus_address address);
void reg_write(bus_address address, uint32_t value);
void* hal_memory(bus_address address, uint32_t bytes);
uint32_t hal_core(void);
static inline void hal_fence(void)
{
    __asm__ volatile("" : : : "memory"); /* cores of a simulation take turns */
}
#define HAL_CAN_STORE true
bool hal_can_store(void);
uint32_t hal_store(const struct hal_strip* strip);
bool hal_arrive(void);
void hal_cost(enum hal_cost_point point, uint32_t times);
#define HAL_COST(point) hal_cost(HAL_COST_##point, 1)
#define HAL_COST_TIMES(point, times) hal_cost(HAL_COST_##point, (times))
#define HAL_COST_EXTRA(point) HAL_COST(point)
#define HAL_COST_EXTRA_TIMES(point, times) HAL_COST_TIMES(point, times)
#endif

/* Interrupts: a handler per line; handlers run inside HAL calls while interrupts are enabled. */
typedef void (*hal_handler)(void);
void hal_set_handler(enum hal_line line, hal_handler handler);
bool hal_interrupts_disable(void); /* returns whether they were enabled */
void hal_interrupts_restore(bool enabled);
/* Sleeps until an enabled line is asserted, also while interrupts are disabled; handlers run if they are enabled. */
void hal_wait_for_interrupt(void);

uint64_t hal_time_ns(void);
void hal_log(const char* text);             /* one line to the console */
_Noreturn void hal_panic(const char* text); /* firmware bug: stops the run with this message */

/* Where firmware starts, on each core. Never returns. */
_Noreturn void firmware_main(void);

#endif
