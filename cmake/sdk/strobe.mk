# SPDX-License-Identifier: Apache-2.0
# The SDK's settings for make: include this file, then compile and link in one command:
#   include $(STROBE)/share/strobe/sdk/strobe.mk
#   blink.elf: blink.c
#   	$(STROBE_CC) $(STROBE_FLAGS) -O2 -g blink.c $(STROBE_START) -o $@
# The path of the package must have no spaces (make cannot handle them).
#   STROBE_START          start-up code of firmware that uses the register map alone
#   STROBE_HAL            in its place: the HAL, with its own start-up code
#   STROBE_PRINTF_UART    besides STROBE_HAL: printf() by the UART
#   STROBE_PRINTF_SEMIHOSTING   or by semihosting
STROBE_SDK := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
STROBE_CC := riscv64-unknown-elf-gcc
STROBE_FLAGS := -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mcmodel=medlow --specs=picolibc.specs -std=c11 \
    -ffunction-sections -fdata-sections -fno-common -I$(abspath $(STROBE_SDK)/../../../include/strobe) \
    -nostartfiles -Wl,--gc-sections -Wl,-z,max-page-size=16 -T $(STROBE_SDK)/link.ld
STROBE_START := $(STROBE_SDK)/start.S
STROBE_HAL := $(addprefix $(STROBE_SDK)/hal/,start.S hal_rv32.c memory.c text.c)
STROBE_PRINTF_UART := $(STROBE_SDK)/hal/stdio_uart.c
STROBE_PRINTF_SEMIHOSTING := --oslib=semihost
