// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/failure_sums.h"

#include <algorithm>
#include <iterator>

namespace strobe::platform {

void FailureSums::add(std::size_t place, std::uint64_t count, const std::vector<std::string>& details)
{
    FailureReport& row = rows_[place];
    row.count += count;
    for (const std::string& detail : details) {
        if (row.details.size() < details_)
            row.details.push_back(detail);
    }
}

void FailureSums::add(const SsdModule& ssd)
{
    if (rows_.empty()) {
        // Firmware has to handle a die's failures; if it cannot, host requests fail. The other kinds are bugs of
        // firmware.
        for (const auto& row : controller::failureKindTable)
            rows_.push_back({std::string(row.name), 0, row.value != controller::FailureKind::OperationFailed, {}});
        rows_.push_back({"host interface misused by firmware", 0, true, {}});
        rows_.push_back({"memory misused by firmware", 0, true, {}});
        rows_.push_back({"bytes lost by the UART", 0, true, {}});
    }
    const controller::FailureLog& log = ssd.flash.controller().failures();
    for (std::size_t i = 0; i < controller::failureKindTable.size(); ++i) {
        const controller::FailureKind kind = controller::failureKindTable[i].value;
        std::vector<std::string> details;
        for (const controller::Failure& failure : log.first()) {
            if (failure.kind == kind)
                details.push_back(toText(failure));
        }
        add(i, log.count(kind), details);
    }
    std::size_t row = controller::failureKindTable.size();
    for (const SsdModule::FirmwareFaults* faults : {&ssd.hostFaults(), &ssd.memoryFaults(), &ssd.consoleFaults()})
        add(row++, faults->count, faults->first);
}

std::vector<FailureReport> FailureSums::reports() const
{
    std::vector<FailureReport> found;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(found),
                 [](const FailureReport& row) { return row.count != 0; });
    return found;
}

} // namespace strobe::platform
