#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Catch2 v2 (Debian 12, Ubuntu 22.04) and v3 (elsewhere) behind one include. Use the matchers WithinRel/WithinAbs, not
// Approx, which means different things in the two.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
