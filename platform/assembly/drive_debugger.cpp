// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_debugger.h"

#include "models/tlm/agenda.h"
#include "platform/assembly/rv32_cores.h"

namespace strobe::platform {

// The port is opened by the copy of the process that runs.
DriveDebugger::DriveDebugger(const Settings& settings, DieArray& dies, host::HostDriver& driver)
    : settings_(settings), driver_(driver), target_(dies, driver), reverse_(target_),
      server_(std::make_unique<cpu::GdbServer>(target_, settings.port, settings.givenUp))
{
    reverse_.connect(*server_);
    target_.setHistory(&reverse_);
}

DriveDebugger::~DriveDebugger()
{
    detach();
    server_->ended(1); // no report was made: the run has failed
    server_->setHistory(nullptr);
}

void DriveDebugger::attach(SsdModule& ssd)
{
    ssd_ = &ssd;
    const std::vector<cpu::Rv32CpuModule*> cores = rv32CoresOf(ssd);
    target_.attach(ssd, cores);
    if (hasLostPower_)
        reverse_.powerOn();
    for (std::size_t hart = 0; hart < cores.size(); ++hart) {
        const auto killed = [] { Agenda::ofContext()->pause(); };
        cores_.push_back(
            std::unique_ptr<Attached>(new Attached{*cores[hart], {hart, {ssd, target_, *server_, reverse_, killed}}}));
        cores[hart]->attach(&cores_.back()->control);
    }
    server_->session().arm();
    GdbExecutionControl& first = cores_.front()->control;
    ssd.onMisuse([&first](const std::string& text) { first.misused(text); });
    driver_.onMismatch([&first](const host::Mismatch& mismatch) {
        first.happened(cpu::StopEvent::Mismatch, "data mismatch: " + mismatch.text());
    });
}

void DriveDebugger::detach()
{
    if (ssd_ == nullptr)
        return;
    for (const auto& core : cores_) {
        core->module.attach(nullptr);
        core->module.core().holdTraps(false);
    }
    server_->session().disarm();
    cores_.clear();
    ssd_->onMisuse({});
    driver_.onMismatch({});
    ssd_ = nullptr;
}

void DriveDebugger::waitForDebugger()
{
    if (!isAwaited_)
        return;
    isAwaited_ = false;
    if (settings_.onListening)
        settings_.onListening(server_->port());
    if (server_->waitForDebugger()) // memory can be read when the simulation has begun
        cores_.front()->control.halt(cpu::Halt::Reason::Attached);
}

// A core that is awake halts before its next instruction.
void DriveDebugger::betweenSlices()
{
    reverse_.endsPart();
    if (server_->isKilled() || isReplaying() || cores_.front()->control.isToHalt())
        return;
    const auto why = server_->poll();
    if (!why)
        return;
    if (cores_.front()->module.isAsleep())
        server_->halted({*why, 0, {}});
    else
        cores_.front()->control.halt(*why);
}

void DriveDebugger::stalled(const std::string& diagnosis)
{
    cores_.front()->control.happened(cpu::StopEvent::Stall, diagnosis);
}

void DriveDebugger::losesPower(const std::string& text)
{
    hasLostPower_ = true;
    if (reverse_.losesPower())
        reverse_.arrival(); // it is the event itself
    cores_.front()->control.happened(cpu::StopEvent::PowerLoss, text);
}

} // namespace strobe::platform
