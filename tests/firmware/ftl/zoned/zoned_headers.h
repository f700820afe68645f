#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The C headers of the layer of zones for C++ tests: C11 keywords mapped, and no C++ warnings about code that is good
// C.

#pragma GCC system_header

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
extern "C" {
#include "firmware/ftl/zoned/capacity.h"
#include "firmware/ftl/zoned/drive.h"
#include "firmware/ftl/zoned/image.h"
#include "firmware/ftl/zoned/manage.h"
#include "firmware/ftl/zoned/reads.h"
#include "firmware/ftl/zoned/save.h"
#include "firmware/ftl/zoned/units.h"
#include "firmware/ftl/zoned/writes.h"
#include "firmware/hal/native.h"
void strobe_firmware_entry(const strobe_native_hal* hal);
}
#undef _Static_assert
#undef _Noreturn
