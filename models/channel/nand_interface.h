#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND interface block of one channel (NAND_IF), without a kernel: a queue per die, one bus, and the policy that
// says which segment gets the bus next. The bus is held only for requests and responses, never for array time.
// One operation per die is in the array at a time; others of that die wait in its queue, in order of arrival,
// foreground before background.
//
// Policies (SegmentOrder):
//   commands-first  requests without data-in (read, erase, copy-back commands) before data phases: start arrays early
//   responses-first finished dies are emptied before new work is started
//   fifo            in order of becoming possible
// Among equals: round-robin over the dies of the channel.
//
// Time is an argument; next() is asked whenever the bus is free and answers what to start now, or when to ask again.

#include "models/base/enum_table.h"
#include "models/base/resource.h"
#include "models/channel/bus_schedule.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace strobe::channel {

enum class SegmentOrder : std::uint8_t { CommandsFirst, ResponsesFirst, Fifo };

inline constexpr std::array<EnumRow<SegmentOrder>, 3> segmentOrderTable{
    {{SegmentOrder::CommandsFirst, "commands-first", "commands without data before data phases"},
     {SegmentOrder::ResponsesFirst, "responses-first", "finished dies are emptied before new work starts"},
     {SegmentOrder::Fifo, "fifo", "in order of becoming possible"}}};
constexpr const auto& enumTable(SegmentOrder)
{
    return segmentOrderTable;
}

class NandInterface {
public:
    enum class Phase : std::uint8_t { Request, Response };
    struct Grant {         // the bus goes to this segment now
        std::uint32_t die; // position on the channel
        nand::Operation* op;
        Phase phase;
        Time busTime; // how long the bus is held
    };

    NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order);

    void submit(std::uint32_t die, nand::Operation& op, Time now); // joins the die's queue
    void arrayFinished(std::uint32_t die, Time ready);             // R/B# of the running operation rises at `ready`
    // What gets the bus at `now`. REQUIRES: the bus is free (now >= busFreeAt()). Updates queues and accounts the bus.
    std::optional<Grant> next(Time now);
    // The earliest future time at which next() could answer something by itself (a die becoming ready); never if none.
    Time nextOpportunity(Time now) const;
    // The response of the running operation has left the bus; the die takes the next operation of its queue.
    void finish(std::uint32_t die, Time now);

    Time busFreeAt() const { return bus_.freeAt(); }
    const ResourceUsage& busUsage() const { return bus_.usage(); }
    const ResourceUsage& dieUsage(std::uint32_t die) const { return lanes_[die].usage.usage(); }
    std::size_t queued() const { return queued_; }
    std::size_t maxQueued() const { return maxQueued_; }
    void resetUsage();

private:
    enum class Stage : std::uint8_t { Idle, WaitingRequest, InRequest, InArray, WaitingResponse, InResponse };
    struct Lane { // one die of the channel
        std::deque<nand::Operation*> waiting;
        nand::Operation* running = nullptr;
        Stage stage = Stage::Idle;
        Time since{};   // when the present stage became possible
        Resource usage; // from the start of the request to the end of the response
    };

    BusSchedule schedule_;
    SegmentOrder order_;
    std::vector<Lane> lanes_;
    std::uint32_t lastServed_ = 0;
    Resource bus_;
    std::size_t queued_ = 0;
    std::size_t maxQueued_ = 0;
};

} // namespace strobe::channel
