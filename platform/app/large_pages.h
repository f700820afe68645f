#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The heap on large pages of the machine, where the C library and the system allow it: accesses to a drive's state are
// scattered over all dies, and with small pages much of their time is address translation. Costs at most a large page
// of memory. A refusal is harmless.

namespace strobe::platform {

void preferLargePages(); // before anything large is allocated

} // namespace strobe::platform
