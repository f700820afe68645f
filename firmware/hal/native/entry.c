/* SPDX-License-Identifier: Apache-2.0
 *
 * The one symbol that an image exports: the native runner calls it on a coroutine. The counterpart of hal/rv32/start.S.
 */
#include "firmware/hal/hal.h"
#include "firmware/hal/native.h"
#include "firmware/hal/native/attach.h"

#define STROBE_EXPORT __attribute__((visibility("default")))

STROBE_EXPORT void STROBE_NATIVE_ENTRY(const struct strobe_native_hal* hal);

STROBE_EXPORT void STROBE_NATIVE_ENTRY(const struct strobe_native_hal* hal)
{
    hal_native_attach(hal);
    firmware_main();
}
