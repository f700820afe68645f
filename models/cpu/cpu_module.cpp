// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cpu_module.h"

#include "models/base/activity_log.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstring>

namespace strobe::cpu {

CpuModule::CpuModule(const sc_core::sc_module_name& name, std::uint64_t clockHz, Time quantum,
                     InterruptControllerModule& interrupts)
    : sc_module(name), clock_(clockHz), quantum_(quantum), interrupts_(interrupts)
{
    bus.register_invalidate_direct_mem_ptr(this, &CpuModule::invalidate);
}

bool CpuModule::access(tlm::tlm_command command, std::uint32_t address, void* data, unsigned bytes)
{
    ++(command == tlm::TLM_READ_COMMAND ? counters_.reads : counters_.writes);
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(bytes);
    payload_.set_streaming_width(bytes);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const Time before = localTime();
    sc_core::sc_time delay = toSc(ahead_);
    bus->b_transport(payload_, delay);
    ahead_ = fromSc(delay);
    counters_.busTime += localTime() - before;
    BusAccess& kept = accesses_[accessCount_++ % accessPlaces];
    kept.at = before;
    kept.address = address;
    kept.isWrite = command == tlm::TLM_WRITE_COMMAND;
    if (bytes == sizeof kept.value) {
        std::memcpy(&kept.value, data, sizeof kept.value);
    } else {
        kept.value = 0;
        std::memcpy(&kept.value, data, std::min<std::size_t>(bytes, sizeof kept.value));
    }
    if (command == tlm::TLM_WRITE_COMMAND)
        lastPosted_ = localTime();
    return !payload_.is_response_error();
}

std::vector<BusAccess> CpuModule::lastAccesses() const
{
    std::vector<BusAccess> last;
    for (std::size_t i = accessCount_ - std::min(accessCount_, accessesKept); i != accessCount_; ++i)
        last.push_back(accesses_[i % accessPlaces]);
    return last;
}

bool CpuModule::requestDmi(std::uint32_t address, tlm::tlm_dmi& dmi)
{
    payload_.set_command(tlm::TLM_READ_COMMAND);
    payload_.set_address(address);
    return bus->get_direct_mem_ptr(payload_, dmi) && dmi.is_read_write_allowed();
}

void CpuModule::rethrowFault() const
{
    if (fault_ != nullptr)
        std::rethrow_exception(fault_);
}

// --- sleep ----------------------------------------------------------------------------------------------------------

void CpuModule::fallAsleep()
{
    asleep_ = true;
    fellAsleep_ = asleepSince_ = localTime();
    if (log_ != nullptr)
        log_->note(lane_, awakeSince_, awakeSince_, fellAsleep_);
    ahead_ = {};
    if (sleepObserver_ != nullptr)
        sleepObserver_->fellAsleep(core_, fellAsleep_);
}

void CpuModule::wakeUp()
{
    asleep_ = false;
    endRound(fellAsleep_);
    awakeSince_ = roundSince_ = std::max(now(), fellAsleep_);
    if (sleepObserver_ != nullptr)
        sleepObserver_->wokeUp(core_, awakeSince_);
    if (now() > fellAsleep_) {
        idle_ += now() - asleepSince_;
        ++wakeUps_;
    }
}

void CpuModule::passWait(Time at)
{
    endRound(at);
    roundSince_ = at;
}

// What is before the counters were reset does not count.
void CpuModule::noteRound(ResponseTimes& rounds, Time until) const
{
    const bool isBefore = roundSince_ < usageSince_ && until <= usageSince_;
    if (!isBefore && until >= roundSince_ && rounds.note(std::max(roundSince_, usageSince_), until))
        rounds.pc = programCounter();
}

void CpuModule::endRound(Time at)
{
    noteRound(rounds_, at);
}

// A CPU can be ahead of the kernel, asleep or not: what is after now belongs to later phases.
ResponseTimes CpuModule::rounds() const
{
    ResponseTimes rounds = rounds_;
    if (roundSince_ < now())
        noteRound(rounds, asleep_ ? std::min(fellAsleep_, now()) : now());
    return rounds;
}

void CpuModule::watch(ActivityLog& log, std::uint32_t lane, std::uint32_t costs)
{
    log_ = &log;
    lane_ = lane;
    costLane_ = costs;
}

void CpuModule::noteCost(std::string_view point, Time spent)
{
    const Time start = localTime();
    if (spent > Time{})
        log_->note(costLane_, start, start, start + spent, log_->numberOf(point));
}

bool CpuModule::isAsleep() const
{
    return asleep_ && asleepSince_ <= now();
}

ResourceUsage CpuModule::usage() const
{
    const Time idle = idle_ + (isAsleep() ? now() - asleepSince_ : Time{});
    ResourceUsage usage;
    usage.busy = now() - usageSince_ - idle;
    usage.jobs = wakeUps_;
    return usage;
}

void CpuModule::resetUsage()
{
    counters_ = {};
    rounds_ = {};
    interrupts_.resetTimes();
    idle_ = {};
    wakeUps_ = 0;
    usageSince_ = now();
    asleepSince_ = std::max(asleepSince_, now());
}

} // namespace strobe::cpu
