#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Commands of scripts for a drive with zones (zoned_host.h), and a run of one.
#include "tests/firmware/ftl/zoned/zoned_host.h"

#include "tests/firmware/ftl/zoned/zoned_headers.h"

namespace strobe::test {

inline HostCommand write(std::uint64_t lba, std::uint32_t sectors)
{
    return {HostCommand::Write, false, lba, sectors};
}
inline HostCommand append(std::uint64_t zone, std::uint32_t sectors)
{
    return {ZonedHost::Append, false, zone * zoneSectors, sectors};
}
inline HostCommand read(std::uint64_t lba, std::uint32_t sectors)
{
    return {HostCommand::Read, false, lba, sectors};
}
inline HostCommand manage(std::uint32_t kind, std::uint64_t zone)
{
    return {kind, false, zone * zoneSectors, zoneSectors};
}

inline std::vector<HostStatus> statusesOf(const MockOptions& options, std::vector<HostCommand> script)
{
    MockDrive drive(options);
    ZonedHost host(options);
    host.script(std::move(script));
    drive.run(strobe_firmware_entry, host);
    return host.statuses();
}

inline constexpr HostStatus ok = HostStatus::Ok;

} // namespace strobe::test
