// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/interrupt_controller_module.h"

#include "models/base/strobe_registers.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <iterator>

namespace strobe::cpu {

InterruptControllerModule::InterruptControllerModule(const sc_core::sc_module_name& name)
    : PeripheralModule(name, regs::intc::table, std::size(regs::intc::table))
{
}

void InterruptControllerModule::setLine(InterruptSource line, bool asserted, Time at)
{
    check(at >= now() || !asserted, "an interrupt line cannot rise in the past");
    changes_[static_cast<std::size_t>(line)].push({at, asserted});
    nextChange_ = std::min(nextChange_, at);
    if (isLooking_)
        return;
    apply(now());
    if (isArmed_ && asserted)
        wakeAt(std::max(at, earliestWake_));
}

std::uint32_t InterruptControllerModule::activeAt(Time at)
{
    catchUp();
    isLooking_ = true; // changes reported by sources now are taken into account below
    for (const auto& tell : sources_)
        tell(at);
    isLooking_ = false;
    apply(at);
    return controller_.active();
}

std::uint32_t InterruptControllerModule::active()
{
    return activeAt(now());
}

void InterruptControllerModule::apply(Time until)
{
    if (nextChange_ > until)
        return;
    nextChange_ = never;
    for (std::size_t line = 0; line < changes_.size(); ++line) {
        RingQueue<LineChange>& changes = changes_[line];
        const auto source = static_cast<InterruptSource>(line);
        while (!changes.empty() && changes.front().at <= until) {
            const LineChange change = changes.pop();
            if (controller_.setLine(source, change.asserted))
                latency_.changed(source, change.asserted, change.at);
        }
        if (!changes.empty())
            nextChange_ = std::min(nextChange_, changes.front().at);
    }
}

bool InterruptControllerModule::mustWake() const
{
    return (wakeOn_.enabled && controller_.active() != 0) || (controller_.pending() & wakeOn_.lines) != 0;
}

Time InterruptControllerModule::nextRise() const
{
    return mustWake() ? Time{} : nextChange_;
}

void InterruptControllerModule::armWake(Time earliest, WakeOn what)
{
    wakeOn_ = what;
    wakeTime_ = never;
    isArmed_ = false; // not for lines that are active now, but not then
    activeAt(std::max(earliest, now()));
    isArmed_ = true;
    earliestWake_ = earliest;
    wakeAt(std::max(nextRise(), earliest));
}

void InterruptControllerModule::wakeAt(Time at)
{
    at = std::max(at, now());
    if (at >= wakeTime_ || at == never)
        return;
    wakeTime_ = at;
    sleeper_(at);
}

Access InterruptControllerModule::readRegister(std::uint32_t offset, std::uint32_t& value, Time at)
{
    activeAt(at);
    return controller_.read(offset, value);
}

Access InterruptControllerModule::viewRegister(std::uint32_t offset, std::uint32_t& value) const
{
    return controller_.view(offset, value);
}

Access InterruptControllerModule::writeRegister(std::uint32_t offset, std::uint32_t value)
{
    const std::uint32_t before = controller_.pending();
    const Access access = controller_.write(offset, value);
    if (before != controller_.pending()) // only the software interrupt follows a write
        latency_.changed(InterruptSource::Software, controller_.pending() > before, now());
    return access;
}

// After a register was written: a sleeper may have to be woken for another line than before.
Time InterruptControllerModule::step(Time now)
{
    apply(now);
    if (isArmed_ && wakeTime_ == never && mustWake())
        wakeAt(earliestWake_);
    return never;
}

} // namespace strobe::cpu
