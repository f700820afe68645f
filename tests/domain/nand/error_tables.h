#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Tables of error models for tests: the FAST'19 coefficients, and the threshold voltages of Cai et al. (Proc. IEEE
// 2017, tables 4 and 5).

#include "models/nand/error_model.h"

namespace strobe::nand::test {

ErrorModel formulaModel();

ErrorModel statesModel();

} // namespace strobe::nand::test
