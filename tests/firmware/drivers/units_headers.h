#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The driver's C headers for C++ tests: C11 keywords mapped, and no C++ warnings about valid C.

#pragma GCC system_header

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
extern "C" {
#include "firmware/drivers/unit_lists.h"
#include "firmware/drivers/units.h"
}
#undef _Static_assert
#undef _Noreturn
