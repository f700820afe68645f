// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/page_map/small_drive.h"
#include "tests/support/catch.h"
