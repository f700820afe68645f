#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observer of changes of a die's cells, called when their operations are issued. Not called by programRunAtOnce()
// (at_once.h), nor for what a reset or a power loss leaves.

#include "models/base/ids.h"
#include "models/nand/operation.h"

namespace strobe::nand {

class DieCells;

class DieObserver {
public:
    DieObserver() = default;
    DieObserver(const DieObserver&) = delete;
    DieObserver& operator=(const DieObserver&) = delete;
    virtual ~DieObserver() = default;
    // Or copied back; a program that fails as well. `cells` hold what the operation has left.
    virtual void programmed(DieId die, const DieCells& cells, const Operation& op) = 0;
    virtual void erased(DieId die, const DieCells& cells, const Operation& op) = 0;
};

} // namespace strobe::nand
