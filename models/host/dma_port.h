#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host interface's port into the SSD's memory, and how it reports mistakes of firmware.

#include "models/base/content.h"
#include "models/base/ids.h"
#include "models/base/time.h"

#include <functional>
#include <string>

namespace strobe::host {

// Takes the port at `at` and moves `content` (sectors in the data buffer, plain bytes elsewhere); returns the end, or
// `never` if the address is not memory.
class HostDmaPort {
public:
    virtual ~HostDmaPort() = default;
    virtual Time move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite, Time at) = 0;
};

using FaultListener = std::function<void(const std::string& text, Time at)>;

} // namespace strobe::host
