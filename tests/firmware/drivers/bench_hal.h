#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// hal.h on the controller bench: registers of the flash controller and the bench's memory; a panic is an exception.

#include "tests/domain/controller/controller_bench.h"
#include "tests/firmware/drivers/units_headers.h"

#include <stdexcept>

namespace strobe::test {

struct Panic : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// From now on the HAL accesses this bench.
void useBench(controller::test::Bench& bench);

} // namespace strobe::test
