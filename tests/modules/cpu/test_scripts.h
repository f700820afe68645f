/* SPDX-License-Identifier: Apache-2.0
 *
 * Scripts of the test image: the boot memory's first word is one of these, the second its argument; the
 * image leaves its results from word RESULTS on.
 */
#ifndef STROBE_TEST_SCRIPTS_H
#define STROBE_TEST_SCRIPTS_H

#define BOOT_MEMORY 0x00100000u
#define RESULTS 8u
#define RECORDER 0x03000000u        /* +0x00 … +0x0C: plain; the others: */
#define RECORDER_ACK 0x03000010u    /* lowers the host line, two delta cycles after the write has arrived */
#define RECORDER_BROKEN 0x03000014u /* throws an exception */
#define NOWHERE 0x05000000u
#define SDRAM 0x80000000u

enum test_script {
    SCRIPT_TIMES,  /* writes, costs and a read, to be compared with the clock */
    SCRIPT_COUNT,  /* adds the argument to a global, sleeps, adds it again */
    SCRIPT_SERVE,  /* endlessly: sleep, report the active lines to the recorder, acknowledge */
    SCRIPT_TIMER,  /* arms the timer for the argument (ns) and sleeps */
    SCRIPT_SPIN,   /* spends the argument times one cost point, then writes */
    SCRIPT_POLL,   /* spends cost points and looks for interrupts until there is one */
    SCRIPT_MEMORY, /* memory() at several addresses */
    SCRIPT_PANIC,
    SCRIPT_BAD_READ,
    SCRIPT_BAD_WRITE,
    SCRIPT_BAD_COST,
    SCRIPT_BROKEN_TARGET,
    SCRIPT_RETURN,
    SCRIPT_LOG
};

#endif
