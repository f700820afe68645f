// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/channel/bus_player.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace strobe::channel::test {

BusPlayer::BusPlayer(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order)
    : BusPlayer(schedule, dies, makeBusPolicy(order))
{
}

BusPlayer::BusPlayer(const BusSchedule& schedule, std::uint32_t dies, std::unique_ptr<BusPolicy> policy)
    : interface(DieSchedules(dies, std::make_shared<const BusSchedule>(schedule)), std::move(policy)),
      schedule_(schedule)
{
}

BusPlayer::~BusPlayer() = default;

nand::Operation& BusPlayer::add(std::uint32_t die, Time at, const nand::Operation& op)
{
    operations.push_back(op);
    arrivals_.push_back({at, die, &operations.back()});
    return operations.back();
}

void BusPlayer::play()
{
    std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    for (Time now{};; now = nextTime(now)) {
        if (now == never)
            break;
        finishEnded(now);
        for (; !arrivals_.empty() && arrivals_.front().at <= now; arrivals_.pop_front())
            interface.submit(arrivals_.front().die, *arrivals_.front().op, now);
        while (const auto grant = interface.next(now))
            start(*grant, now);
    }
    CHECK(interface.isIdle());
}

void BusPlayer::finishEnded(Time now)
{
    for (std::size_t i = 0; i < responding_.size();) {
        if (responding_[i].end > now) {
            ++i;
            continue;
        }
        const NandInterface::Grant grant = responding_[i].grant;
        responding_.erase(responding_.begin() + static_cast<std::ptrdiff_t>(i));
        interface.finish(grant.lane, now);
    }
}

std::vector<std::string> BusPlayer::phases() const
{
    std::vector<std::string> lines;
    for (const Tenure& t : tenures) {
        lines.push_back(std::to_string(t.die) +
                        (t.phase == NandInterface::Phase::Request ? " request " : " response ") +
                        std::to_string(t.start.count() / 1000) + "-" + std::to_string(t.end.count() / 1000));
    }
    return lines;
}

void BusPlayer::start(const NandInterface::Grant& grant, Time now)
{
    if (grant.busTime > Time{})
        tenures.push_back({grant.die, grant.phase, now, now + grant.busTime, grant.op});
    if (grant.phase == NandInterface::Phase::Request) {
        grant.op->ready = grant.op->requestEnd + schedule_.arrayTime(*grant.op);
        interface.arrayFinished(grant.lane, grant.op->ready);
    } else if (grant.busTime > Time{}) {
        responding_.push_back({now + grant.busTime, grant});
    } else {
        interface.finish(grant.lane, now);
    }
}

Time BusPlayer::nextTime(Time now) const
{
    const Time arrival = arrivals_.empty() ? never : arrivals_.front().at;
    Time response = never;
    for (const Responding& responding : responding_)
        response = std::min(response, responding.end);
    return std::min({arrival, response, interface.nextOpportunity(now)});
}

} // namespace strobe::channel::test
