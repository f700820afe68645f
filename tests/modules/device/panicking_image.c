/* SPDX-License-Identifier: Apache-2.0
 *
 * A firmware image that prints a line and then fails.
 */
#include "firmware/hal/native.h"

__attribute__((visibility("default"))) void strobe_firmware_entry(const struct strobe_native_hal* hal);

void strobe_firmware_entry(const struct strobe_native_hal* hal)
{
    hal->log(hal->context, "about to fail");
    hal->panic(hal->context, "no luck");
}
