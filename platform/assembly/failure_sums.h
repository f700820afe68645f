#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Failures in the drive, over all its power cycles: those of the flash controller by kind, and firmware's violations of
// the rules of the host interface, of memory and of the UART.

#include "platform/assembly/ssd_module.h"
#include "platform/report/report.h"

#include <vector>

namespace strobe::platform {

class FailureSums {
public:
    explicit FailureSums(std::uint32_t details) : details_(details) {} // listed in full, of a kind

    void add(const SsdModule& ssd);             // of one power cycle, at its end
    std::vector<FailureReport> reports() const; // of the kinds that occurred

private:
    void add(std::size_t place, std::uint64_t count, const std::vector<std::string>& details);

    std::uint32_t details_;
    std::vector<FailureReport> rows_; // by controller::FailureKind, then of host interface, memory, UART
};

} // namespace strobe::platform
