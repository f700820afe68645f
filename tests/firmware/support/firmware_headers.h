#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The firmware's C headers for C++ tests: C11 keywords mapped, and no C++ warnings about what is good C.

#pragma GCC system_header

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
extern "C" {
#include "firmware/app/request.h"
#include "firmware/drivers/arena.h"
#include "firmware/drivers/bitmap.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/calibration.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/host_if.h"
#include "firmware/drivers/ring.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/allocation.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/collect_policy.h"
#include "firmware/ftl/page_map/collector.h"
#include "firmware/ftl/page_map/epochs.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/heat.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/map.h"
#include "firmware/ftl/page_map/moves.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/read_ahead.h"
#include "firmware/ftl/page_map/recovery.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/refresh.h"
#include "firmware/ftl/page_map/request_fill.h"
#include "firmware/ftl/page_map/request_read.h"
#include "firmware/ftl/page_map/request_state.h"
#include "firmware/ftl/page_map/request_write.h"
#include "firmware/ftl/page_map/scrub.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/tables.h"
#include "firmware/ftl/page_map/victim.h"
#include "firmware/ftl/page_map/write_room.h"
#include "firmware/ftl/page_map/writeout.h"
#include "firmware/hal/hal.h"
#include "firmware/hal/native.h"
#include "firmware/hal/text.h"
}
#undef _Static_assert
#undef _Noreturn
