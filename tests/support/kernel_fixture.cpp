// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kernel_fixture.h"

#include "models/tlm/sanitizer_stack.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sys/syscall.h>
#include <unistd.h>

// A context that is destroyed unmaps the stacks of its SC_THREADs. A thread that has not ended has frames there, and
// the sanitizer of g++ 12 keeps their marks: the stack of a later context's thread at the same address would seem to
// overflow. So memory that is unmapped loses its marks.
extern "C" int munmap(void* memory, std::size_t bytes) noexcept
{
    __asan_unpoison_memory_region(memory, bytes);
    return static_cast<int>(syscall(SYS_munmap, memory, bytes));
}
#endif

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
