/* SPDX-License-Identifier: Apache-2.0
 *
 * From reset to firmware_main(): global pointer, stack, C run-time state, trap vectors. The platform loads the image
 * where it runs and starts each core at _start in machine mode with interrupts off. A second core has a stack of its
 * own and leaves the memory that it shares alone: the first one may not have cleared it yet (drivers/peer.h). Vectored traps: exceptions end in hal_trap(),
 * the external interrupt in hal_external_interrupt() (hal_rv32.c); no other interrupt is ever enabled.
 */
#include "firmware/hal/rv32/stack_pattern.h"

#ifdef STROBE_COST_MARKERS /* tells an observer that there are marks in this image */
    .globl hal_cost_markers
    .set hal_cost_markers, 1
#endif

    .globl hal_second_core /* tells the platform that a second core may start here */
    .set hal_second_core, 1

    .cfi_sections .debug_frame   /* for backtraces of a debugger alone */

    .section .vectors, "ax"
    .globl vector_table
    .balign 256
    .option push
    .option norvc
    .type vector_table, @object
vector_table:
    j trap                       /* 0: exceptions; below: interrupts by number */
    j trap
    j trap
    j trap                       /* 3: machine software */
    j trap
    j trap
    j trap
    j trap                       /* 7: machine timer */
    j trap
    j trap
    j trap
    j hal_external_interrupt     /* 11: machine external */
    j trap
    j trap
    j trap
    j trap
    .size vector_table, . - vector_table
    .option pop

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax              /* of the whole function: its size stays right for a debugger, and gp is not set before */
    la gp, __global_pointer$
    la tp, __tls_base
    la t0, vector_table
    ori t0, t0, 1                /* vectored */
    csrw mtvec, t0

    csrr t2, mhartid
    la sp, __stack_top
    la t0, __stack_limit
    beqz t2, 1f
    la sp, __second_stack_top
    la t0, __second_stack_limit
1:                               /* paint the stack: shows how deep it went, and its last word is checked */
    li t1, STACK_PATTERN
1:  sw t1, 0(t0)
    addi t0, t0, 4
    bltu t0, sp, 1b
    bnez t2, 3f

    la t0, __bss_start
    la t1, __bss_end
    bgeu t0, t1, 3f
2:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 2b
3:
    li t0, 1 << 11               /* only the interrupt controller's line ends a sleep */
    csrw mie, t0
    call firmware_main
    .option pop
    .size _start, . - _start

    /* uint32_t semihost_call(operation, argument): registers are right as they come. The three never straddle a page. */
    .section .text.semihost_call, "ax"
    .balign 16
    .globl semihost_call
    .type semihost_call, @function
semihost_call:
    .cfi_startproc
    .option push
    .option norvc
    slli zero, zero, 0x1f
    ebreak
    srai zero, zero, 7
    .option pop
    ret
    .cfi_endproc
    .size semihost_call, . - semihost_call

    .section .text.trap, "ax"
    /* What cannot go on. The stack may be the reason, so there is another one. */
    .type trap, @function
trap:
    la sp, __trap_stack_top
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    call hal_trap
    .size trap, . - trap
