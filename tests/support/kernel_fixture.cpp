// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kernel_fixture.h"

#include "models/tlm/sanitizer_stack.h"

namespace strobe::test {

KernelFixture::KernelFixture()
    : context_(std::make_unique<sc_core::sc_simcontext>()), previous_(sc_core::sc_curr_simcontext)
{
    sc_core::sc_curr_simcontext = context_.get();
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

KernelFixture::~KernelFixture()
{
    context_.reset();
    sc_core::sc_curr_simcontext = previous_;
}

void KernelFixture::run()
{
    sc_core::sc_start();
    restoreSanitizerStack();
}

void KernelFixture::run(Time duration)
{
    sc_core::sc_start(toSc(duration));
    restoreSanitizerStack();
}

} // namespace strobe::test

// The shared library refers to sc_main; test programs start from main().
int sc_main(int, char*[])
{
    return 0;
}
