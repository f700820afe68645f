/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between a natively compiled firmware image (a shared object, one private copy per CPU) and its runner
 * (models/cpu). The image exports one symbol, STROBE_NATIVE_ENTRY; the runner calls it once with this table; it never
 * returns. Also usable by tests, which pass their own table (tests/firmware).
 */
#ifndef STROBE_HAL_NATIVE_H
#define STROBE_HAL_NATIVE_H

#include "firmware/hal/strip.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STROBE_NATIVE_ABI 4u

struct strobe_native_hal {
    uint32_t abi; /* STROBE_NATIVE_ABI */
    void* context;
    uint32_t (*read32)(void* context, uint32_t address);
    void (*write32)(void* context, uint32_t address, uint32_t value);
    void* (*memory)(void* context, uint32_t address, uint32_t bytes); /* null: not memory */
    void (*cost)(void* context, uint32_t point, uint32_t times);      /* null: cost points take no time */
    uint32_t (*pending)(void* context);                               /* asserted and enabled lines, now */
    uint32_t (*wait)(void* context); /* sleep until pending() is not zero; returns it */
    uint64_t (*time_ns)(void* context);
    void (*log)(void* context, const char* text);
    void (*panic)(void* context, const char* text); /* must not return */
    uint32_t core;                                  /* which one this is, from 0 */
    /* hal_store() and hal_arrive(); null while time passes */
    uint32_t (*store)(void* context, const struct hal_strip* strip);
    uint32_t (*arrive)(void* context);
};

typedef void (*strobe_native_entry)(const struct strobe_native_hal* hal);

#define STROBE_NATIVE_ENTRY strobe_firmware_entry
#define STROBE_NATIVE_ENTRY_NAME "strobe_firmware_entry"

#ifdef __cplusplus
}
#endif
#endif
