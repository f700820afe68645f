#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Start-Gap's C headers for C++ tests: C11 keywords mapped, and no C++ warnings about code that is good C.

#pragma GCC system_header

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
extern "C" {
#include "firmware/ftl/start_gap/levelling.h"
#include "firmware/ftl/start_gap/state.h"
#include "firmware/hal/native.h"
}
#undef _Static_assert
#undef _Noreturn
