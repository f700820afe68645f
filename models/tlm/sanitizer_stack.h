#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// AddressSanitizer and the kernel's coroutines: SystemC 2.3.4 reports wrong bounds of the main stack to the sanitizer
// when it switches back to it, so an exception thrown after sc_start() looks like an overflow. Call this after each
// sc_start(); without the sanitizer it does nothing.

#if defined(__SANITIZE_ADDRESS__)
#include <cstddef>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace strobe {

inline void restoreSanitizerStack()
{
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &size);
        pthread_attr_destroy(&attributes);
        void* fakeStack = nullptr;
        __sanitizer_start_switch_fiber(&fakeStack, bottom, size);
        __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
    }
#endif
}

} // namespace strobe
