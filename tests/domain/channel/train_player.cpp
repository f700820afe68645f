// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/channel/train_player.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace strobe::channel::test {

TrainPlayer::TrainPlayer(const InterfaceTiming& timing, const nand::Part& part, std::uint32_t count,
                         const JoinPolicy& join)
    : part_(part), interface(BusSchedule(timing, part), count, SegmentOrder::CommandsFirst, join)
{
    for (std::uint32_t i = 0; i < count; ++i) {
        dies.push_back(std::make_unique<nand::Die>(DieId{static_cast<std::uint16_t>(i)}, part_, 0, Rng(1, "die")));
    }
}

TrainPlayer::~TrainPlayer() = default;

nand::Operation& TrainPlayer::add(std::uint32_t die, Time at, const nand::Operation& op)
{
    operations.push_back(op);
    operations.back().die = DieId{static_cast<std::uint16_t>(die)};
    arrivals_.push_back({at, die, &operations.back()});
    return operations.back();
}

Time TrainPlayer::play()
{
    std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    Time now{};
    for (int steps = 0;; ++steps) {
        REQUIRE(steps < 1'000'000);
        finishEnded(now);
        for (; !arrivals_.empty() && arrivals_.front().at <= now; arrivals_.pop_front())
            interface.submit(arrivals_.front().die, *arrivals_.front().op, now);
        while (const auto grant = interface.next(now))
            start(*grant, now);
        Time next = std::min(arrivals_.empty() ? never : arrivals_.front().at, interface.nextOpportunity(now));
        for (const Responding& responding : responding_)
            next = std::min(next, responding.end);
        if (next == never)
            break;
        REQUIRE(next > now); // nothing is left to do at this instant
        now = next;
    }
    CHECK(interface.isIdle());
    for (const auto& die : dies)
        CHECK(die->counters().array.illegal == 0);
    return now;
}

void TrainPlayer::start(const NandInterface::Grant& grant, Time now)
{
    using Phase = NandInterface::Phase;
    const bool isCut = grant.op->form == nand::Form::Suspend || grant.op->form == nand::Form::Resume;
    const char* what = grant.phase == Phase::Response   ? " response "
                       : grant.phase == Phase::CacheEnd ? " end "
                       : isCut ? (grant.op->form == nand::Form::Resume ? " resume " : " suspend ")
                               : " request ";
    if (grant.busTime > Time{})
        tenures.push_back(
            {grant.phase, grant.op, grant.op->form, grant.op->accesses, now, now + grant.busTime, now + grant.busTime});
    if (grant.busTime > Time{})
        phases.push_back(std::to_string(grant.die) + what + std::to_string(now.count() / 1000) + "-" +
                         std::to_string((now + grant.busTime).count() / 1000));
    if (grant.phase == Phase::Request) {
        dies[grant.die]->issue(*grant.op, grant.op->requestEnd);
        tenures.back().ready = grant.op->ready;
        interface.arrayFinished(grant.lane, grant.op->ready);
    } else if (grant.phase == Phase::Response && grant.busTime > Time{}) {
        responding_.push_back({now + grant.busTime, grant});
    } else if (grant.phase == Phase::Response) {
        finish(grant, now);
    }
}

void TrainPlayer::finishEnded(Time now)
{
    for (std::size_t i = 0; i < responding_.size();) {
        if (responding_[i].end > now) {
            ++i;
            continue;
        }
        const NandInterface::Grant grant = responding_[i].grant;
        responding_.erase(responding_.begin() + static_cast<std::ptrdiff_t>(i));
        finish(grant, now);
    }
}

void TrainPlayer::finish(const NandInterface::Grant& grant, Time now)
{
    interface.finish(grant.lane, now);
    if (grant.op->opcode == nand::Opcode::Read && grant.op->status != nand::Status::Illegal)
        dies[grant.die]->fetch(*grant.op);
}

} // namespace strobe::channel::test
