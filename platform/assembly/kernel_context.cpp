// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/kernel_context.h"

#include "models/tlm/time_bridge.h"

#if defined(__SANITIZE_ADDRESS__)
// SystemC 2.3.4 forgets the timed notifications that are pending when a simulation context is destroyed: a few bytes
// for each power loss. Strobe cannot free them.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:sc_core::sc_event_timed::allocate\n";
}
#endif

namespace strobe::platform {

KernelContext::KernelContext(bool isFirst, Time origin) : previous_(sc_core::sc_curr_simcontext)
{
    startKernelAt(origin);
    if (isFirst)
        return;
    context_ = std::make_unique<sc_core::sc_simcontext>();
    sc_core::sc_curr_simcontext = context_.get();
}

KernelContext::~KernelContext()
{
    context_.reset();
    sc_core::sc_curr_simcontext = previous_;
}

} // namespace strobe::platform
