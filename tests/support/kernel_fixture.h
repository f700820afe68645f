#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A fresh SystemC context for one test case: declare it first, so that it is destroyed after the modules. Time starts
// at zero. SystemC warnings and errors become exceptions and fail the test.

#include "models/base/time.h"
#include "models/tlm/time_bridge.h"

#include <memory>
#include <systemc>

namespace strobe::test {

class KernelFixture {
public:
    KernelFixture();
    ~KernelFixture();
    KernelFixture(const KernelFixture&) = delete;
    KernelFixture& operator=(const KernelFixture&) = delete;

    void run();              // until nothing is pending
    void run(Time duration); // or for this long

private:
    std::unique_ptr<sc_core::sc_simcontext> context_;
    sc_core::sc_simcontext* previous_;
};

} // namespace strobe::test
