/* SPDX-License-Identifier: Apache-2.0
 *
 * The minimum for an image: an entry point, a stack, a vector table (symbol vector_table, aligned to 256 bytes) and zeroed
 * data. All traps go to the function trap. An image may define its own; the default ends the run with an error.
 */
    .section .vectors, "ax"
    .globl vector_table
    .balign 256
    .option push
    .option norvc
vector_table:
    .rept 16                     /* exceptions, then interrupts by number */
    j trap
    .endr
    .option pop

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la t0, vector_table
    ori t0, t0, 1                /* vectored */
    csrw mtvec, t0
    la t0, __bss_start
    la t1, __bss_end
    bgeu t0, t1, 2f
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
2:  li t0, 1 << 11               /* the interrupt controller's line ends a wfi */
    csrw mie, t0
    call firmware_main

    .weak trap
    .balign 16
    .option push
    .option norvc
trap:
    li a0, 0x18                  /* semihosting: exit because of a run-time error; mcause, mepc and mtval tell which */
    li a1, 0x20023
    nop
    slli zero, zero, 0x1f
    ebreak
    srai zero, zero, 7
    .option pop
1:  wfi
    j 1b
