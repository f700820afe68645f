// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/sanitizer_stack.h"

#if defined(__SANITIZE_ADDRESS__)
#include <cstddef>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int munmap(void* memory, std::size_t bytes) noexcept
{
    __asan_unpoison_memory_region(memory, bytes);
    return static_cast<int>(syscall(SYS_munmap, memory, bytes));
}

namespace strobe {

namespace {

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

} // namespace

void restoreSanitizerStack()
{
    static thread_local const MainStack stack;
    void* fakeStack = nullptr;
    __sanitizer_start_switch_fiber(&fakeStack, stack.bottom, stack.bytes);
    __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
}

} // namespace strobe
#endif
