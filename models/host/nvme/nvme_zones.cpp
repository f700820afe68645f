// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_zones.h"

#include <array>
#include <cstring>

namespace strobe::host::nvme {

namespace {

constexpr std::uint8_t sequentialWriteRequired = 2; // zone type
constexpr std::uint8_t fullState = 14;
constexpr std::uint64_t noPointer = ~std::uint64_t{0};

template <class Bytes, class T>
void put(Bytes& bytes, std::size_t offset, T value)
{
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

} // namespace

IdentifyPage identifyZonedNamespace(const ZoneShape& shape)
{
    constexpr std::size_t formats = 2816; // LBAFE0
    IdentifyPage page{};
    put(page, 4, shape.active - 1); // MAR, counts from zero
    put(page, 8, shape.open - 1);   // MOR
    put(page, formats, std::uint64_t{shape.sectors});
    return page;
}

IdentifyPage identifyZonedController()
{
    return {}; // ZASL 0: an append may be as long as any transfer
}

std::optional<ZoneReportRequest> zoneReportRequest(const SubmissionEntry& submission)
{
    constexpr std::uint32_t reportZones = 0; // ZRA
    // ZRASF: which states are listed.
    constexpr std::array<std::uint8_t, 8> stateOf{0, 1, 2, 3, 4, 14, 13, 15};
    const std::uint32_t options = submission.dword[13];
    const std::uint32_t filter = options >> 8U & 0xFFU;
    if ((options & 0xFFU) != reportZones || filter >= stateOf.size() || submission.dword[12] >= 1U << 22U)
        return std::nullopt;
    return ZoneReportRequest{submission.quad(10), (submission.dword[12] + 1) * 4, stateOf[filter],
                             (options & 1U << 16U) != 0};
}

std::vector<std::byte> zoneReport(const ZoneReportRequest& request, const ZoneShape& shape, std::uint32_t first,
                                  const std::vector<ZoneEntry>& zones)
{
    std::vector<std::byte> report(request.bytes);
    std::uint64_t listed = 0;
    std::uint64_t matching = 0;
    std::size_t at = zoneReportHeaderBytes;
    for (std::size_t i = 0; i < zones.size(); ++i) {
        const ZoneEntry& zone = zones[i];
        if (request.state != 0 && zone.state != request.state)
            continue;
        ++matching;
        if (at + zoneDescriptorBytes > report.size())
            continue;
        const std::uint64_t start = (first + i) * std::uint64_t{shape.sectors};
        put(report, at, sequentialWriteRequired);
        put(report, at + 1, static_cast<std::uint8_t>(zone.state << 4U));
        put(report, at + 8, std::uint64_t{shape.capacity});
        put(report, at + 16, start);
        put(report, at + 24, zone.state == fullState ? noPointer : start + zone.written);
        at += zoneDescriptorBytes;
        ++listed;
    }
    if (report.size() >= sizeof listed)
        put(report, 0, request.isPartial ? listed : matching);
    return report;
}

} // namespace strobe::host::nvme
