/* SPDX-License-Identifier: Apache-2.0
 *
 * printf, malloc and exit of the C library, on the HAL. The same source prints by UART or by semihosting: that is
 * chosen when the image is linked.
 *
 *   strobe run --firmware hello_uart.elf --console -
 */
#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __heap_start[], __heap_end[]; /* of the linker script: NOLINT(clang-diagnostic-reserved-identifier) */

_Noreturn void firmware_main(void)
{
    const struct boot_block* boot = hal_memory(BOOT_BLOCK_BASE, sizeof *boot);
    printf("%" PRIu32 " dies, pages of %" PRIu32 " bytes, %.1f MHz\n", boot->channels * boot->ways * boot->luns,
           boot->page_bytes, boot->cpu_khz / 1000.0);

    char* text = malloc(1000);
    if (text == NULL || text < __heap_start || text + 1000 > __heap_end)
        hal_panic("malloc must take memory of the heap");
    memset(text, '-', 30);
    text[30] = '\0';
    puts(text);
    free(text);

    printf("no heap of %d bytes: %s\n", (int)(__heap_end - __heap_start) + 1,
           malloc((size_t)(__heap_end - __heap_start) + 1) == NULL ? "refused" : "granted");
    exit(0);
}
