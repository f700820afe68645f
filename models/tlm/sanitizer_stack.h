#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// AddressSanitizer and the main stack. Before an exception is thrown the sanitizer clears its marks from the stack
// pointer to the top of the stack; with wrong bounds it does not ("ASan is ignoring requested
// __asan_handle_no_return"), and later frames at that place look like overflows. SystemC 2.3.4 tells it wrong bounds in
// two places of sc_cor_qt.cpp: yield() announces the main stack as 0 bytes at address 0, and abort(), which leaves an
// SC_THREAD that ends, announces nothing. SystemC 3.0 remembers the bounds of the main stack.
//
// So code that the kernel calls on the main stack and that may throw calls this first, and code that calls sc_start()
// calls it afterwards. Without the sanitizer it does nothing. Not covered: an SC_THREAD that throws before its first
// wait after another one has ended.

#if defined(__SANITIZE_ADDRESS__)
#include <cstddef>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace strobe {

#if defined(__SANITIZE_ADDRESS__)
struct MainStack { // of this thread of the operating system
    void* bottom = nullptr;
    std::size_t bytes = 0;

    MainStack()
    {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &bottom, &bytes);
            pthread_attr_destroy(&attributes);
        }
    }
};
#endif

inline void restoreSanitizerStack()
{
#if defined(__SANITIZE_ADDRESS__)
    static thread_local const MainStack stack;
    void* fakeStack = nullptr;
    __sanitizer_start_switch_fiber(&fakeStack, stack.bottom, stack.bytes);
    __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
}

} // namespace strobe
