#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe linux --powercut N: a script of transactions again and again, each run with power cut at another random
// instant between its first transaction and its end, each in a separate process. In the same run the drive recovers,
// the guest boots again, and the script checks its file system and its transactions.

#include "platform/app/linux.h"

namespace strobe::platform {

int linuxPowercut(const LinuxCommand& command);

} // namespace strobe::platform
