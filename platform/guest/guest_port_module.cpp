// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_port_module.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <utility>

namespace strobe::platform::guest {

GuestPortModule::GuestPortModule(const sc_core::sc_module_name& name, std::unique_ptr<host::PciDriveFunction> function,
                                 const GuestCosts& costs)
    : sc_module(name), function_(std::move(function)), costs_(costs)
{
    function_->onMessage([this](std::uint64_t address, std::uint32_t data, Time at) {
        Event event{Event::Kind::Interrupt};
        event.value = data;
        event.address = address;
        ++counters_.interrupts;
        counters_.processor += costs_.interrupt;
        events_.push(processor_.reserve(at, costs_.interrupt), std::move(event));
    });
}

// --- the guest -------------------------------------------------------------------------------------------------------

void GuestPortModule::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value)
{
    function_->writeConfig(offset, bytes, value, now());
    arm();
}

void GuestPortModule::write(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value)
{
    accessAt_ = std::max(accessAt_, now());
    if (function_->isSubmission(bar, offset)) {
        accessAt_ = std::max(accessAt_, processor_.reserve(now(), costs_.submit));
        ++counters_.doorbells;
        counters_.processor += costs_.submit;
    }
    events_.push(
        accessAt_,
        {Event::Kind::Write, static_cast<std::uint8_t>(bar), static_cast<std::uint8_t>(bytes), offset, value, 0, {}});
    arm();
}

void GuestPortModule::read(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, Answer answer)
{
    accessAt_ = std::max(accessAt_, now());
    events_.push(accessAt_, {Event::Kind::Read, static_cast<std::uint8_t>(bar), static_cast<std::uint8_t>(bytes),
                             offset, 0, 0, std::move(answer)});
    arm();
}

// --- the drive -------------------------------------------------------------------------------------------------------

void GuestPortModule::driveReady(Time at)
{
    function_->driveReady(at);
    arm();
}

void GuestPortModule::transfer(const host::TransferOrder& order, Time at)
{
    function_->transfer(order, at);
    arm();
}

void GuestPortModule::complete(std::uint16_t slot, host::CommandStatus status, Time at)
{
    function_->complete(slot, status, at);
    arm();
}

// --- simulated time --------------------------------------------------------------------------------------------------

void GuestPortModule::step()
{
    isStepping_ = true;
    while (events_.isDue(now()) || function_->nextTime() <= now()) {
        if (events_.isDue(now()))
            serve(events_.pop());
        function_->advance(now());
    }
    isStepping_ = false;
    arm();
}

void GuestPortModule::serve(Event event)
{
    switch (event.kind) {
    case Event::Kind::Write: function_->writeBar(event.bar, event.offset, event.bytes, event.value, now()); break;
    case Event::Kind::Read: {
        const Time answered = function_->readTime(event.bytes, now());
        event.kind = Event::Kind::Answer;
        events_.push(answered, std::move(event));
        break;
    }
    case Event::Kind::Answer: event.answer(function_->readBar(event.bar, event.offset, event.bytes)); break;
    case Event::Kind::Interrupt: interrupt_(event.address, static_cast<std::uint32_t>(event.value)); break;
    }
}

void GuestPortModule::arm()
{
    if (!isStepping_)
        wake_.at(std::min(function_->nextTime(), events_.nextTime()));
}

// --- the report ------------------------------------------------------------------------------------------------------

std::vector<host::PortFigures::Line> GuestPortModule::lines() const
{
    return function_->lines();
}

std::vector<Statistic> GuestPortModule::statistics() const
{
    std::vector<Statistic> all = function_->statistics();
    const std::vector<Statistic> own = statisticsOf(counters_);
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

void GuestPortModule::resetUsage()
{
    function_->resetUsage();
    counters_ = {};
}

} // namespace strobe::platform::guest
