#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flame graph as a page that opens offline: a box per chain of callers, as wide as its cycles, callers below. A click
// shows one box at full width, a text marks the functions that contain it, and the page works with the keyboard.

#include <string>

namespace strobe::platform {

// `folded`: lines of "a;b;c 123". REQUIRES: no other lines
std::string flameGraphPage(const std::string& folded, const std::string& title);

} // namespace strobe::platform
