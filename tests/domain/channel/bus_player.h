#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Plays operations through a NandInterface without a kernel: arrivals at given times, dies that take the array time of
// the part. Records which die had the bus at which time.

#include "models/channel/nand_interface.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::channel::test {

class BusPlayer {
public:
    struct Tenure { // of the bus
        std::uint32_t die;
        NandInterface::Phase phase;
        Time start;
        Time end;
        const nand::Operation* op;
    };

    BusPlayer(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order)
        : BusPlayer(schedule, dies, makeBusPolicy(order))
    {
    }
    BusPlayer(const BusSchedule& schedule, std::uint32_t dies, std::unique_ptr<BusPolicy> policy)
        : interface(DieSchedules(dies, std::make_shared<const BusSchedule>(schedule)), std::move(policy)),
          schedule_(schedule)
    {
    }

    nand::Operation& add(std::uint32_t die, Time at, const nand::Operation& op)
    {
        operations.push_back(op);
        arrivals_.push_back({at, die, &operations.back()});
        return operations.back();
    }

    // Plays until nothing is left to do.
    void play()
    {
        std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
        for (Time now{};; now = nextTime(now)) {
            if (now == never)
                break;
            if (responding_ && responding_->end <= now) {
                interface.finish(responding_->die, now);
                responding_.reset();
            }
            for (; !arrivals_.empty() && arrivals_.front().at <= now; arrivals_.pop_front())
                interface.submit(arrivals_.front().die, *arrivals_.front().op, now);
            while (const auto grant = interface.next(now))
                start(*grant, now);
        }
        CHECK(interface.isIdle());
    }

    // "0 request 0-40" …, in nanoseconds
    std::vector<std::string> phases() const
    {
        std::vector<std::string> lines;
        for (const Tenure& t : tenures) {
            lines.push_back(std::to_string(t.die) +
                            (t.phase == NandInterface::Phase::Request ? " request " : " response ") +
                            std::to_string(t.start.count() / 1000) + "-" + std::to_string(t.end.count() / 1000));
        }
        return lines;
    }

    NandInterface interface;
    std::deque<nand::Operation> operations;
    std::vector<Tenure> tenures; // those with bus time

private:
    struct Arrival {
        Time at;
        std::uint32_t die;
        nand::Operation* op;
    };

    void start(const NandInterface::Grant& grant, Time now)
    {
        if (grant.busTime > Time{})
            tenures.push_back({grant.die, grant.phase, now, now + grant.busTime, grant.op});
        if (grant.phase == NandInterface::Phase::Request) {
            grant.op->ready = grant.op->requestEnd + schedule_.arrayTime(*grant.op);
            interface.arrayFinished(grant.lane, grant.op->ready);
        } else if (grant.busTime > Time{}) {
            responding_ = tenures.back();
        } else {
            interface.finish(grant.lane, now);
        }
    }
    Time nextTime(Time now) const
    {
        const Time arrival = arrivals_.empty() ? never : arrivals_.front().at;
        const Time response = responding_ ? responding_->end : never;
        return std::min({arrival, response, interface.nextOpportunity(now)});
    }

    BusSchedule schedule_;
    std::deque<Arrival> arrivals_;
    std::optional<Tenure> responding_;
};

} // namespace strobe::channel::test
