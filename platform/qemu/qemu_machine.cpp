// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qemu_machine.h"

#include "models/cpu/firmware_fault.h"
#include "models/host/pcie/pci_config.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/simulation_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <poll.h>

namespace strobe::platform::qemu {

namespace {

using namespace std::chrono_literals;
using Config = host::PciConfigSpace;

constexpr Time slice = 50us;                  // simulated between looks at QEMU
constexpr serve::Pace::Wall look = 20ms;      // longest wait, between looks at the user
constexpr serve::Pace::Wall turn = 20ms;      // longest simulation between looks, of a drive that lags
constexpr Time longestBackground = 1s;        // simulated
constexpr Time resetTime = 1ms;               // simulated, for the write that resets
constexpr std::uint32_t wideBar = 0x4;        // in the register of a BAR
constexpr std::uint32_t interruptLine = 0x3C; // in configuration space
constexpr std::uint64_t allOnes = ~0ULL;

serve::Pace::Wall wallNow()
{
    return std::chrono::steady_clock::now().time_since_epoch();
}

std::uint64_t emptySlot(ProxyCommand command)
{
    switch (command) {
    case ProxyCommand::ReadConfig: return 0xFFFF'FFFF; // all 64 bits are an error for QEMU
    case ProxyCommand::ReadBar: return allOnes;
    default: return 0;
    }
}

} // namespace

QemuMachine::QemuMachine(guest::FileDescriptor proxy, guest::FileDescriptor qtest, guest::GuestDrive& drive,
                         guest::GuestMemory& memory, const ResetWrite& reset, std::optional<double> pace)
    : link_(std::move(proxy)), interrupts_(std::move(qtest)), drive_(drive), memory_(memory), reset_(reset),
      bars_(drive.port()), busyAt_(now())
{
    if (pace)
        pace_.emplace(*pace, now(), wallNow());
    drive_.port().onInterrupt([this](std::uint64_t address, std::uint32_t data) { interrupts_.send(address, data); });
}

std::string QemuMachine::run(const std::function<bool()>& stop)
{
    try {
        while (!isGone_) {
            if (stop())
                return "stopped by the user";
            wait(timeToWait());
            if (pace_)
                keepPace();
            serveMessages();
            if (!isGone_ && !interrupts_.serve()) {
                serveMessages(); // that came before
                isGone_ = true;
            }
            if (!pace_ && hasWork())
                simulate(slice);
            if (drive_.meter().outstanding() != 0 && !sc_core::sc_pending_activity())
                return "the drive has commands outstanding, and nothing to do that could end them";
        }
    } catch (const guest::ProtocolError& error) {
        link_.close();
        return error.what();
    }
    return {};
}

void QemuMachine::serveEmptySlot(const std::function<bool()>& stop)
{
    try {
        if (asked_)
            link_.answer(emptySlot(*asked_));
        asked_.reset();
        while (!isGone_ && !stop()) {
            wait(look);
            interrupts_.serve();
            pollfd source{link_.descriptor(), POLLIN, 0};
            if (::poll(&source, 1, 0) <= 0)
                continue;
            const auto received = link_.receive();
            isGone_ = !received;
            if (received && received->message.isAnswered())
                link_.answer(emptySlot(received->message.command));
        }
    } catch (const guest::ProtocolError&) { // the first problem is the one to show
        link_.close();
    }
}

// --- messages --------------------------------------------------------------------------------------------------------

void QemuMachine::wait(Wall longest)
{
    const timespec limit{0, static_cast<long>(longest.count())};
    std::array<pollfd, 2> sources{
        {{link_.descriptor(), POLLIN, 0},
         {interrupts_.descriptor(), static_cast<short>(interrupts_.hasWaiting() ? POLLIN | POLLOUT : POLLIN), 0}}};
    ::ppoll(sources.data(), sources.size(), &limit, nullptr);
}

void QemuMachine::serveMessages()
{
    for (pollfd source{link_.descriptor(), POLLIN, 0}; !isGone_ && ::poll(&source, 1, 0) > 0;) {
        const auto received = link_.receive();
        if (received)
            serve(*received);
        else
            isGone_ = true;
    }
}

void QemuMachine::serve(const ProxyLink::Received& received)
{
    const ProxyMessage& message = received.message;
    const auto offset = static_cast<std::uint32_t>(message.address);
    std::uint64_t value = 0;
    hasBegun_ = true;
    if (message.isAnswered())
        asked_ = message.command;
    switch (message.command) {
    case ProxyCommand::Memory: share(received); break;
    case ProxyCommand::ReadConfig: value = readConfig(offset, message.bytes); break;
    case ProxyCommand::WriteConfig:
        writeConfig(offset, message.bytes, static_cast<std::uint32_t>(message.value));
        break;
    case ProxyCommand::ReadBar: value = readBar(message.address, message.bytes); break;
    case ProxyCommand::WriteBar:
        if (const auto place = bars_.find(message.address, message.bytes))
            drive_.port().write(place->bar, place->offset, message.bytes, message.value);
        break;
    case ProxyCommand::Reset: reset(); break;
    case ProxyCommand::Answer:
    case ProxyCommand::Interrupts: break; // for INTx
    }
    busyAt_ = now();
    if (asked_)
        link_.answer(value);
    asked_.reset();
}

void QemuMachine::share(const ProxyLink::Received& received)
{
    memory_.clear();
    for (std::size_t i = 0; i < received.message.regions.size(); ++i) {
        const MemoryRegion& region = received.message.regions[i];
        if (!memory_.add(region.address, region.bytes, received.files.at(i), region.offset))
            link_.refuse(fmt::format("memory: region {}: {} bytes from offset {} cannot be mapped from its file", i,
                                     region.bytes, region.offset));
    }
}

// --- the function ----------------------------------------------------------------------------------------------------

bool QemuMachine::isUpperHalf(std::uint32_t offset) const
{
    return std::any_of(bars_.bars().begin(), bars_.bars().end(), [offset](const guest::BarMap::Bar& bar) {
        const std::uint32_t upper = Config::bar0 + guest::BarMap::registerBytes * (bar.number + 1);
        return bar.isWide && offset >= upper && offset < upper + guest::BarMap::registerBytes;
    });
}

std::uint32_t QemuMachine::readConfig(std::uint32_t offset, std::uint32_t bytes) const
{
    if (isUpperHalf(offset))
        return 0;
    const bool isWide = std::any_of(bars_.bars().begin(), bars_.bars().end(), [offset](const guest::BarMap::Bar& bar) {
        return bar.isWide && offset == Config::bar0 + guest::BarMap::registerBytes * bar.number;
    });
    const std::uint32_t value = drive_.port().readConfig(offset, bytes);
    return isWide ? value & ~wideBar : value;
}

void QemuMachine::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value)
{
    if (!isUpperHalf(offset))
        drive_.port().writeConfig(offset, bytes, value);
}

std::uint64_t QemuMachine::readBar(std::uint64_t address, std::uint32_t bytes)
{
    const auto place = bars_.find(address, bytes);
    if (!place)
        return allOnes;
    std::optional<std::uint64_t> answer;
    drive_.port().read(place->bar, place->offset, bytes, [this, &answer](std::uint64_t answered) {
        answer = answered;
        drive_.agenda().pause();
    });
    while (!answer)
        simulate(1ms);
    return *answer;
}

void QemuMachine::reset()
{
    guest::GuestPortModule& port = drive_.port();
    port.writeConfig(Config::command, 2, port.readConfig(Config::command, 2) | Config::memorySpace); // may be off
    port.write(reset_.bar, reset_.offset, sizeof reset_.value, reset_.value);
    simulate(resetTime);
    port.writeConfig(Config::command, 2, 0);
    for (const guest::BarMap::Bar& bar : bars_.bars())
        port.writeConfig(Config::bar0 + guest::BarMap::registerBytes * bar.number, guest::BarMap::registerBytes, 0);
    port.writeConfig(interruptLine, 1, 0);
    port.writeConfig(Config::msixControl, 2, 0); // a function with MSI has nothing there, and the other way round
    port.writeConfig(Config::msiControl, 2, 0);
}

// --- simulated time --------------------------------------------------------------------------------------------------

bool QemuMachine::hasWork() const
{
    return sc_core::sc_pending_activity() && (drive_.meter().outstanding() != 0 || now() - busyAt_ < longestBackground);
}

QemuMachine::Wall QemuMachine::timeToWait() const
{
    if (!pace_)
        return hasWork() ? Wall{} : look;
    if (!sc_core::sc_pending_activity())
        return look;
    const Time next = now() + fromSc(sc_core::sc_time_to_pending_activity());
    return std::min(look, pace_->until(next, wallNow()));
}

void QemuMachine::keepPace()
{
    const Wall begin = wallNow();
    const Time target = pace_->target(begin);
    while (now() < target && wallNow() < begin + turn)
        simulate(sc_core::sc_pending_activity() ? std::min(target - now(), slice) : target - now());
    pace_->came(now(), wallNow());
}

// Or until the agenda is paused.
void QemuMachine::simulate(Time length)
{
    if (simulateStep(drive_.ssd(), drive_.agenda(), length) == StepEnd::FirmwareEnded)
        throw cpu::FirmwareFault(fmt::format("firmware has ended at {}; the drive does not respond", toText(now())));
    if (drive_.meter().outstanding() != 0)
        busyAt_ = now();
}

} // namespace strobe::platform::qemu
