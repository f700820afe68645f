#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Frames with arrays, around which AddressSanitizer leaves marks: they show whether it has the right bounds of the
// current stack. Without the sanitizer nothing of this can fail.

#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace strobe::test {

// Calls `work` below depth + 1 frames.
inline void inDeepFrames(std::size_t depth, const std::function<void()>& work)
{
    std::array<volatile char, 100> bytes{};
    bytes[depth] = 1;
    if (depth == 0)
        work();
    else
        inDeepFrames(depth - 1, work);
    bytes[depth] = 2;
}

// Uses a frame that lies where several of the above were.
[[gnu::noinline]] inline bool canUseLargeFrame()
{
    std::array<volatile char, 3000> bytes{};
    for (volatile char& byte : bytes)
        byte = 1;
    return bytes[bytes.size() / 2] == 1;
}

// An exception leaves its frames' marks if the bounds are wrong.
inline bool canThrowHere()
{
    try {
        inDeepFrames(10, [] { throw std::runtime_error("expected"); });
        return false;
    } catch (const std::runtime_error&) {
        return canUseLargeFrame();
    }
}

} // namespace strobe::test
