#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// AddressSanitizer and stacks. Before an exception is thrown the sanitizer clears its marks from the stack
// pointer to the top of the stack; with wrong bounds it does not ("ASan is ignoring requested
// __asan_handle_no_return"), and later frames at that place look like overflows. SystemC 2.3.4 tells it wrong bounds in
// two places of sc_cor_qt.cpp: yield() announces the main stack as 0 bytes at address 0, and abort(), which leaves an
// SC_THREAD that ends, announces nothing. SystemC 3.0 remembers the bounds of the main stack.
//
// So code that the kernel calls on the main stack and that may throw calls this first, and code that calls sc_start()
// calls it afterwards. Without the sanitizer it does nothing. Not covered: an SC_THREAD that throws before its first
// wait after another one has ended.
//
// A simulation context that is destroyed, after a loss of power for example, unmaps the stacks of its SC_THREADs. The
// sanitizer of g++ 12 keeps the marks of frames that were on them, so that whatever is mapped at the same address next
// seems to be used wrongly: a stack, or a global variable of firmware that is loaded again. So in a program that uses
// this, memory that is unmapped loses its marks.

namespace strobe {

#if defined(__SANITIZE_ADDRESS__)
void restoreSanitizerStack();
#else
inline void restoreSanitizerStack() {}
#endif

} // namespace strobe
