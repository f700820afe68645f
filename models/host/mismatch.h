#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Whether the contents of a sector are a version that a read may return (sector_versions.h), and if not, what is wrong
// with them. A tag (DataMode::Tags) tells which sector and version it is. Real bytes do not: zeros and the versions
// just before the allowed ones can be recognised, everything else is "corrupted".

#include "models/base/content.h"
#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "models/host/request.h"
#include "models/host/sector_versions.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace strobe::host {

enum class MismatchKind : std::uint8_t { Lost, Stale, Misdirected, Corrupted, Unwritten, Missing };
inline constexpr std::array<EnumRow<MismatchKind>, 6> mismatchKindTable{
    {{MismatchKind::Lost, "lost", "zeros where data was acknowledged"},
     {MismatchKind::Stale, "stale", "an older version than the last acknowledged one"},
     {MismatchKind::Misdirected, "misdirected", "intact data of another sector"},
     {MismatchKind::Corrupted, "corrupted", "no sector's data"},
     {MismatchKind::Unwritten, "unwritten", "a version that was never written there"},
     {MismatchKind::Missing, "missing", "a command completed without moving all its sectors"}}};
constexpr const auto& enumTable(MismatchKind)
{
    return mismatchKindTable;
}

struct Mismatch {
    MismatchKind kind = MismatchKind::Corrupted;
    RequestKind request = RequestKind::Read;
    std::uint64_t lba = 0;        // of the sector
    std::uint64_t requestLba = 0; // of the command
    std::uint32_t requestSectors = 0;
    VersionWindow expected;
    std::uint32_t foundLba = 0; // according to the contents
    std::uint32_t foundVersion = 0;
    std::uint64_t foundWord = 0; // the tag, or the first eight bytes
    std::uint32_t missing = 0;   // sectors not moved
    Time at{};                   // of the command's completion

    std::string text() const; // one line
};

// `sector`: its contents in that mode, tags or bytes. The version that it holds, if it is allowed; zeros are version 0.
std::optional<std::uint32_t> allowedVersion(DataMode mode, const VersionWindow& window, std::uint32_t lba,
                                            const std::byte* sector);
// What the sector holds instead; without the fields about the command. REQUIRES: its version is not allowed
Mismatch mismatchOf(DataMode mode, const VersionWindow& window, std::uint32_t lba, const std::byte* sector);

} // namespace strobe::host
