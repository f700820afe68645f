// SPDX-License-Identifier: Apache-2.0
#include "platform/app/large_pages.h"

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#include <array>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace strobe::platform {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

// The system accepts advice only for existing address space, so the heap is made to grow in one large step: this takes
// only address space; memory is allocated when touched.
void preferLargePages()
{
    constexpr int step = 1024 * 1024 * 1024;
    constexpr int usualStep = 128 * 1024; // of the C library
    constexpr std::uintptr_t largePage = 2 * 1024 * 1024;
    constexpr std::size_t small = 100 * 1024; // on the heap, not in a mapping of its own
    if (mallopt(M_TOP_PAD, step) == 0 || mallopt(M_TRIM_THRESHOLD, step) == 0)
        return;
    const auto end = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
    const std::uintptr_t before = end();
    std::array<void* volatile, 4> filling{}; // until the rest of the heap is used up; must not be optimised away
    for (std::size_t i = 0; i < filling.size() && end() == before; ++i)
        filling[i] = std::malloc(small);
    const std::uintptr_t start = (before + largePage - 1) / largePage * largePage;
    if (end() > start)
        madvise(reinterpret_cast<void*>(start), end() - start, MADV_HUGEPAGE); // NOLINT(performance-no-int-to-ptr)
    if (end() == before) // a limit of address space: with such steps the little that is left could not be used
        mallopt(M_TOP_PAD, usualStep);
    for (void* volatile place : filling)
        std::free(place);
}

#else

void preferLargePages() {}

#endif

} // namespace strobe::platform
