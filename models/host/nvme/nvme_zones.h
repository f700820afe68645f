#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Structures of the NVMe Zoned Namespace Command Set 1.1 that a controller returns: the identify pages of the command
// set and the list of zones (report zones). Pure functions. Not modelled: zone descriptor extensions, zone changes by
// the controller (finish and reset recommended), variable capacities.

#include "models/host/command_port.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_identify.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

inline constexpr std::uint32_t zoneReportHeaderBytes = 64;
inline constexpr std::uint32_t zoneDescriptorBytes = 64;

IdentifyPage identifyZonedNamespace(const ZoneShape& shape);
IdentifyPage identifyZonedController();

struct ZoneReportRequest {
    std::uint64_t lba = 0;   // in the first zone of the report
    std::uint32_t bytes = 0; // of the buffer
    std::uint8_t state = 0;  // only zones in this state; 0: all
    bool isPartial = false;  // the number of zones is that of the descriptors in the buffer
};

// Nothing: a field is not valid.
std::optional<ZoneReportRequest> zoneReportRequest(const SubmissionEntry& submission);

// Header and descriptors, as many as fit into the buffer. `zones`: from zone `first` to the last one of the drive.
std::vector<std::byte> zoneReport(const ZoneReportRequest& request, const ZoneShape& shape, std::uint32_t first,
                                  const std::vector<ZoneEntry>& zones);

} // namespace strobe::host::nvme
