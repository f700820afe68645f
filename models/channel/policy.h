#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Bus scheduling policy of a channel: the order in which segments that compete for the bus are served.
//
// A segment is a request or a response of one die (nand_interface.h). When a segment becomes known, the policy gives it
// a place; whenever the bus is free, the segment arbiter (segment_arbiter.h) starts the segment with the lowest place
// among those that can start. Segments with equal places take turns, die by die. A foreground operation goes before any
// background operation, whatever the policy.
//
// To add a policy: one file policy_<name>.cpp with a final class and its make function, one row in policies.def. The
// scenario reader, its error message, the schema and the report read the same row.
//
// Not modelled: a place that changes while the segment waits, holding the bus for a better segment, splitting a
// segment.

#include "models/base/enum_table.h"
#include "models/channel/bus_schedule.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace strobe::channel {

enum class SegmentClass : std::uint8_t {
    CommandRequest, // without page data: read, erase and copy-back commands, suspend, resume
    DataRequest,    // with data in
    StatusResponse, // without page data
    DataResponse    // with data out
};

// The properties of a segment that a policy can use. Valid only during the call of place().
class WaitingSegment {
public:
    enum class Phase : std::uint8_t {
        Request,
        CopyIn, // request of the second half of a copy-back
        Suspend,
        Read, // for which the die was suspended
        Resume,
        CacheEnd, // 3Fh
        Response
    };

    WaitingSegment(Phase phase, SegmentClass kind, Time possible, const nand::Operation& op,
                   const BusSchedule& schedule)
        : kind_(kind), phase_(phase), possible_(possible), op_(op), schedule_(schedule)
    {
    }

    SegmentClass kind() const { return kind_; }
    Time possible() const { return possible_; } // from when on it may start
    const nand::Operation& operation() const { return op_; }
    Time busTime() const; // how long it would hold the bus; computed here, so policies that do not use it have no cost

private:
    SegmentClass kind_;
    Phase phase_;
    Time possible_;
    const nand::Operation& op_;
    const BusSchedule& schedule_;
};

// Each channel has its own object, so a policy may keep state.
class BusPolicy {
public:
    using Place = std::int64_t;
    static constexpr Place maxPlace = (Place{1} << 62) - 2; // as a time in picoseconds: 53 days

    virtual ~BusPolicy() = default;
    // Called once for each segment, when it becomes known. The lowest place goes first. The result is from 0 to
    // maxPlace.
    virtual Place place(const WaitingSegment& segment) = 0;
};

enum class SegmentOrder : std::uint8_t {
#define STROBE_BUS_POLICY(Name, text, help) Name,
#include "models/channel/policies.def"
#undef STROBE_BUS_POLICY
};

#define STROBE_BUS_POLICY(Name, text, help) std::unique_ptr<BusPolicy> make##Name();
#include "models/channel/policies.def"
#undef STROBE_BUS_POLICY

struct BusPolicyRow {
    SegmentOrder value;
    std::string_view name; // as written in a scenario and printed in a report
    std::string_view help; // one sentence
    std::unique_ptr<BusPolicy> (*make)();
};

inline constexpr std::array segmentOrderTable{
#define STROBE_BUS_POLICY(Name, text, help) BusPolicyRow{SegmentOrder::Name, text, help, make##Name},
#include "models/channel/policies.def"
#undef STROBE_BUS_POLICY
};
constexpr const auto& enumTable(SegmentOrder)
{
    return segmentOrderTable;
}

std::unique_ptr<BusPolicy> makeBusPolicy(SegmentOrder order);

} // namespace strobe::channel
