#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The dies of a drive, the part of it that survives a power loss. By flat number.

#include "models/nand/die.h"
#include "platform/config/scenario.h"

#include <memory>

namespace strobe::platform {

using DieArray = IdVector<DieId, std::unique_ptr<nand::Die>>;

DieArray makeDies(const Scenario& scenario); // the scenario must outlive them

} // namespace strobe::platform
