#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous events of an NVMe controller (NVM Express 1.4, section 5.2), all of the error type: a request of the
// host waits here for an event, an event for a request. After an event was reported, further ones wait until the host
// has read the error log. At most 8 events are kept; later ones are lost. Not modelled: events of the other types
// (SMART, notice, I/O command set).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

class AsyncEvents {
public:
    static constexpr std::uint32_t requestLimit = 4;
    static constexpr std::size_t eventLimit = 8;

    void reset() { *this = {}; }
    bool request(std::uint16_t id); // false: requestLimit of them are outstanding already
    void raise(std::uint32_t event);
    void logRead() { isMasked_ = false; }

    struct Report {
        std::uint16_t id; // of the request
        std::uint32_t event;
    };
    std::optional<Report> next(); // the event to report now, if any

private:
    std::vector<std::uint16_t> requests_;
    std::vector<std::uint32_t> events_;
    bool isMasked_ = false;
};

} // namespace strobe::host::nvme
