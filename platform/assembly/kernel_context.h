#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The simulation context of a power cycle, whose clock begins at the instant at which the one before it has stopped.
// The first cycle runs in the program's initial context; each later one in its own.

#include "models/base/time.h"

#include <memory>
#include <systemc>

namespace strobe::platform {

class KernelContext {
public:
    KernelContext(bool isFirst, Time origin);
    ~KernelContext();
    KernelContext(const KernelContext&) = delete;
    KernelContext& operator=(const KernelContext&) = delete;

private:
    std::unique_ptr<sc_core::sc_simcontext> context_;
    sc_core::sc_simcontext* previous_;
};

} // namespace strobe::platform
