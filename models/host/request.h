#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Requests of a host to the drive, and their sources. Plain values, no kernel. A new workload is a new
// RequestSource; nothing below it changes.

#include "models/base/enum_table.h"
#include "models/base/statistics.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace strobe::host {

enum class RequestKind : std::uint8_t {
    Read,
    Write,
    Flush,
    Trim,
    // Of drives with zones only.
    Append,
    OpenZone,
    CloseZone,
    FinishZone,
    ResetZone,
    // Of drives with data placement only.
    UpdatePlacement
};

inline constexpr std::array<EnumRow<RequestKind>, 10> requestKindTable{
    {{RequestKind::Read, "read", ""},
     {RequestKind::Write, "write", ""},
     {RequestKind::Flush, "flush", "flush cache"},
     {RequestKind::Trim, "trim", "unmap"},
     {RequestKind::Append, "append", "write at the write pointer of a zone"},
     {RequestKind::OpenZone, "open-zone", ""},
     {RequestKind::CloseZone, "close-zone", ""},
     {RequestKind::FinishZone, "finish-zone", "make a zone full"},
     {RequestKind::ResetZone, "reset-zone", "make a zone empty"},
     {RequestKind::UpdatePlacement, "update-placement", "a placement handle gets a new reclaim unit"}}};
constexpr const auto& enumTable(RequestKind)
{
    return requestKindTable;
}

inline constexpr std::size_t commonRequestKinds = 4; // of requestKindTable, from its beginning: those of every drive

constexpr bool takesData(RequestKind kind) // from the host
{
    return kind == RequestKind::Write || kind == RequestKind::Append;
}
constexpr bool movesData(RequestKind kind)
{
    return kind == RequestKind::Read || takesData(kind);
}
// Its range is a zone: the first sector, and the sectors from there to the next zone.
constexpr bool isOfZone(RequestKind kind)
{
    return kind >= RequestKind::OpenZone && kind <= RequestKind::ResetZone;
}

struct Request {
    RequestKind kind = RequestKind::Read;
    bool fua = false;                         // write: complete only when in flash
    std::uint64_t lba = 0;                    // 512-byte sectors; append: the first one of the zone
    std::uint32_t sectors = 0;                // zero for flush only
    Time arrival{};                           // since the start of the source; closed loops ignore it
    Time response{};                          // response time in the recording; zero: unknown
    std::uint32_t stream = 0;                 // which file or disk of a trace
    std::optional<std::uint16_t> placement{}; // write: placement handle, on a drive with data placement
};

// Why an input record became no request.
enum class SkipReason : std::uint8_t { FileAction, Wait, ZeroLength, Blank, Header, OtherEvent, OtherCommand, Text };

inline constexpr std::array<EnumRow<SkipReason>, 8> skipReasonTable{
    {{SkipReason::FileAction, "file action", "add, open and close lines"},
     {SkipReason::Wait, "wait", "lines that only advance time"},
     {SkipReason::ZeroLength, "zero length", "reads, writes and trims of zero length"},
     {SkipReason::Blank, "blank", "empty lines"},
     {SkipReason::Header, "header", "lines that name the columns"},
     {SkipReason::OtherEvent, "other event", "events of the block layer other than issues of requests"},
     {SkipReason::OtherCommand, "other command",
      "commands other than reads, writes, flushes and trims of known sectors"},
     {SkipReason::Text, "text", "lines of a summary"}}};
constexpr const auto& enumTable(SkipReason)
{
    return skipReasonTable;
}

// How a source treated its input, for the report: nothing is dropped silently. For a finished trace
// requests == records - skipped + split. Generators have no records.
struct SourceCounts {
    std::uint64_t records = 0;         // input records read
    std::uint64_t requests = 0;        // requests produced
    std::uint64_t skipped = 0;         // records without a request (open, close, blank lines, …)
    std::uint64_t folded = 0;          // records whose address was folded into the drive
    std::uint64_t split = 0;           // extra requests made by splitting at the end of the drive or at the size limit
    std::uint64_t roundedToSector = 0; // byte ranges widened to whole sectors
    std::uint64_t unaligned4k = 0;     // requests that are not 4 KiB aligned (kept as they are)
    std::uint64_t reordered = 0;       // records that were put before earlier ones, by their times
    std::uint64_t clamped = 0;         // records whose time lay before their predecessor's, moved to it
    std::array<std::uint64_t, skipReasonTable.size()> skippedBecause{}; // skipped, by SkipReason

    void declare(Statistics& stats)
    {
        stats.add("records", Unit::Count, "input records read; generators have none", records);
        stats.add("requests", Unit::Count, "requests produced", requests);
        declareChanges(stats);
    }
    // Differences between the requests and the input. The text report quotes these sentences.
    void declareChanges(Statistics& stats)
    {
        stats.add("skipped", Unit::Count, "records without a request, such as open and close", skipped);
        stats.add("folded", Unit::Count, "addresses folded into the drive", folded);
        stats.add("split", Unit::Count, "extra requests by splitting", split);
        stats.add("rounded_to_sector", Unit::Count, "widened to whole sectors", roundedToSector);
        stats.add("unaligned_4k", Unit::Count, "not 4 KiB aligned", unaligned4k);
        stats.add("reordered", Unit::Count, "put into the order of their times", reordered);
        stats.add("clamped", Unit::Count, "earlier than their predecessor", clamped);
    }
    void merge(const SourceCounts& other)
    {
        records += other.records;
        requests += other.requests;
        skipped += other.skipped;
        folded += other.folded;
        split += other.split;
        roundedToSector += other.roundedToSector;
        unaligned4k += other.unaligned4k;
        reordered += other.reordered;
        clamped += other.clamped;
        for (std::size_t reason = 0; reason < skippedBecause.size(); ++reason)
            skippedBecause[reason] += other.skippedBecause[reason];
    }
    void skip(SkipReason reason)
    {
        ++skipped;
        ++skippedBecause[static_cast<std::size_t>(reason)];
    }
};

class RequestSource {
public:
    virtual ~RequestSource() = default;
    virtual std::optional<Request> next() = 0;                                  // nothing: the source is finished
    virtual std::optional<std::uint64_t> total() const { return std::nullopt; } // requests, if known (for progress)
    virtual const SourceCounts& counts() const = 0;
    virtual std::string describe() const = 0; // one line for the report
};

} // namespace strobe::host
