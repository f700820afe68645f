#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The superblock-mapping layer's C headers for C++ tests: C11 keywords mapped, and no C++ warnings about valid C.

#pragma GCC system_header

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
extern "C" {
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/superblock_map/commands.h"
#include "firmware/ftl/superblock_map/durability.h"
#include "firmware/ftl/superblock_map/feed.h"
#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/journal_areas.h"
#include "firmware/ftl/superblock_map/journal_records.h"
#include "firmware/ftl/superblock_map/journal_tables.h"
#include "firmware/ftl/superblock_map/merge.h"
#include "firmware/ftl/superblock_map/merge_choice.h"
#include "firmware/ftl/superblock_map/parking.h"
#include "firmware/ftl/superblock_map/reads.h"
#include "firmware/ftl/superblock_map/recovery.h"
#include "firmware/ftl/superblock_map/recovery_log.h"
#include "firmware/ftl/superblock_map/recovery_parked.h"
#include "firmware/ftl/superblock_map/recovery_read.h"
#include "firmware/ftl/superblock_map/recovery_tables.h"
#include "firmware/ftl/superblock_map/request.h"
#include "firmware/ftl/superblock_map/rescue.h"
#include "firmware/ftl/superblock_map/trims.h"
#include "firmware/ftl/superblock_map/wear.h"
#include "firmware/ftl/superblock_map/writes.h"
#include "firmware/hal/native.h"
}
#undef _Static_assert
#undef _Noreturn
