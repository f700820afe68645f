/* SPDX-License-Identifier: Apache-2.0
 *
 * Connects the native HAL to the table of its runner: called once, before any other HAL function. Panics if the
 * versions of native.h differ. Handlers are cleared and interrupts disabled.
 */
#ifndef STROBE_HAL_NATIVE_ATTACH_H
#define STROBE_HAL_NATIVE_ATTACH_H

#include "firmware/hal/native.h"

void hal_native_attach(const struct strobe_native_hal* hal);

#endif
