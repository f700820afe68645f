#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The heap on large pages of the machine, where the C library and the system allow it: a drive's state is looked up all
// over, die after die, and with small pages much of that is the machine looking for its pages. Costs at most a large
// page of memory. What is refused does no harm.

namespace strobe::platform {

void preferLargePages(); // before anything large is allocated

} // namespace strobe::platform
