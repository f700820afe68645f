/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard output and error of picolibc on the UART, and the way out of exit() and abort(). For firmware that uses
 * printf(); Strobe's own does not. There is no input.
 */
#include "firmware/hal/hal.h"
#include "firmware/hal/rv32/semihost.h"
#include "firmware/regs/strobe_regs.h"

#include <stdio.h>

static int put(char character, FILE* file)
{
    (void)file;
    while ((reg_read(UART_STATUS) & UART_STATUS_FREE_MASK) == 0)
        ; /* until the UART has accepted a byte */
    reg_write(UART_DATA, (uint8_t)character);
    return (uint8_t)character;
}

static FILE uart = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE* const stdin = &uart;
FILE* const stdout = &uart;
FILE* const stderr = &uart;

_Noreturn void _exit(int status); /* the name that the C library calls: NOLINT(clang-diagnostic-reserved-identifier) */

_Noreturn void _exit(int status)
{
    semihost_call(SEMIHOST_EXIT, status == 0 ? SEMIHOST_EXIT_DONE : SEMIHOST_EXIT_ERROR);
    hal_panic("the platform did not end the run");
}
