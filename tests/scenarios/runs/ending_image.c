/* SPDX-License-Identifier: Apache-2.0
 *
 * A native firmware image that returns from its entry: a fault.
 */
#include "firmware/hal/native.h"

__attribute__((visibility("default"))) void strobe_firmware_entry(const struct strobe_native_hal* hal);

void strobe_firmware_entry(const struct strobe_native_hal* hal)
{
    hal->log(hal->context, "about to return");
}
