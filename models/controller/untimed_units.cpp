// SPDX-License-Identifier: Apache-2.0
#include "models/controller/untimed_units.h"

#include "models/base/check.h"

namespace strobe::controller {

UntimedUnits::UntimedUnits(const FlashControllerConfig& config, const SuperchipMap& map, const SuperchipMap& oneChip,
                           FunctionalDies& dies, memory::FunctionalBuffer& buffer, memory::FunctionalRing& ring,
                           HostSink* host, XorEngine& xorEngine, Time now)
    : config_(config), map_(map), oneChip_(oneChip), dies_(dies), memory_(buffer), ring_(ring), host_(host),
      xorEngine_(xorEngine), now_(now)
{
}

void UntimedUnits::execute(UnitId number, BusAddress head)
{
    if (units_.empty())
        units_.resize(config_.allUnits());
    std::unique_ptr<FlashUnit>& unit = units_[raw(number)];
    if (unit == nullptr) {
        FlashUnitConfig config{config_.unitDepth, config_.unitOperations, nand::Priority::Background,
                               config_.dataMode,  config_.dataBuffer,     config_.hasHost};
        config.isUntimed = true;
        config.xorEngine = &xorEngine_;
        unit = std::make_unique<FlashUnit>(number, config, map_, oneChip_, dies_.ecc(),
                                           static_cast<FlashDmaPort&>(*this), static_cast<UnitPort&>(*this));
    }
    unit->submit(head, now_);
    finishWork();
    check(!unit->isBusy(), "a flash unit without time has not finished");
}

void UntimedUnits::finishWork()
{
    while (!done_.empty() || !wakes_.empty() || !taken_.empty()) {
        if (!done_.empty()) {
            const Done done = done_.front();
            done_.pop_front();
            units_[raw(done.ticket.unit)]->operationDone(done.ticket.lane, done.op, now_);
        } else if (!wakes_.empty()) {
            const Wake wake = wakes_.front();
            wakes_.pop_front();
            units_[raw(wake.unit)]->wake(wake.token, now_);
        } else {
            const Ticket ticket = taken_.front();
            taken_.pop_front();
            units_[raw(ticket.unit)]->hostTook(ticket.lane, now_);
        }
    }
}

void UntimedUnits::wakeUnit(UnitId unit, std::uint32_t token, Time)
{
    wakes_.push_back({unit, token});
}

void UntimedUnits::sendOperation(Ticket ticket, const nand::Operation& op, Time)
{
    Done done{ticket, op};
    nand::Die& die = dies_[op.die];
    die.executeAtOnce(done.op);
    if (done.op.opcode == nand::Opcode::Read && done.op.status == nand::Status::Ok)
        die.fetch(done.op);
    done_.push_back(done);
}

void UntimedUnits::continueOperation(UnitId, DieId)
{
    checkFailed("an operation without time is suspended", __FILE__, __LINE__);
}

Time UntimedUnits::reportEvent(const FlashEvent& event, Time at)
{
    ring_.push({statusWord(event.outcome), raw(event.descriptor), event.cookie, std::uint32_t{raw(event.unit)}});
    return at;
}

bool UntimedUnits::sendToHost(const HostRun& run, Time now)
{
    check(host_ != nullptr, "a read goes to the host interface, but none is connected");
    const bool isTaken = host_->deliver(run, now);
    if (isTaken)
        taken_.push_back(run.ticket);
    return isTaken;
}

void UntimedUnits::synthesizedDone(std::uint32_t, bool, Time)
{
    checkFailed("a synthesized read without a synthesizer", __FILE__, __LINE__);
}

Moved UntimedUnits::move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time)
{
    return {now_, memory_.move(address, bytes, content, direction == Direction::ToMemory)};
}

} // namespace strobe::controller
