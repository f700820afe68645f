/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware whose use of memory is known: two tasks that take turns, each on a stack of its own, calls of the C
 * library's allocator, and a second core that gets a message and answers. It ends the run when it has done all that.
 * RACES: both cores also count what they do in one word; WITHOUT_FENCE: the message has no fence.
 */
#include "firmware/hal/cores.h"
#include "firmware/hal/hal.h"
#include "firmware/hal/rv32/semihost.h"
#include "firmware/regs/strobe_regs.h"

#include <stdlib.h>

#define TASK_STACK_BYTES 1024u

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static uint8_t task_stacks[2][TASK_STACK_BYTES] __attribute__((aligned(16)));
static uint32_t* saved_sp[3]; /* of the tasks, and of who started them */
static uint32_t rounds;

/* Leaves this stack, and goes on where the other one was left. */
__attribute__((naked, noinline)) void switch_stacks(uint32_t** from, uint32_t* to);
void switch_stacks(uint32_t** from, uint32_t* to)
{
    __asm__ volatile("addi sp, sp, -64\n"
                     "sw ra, 0(sp)\n"
                     "sw s0, 4(sp)\n"
                     "sw s1, 8(sp)\n"
                     "sw s2, 12(sp)\n"
                     "sw s3, 16(sp)\n"
                     "sw s4, 20(sp)\n"
                     "sw s5, 24(sp)\n"
                     "sw s6, 28(sp)\n"
                     "sw s7, 32(sp)\n"
                     "sw s8, 36(sp)\n"
                     "sw s9, 40(sp)\n"
                     "sw s10, 44(sp)\n"
                     "sw s11, 48(sp)\n"
                     "sw sp, 0(a0)\n"
                     "mv sp, a1\n"
                     "lw ra, 0(sp)\n"
                     "lw s0, 4(sp)\n"
                     "lw s1, 8(sp)\n"
                     "lw s2, 12(sp)\n"
                     "lw s3, 16(sp)\n"
                     "lw s4, 20(sp)\n"
                     "lw s5, 24(sp)\n"
                     "lw s6, 28(sp)\n"
                     "lw s7, 32(sp)\n"
                     "lw s8, 36(sp)\n"
                     "lw s9, 40(sp)\n"
                     "lw s10, 44(sp)\n"
                     "lw s11, 48(sp)\n"
                     "addi sp, sp, 64\n"
                     "ret");
}

/* Writes its array in one turn and reads it in the next: another task's turn in between must not make it unwritten. */
__attribute__((noinline)) static void work(uint32_t task, uint32_t words)
{
    volatile uint32_t local[words];
    for (uint32_t i = 0; i < words; ++i)
        local[i] = task;
    switch_stacks(&saved_sp[task], saved_sp[1 - task]);
    for (uint32_t i = 0; i < words; ++i)
        rounds += local[i] + 1;
}

static void first_task(void)
{
    work(0, 32);
    work(0, 32);
    switch_stacks(&saved_sp[0], saved_sp[2]);
}

static void second_task(void)
{
    work(1, 128);
    work(1, 64);
    for (;;)
        switch_stacks(&saved_sp[1], saved_sp[0]);
}

static void prepare(uint32_t task, void (*entry)(void))
{
    uint32_t* sp = (uint32_t*)(uintptr_t)(task_stacks[task] + TASK_STACK_BYTES) - 16;
    for (uint32_t i = 0; i < 16; ++i)
        sp[i] = 0;
    sp[0] = (uint32_t)(uintptr_t)entry;
    saved_sp[task] = sp;
}

/* --- the other core ------------------------------------------------------------------------------------------------
 */

static struct {
    uint32_t question, answer;
    volatile uint32_t is_asked, is_answered;
    volatile uint32_t count;
} shared;

static void fence(void)
{
#ifndef WITHOUT_FENCE
    hal_fence();
#endif
}

static void count(void)
{
#ifdef RACES
    ++shared.count;
#endif
}

static void ring_bell(uint32_t core)
{
    reg_write(INTC_SOFTWARE + core * HAL_CORE_STEP, INTC_SOFTWARE_SET_MASK);
}

static void answer(void)
{
    reg_write(INTC_ENABLE + HAL_CORE_STEP, 1u << HAL_LINE_SOFTWARE);
    hal_wait_for_interrupt(); /* core 0 has cleared the data */
    reg_write(INTC_SOFTWARE + HAL_CORE_STEP, 0);
    while (shared.is_asked == 0)
        ;
    fence();
    count();
    shared.answer = shared.question + 1;
    fence();
    shared.is_answered = 1;
    for (;;)
        hal_wait_for_interrupt();
}

static void ask(void)
{
    ring_bell(1);
    shared.question = 41;
    fence();
    shared.is_asked = 1;
    count();
    while (shared.is_answered == 0)
        ;
    fence();
    if (shared.answer != 42)
        hal_panic("the other core has not answered");
}

/* --- all -----------------------------------------------------------------------------------------------------------
 */

_Noreturn void firmware_main(void)
{
    const struct boot_block* boot = hal_memory(BOOT_BLOCK_BASE, sizeof *boot);
    if (hal_core() != 0)
        answer();
    prepare(0, first_task);
    prepare(1, second_task);
    switch_stacks(&saved_sp[2], saved_sp[0]);

    char* small = malloc(100);
    char* large = malloc(3000);
    free(small);
    char* cleared = calloc(10, 20);
    if (large == NULL || cleared == NULL || malloc(1000000) != NULL)
        hal_panic("malloc");
    free(small);

    if (boot->cores > 1)
        ask();
    semihost_call(SEMIHOST_EXIT, rounds == 0 ? SEMIHOST_EXIT_ERROR : SEMIHOST_EXIT_DONE);
    hal_panic("the platform did not end the run");
}
