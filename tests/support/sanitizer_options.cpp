// SPDX-License-Identifier: Apache-2.0
//
// Sanitizer options baked into test programs, so that no environment variables are needed. Use-after-return detection
// must stay off with SystemC 2.3.4 (its coroutine hooks pass no fake stack). Frames of SC_THREADs that never end are
// never unwound, so what they own is not a leak.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options()
{
    return "detect_stack_use_after_return=0:fast_unwind_on_malloc=0:detect_leaks=1";
}
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:sc_core::sc_thread_cor_fn\n";
}
