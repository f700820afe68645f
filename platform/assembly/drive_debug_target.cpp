// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_debug_target.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/fault_report.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace strobe::platform {

namespace {

// Polling the socket costs about as much as a hundred instructions; a slice has a few hundred.
constexpr unsigned slicesPerPoll = 64;
// Handlers that trap themselves before another instruction is completed: the CPU ends such a run.
constexpr unsigned trapsReported = 8;

constexpr const char* furtherHelp =
    "time                simulated time of the CPU, and instructions executed since power-on\n"
    "host                commands at the drive, how long, and what they wait for\n"
    "page DIE BLOCK PAGE sectors and versions in a page, who wrote them and when\n"
    "sector N            versions that the host may read, and every place that the sector has been at\n"
    "reset               to the first instruction of the run\n"
    "snapshot [NAME]     names the present instant; lists the names\n"
    "restore NAME        returns to an instant, with the whole drive\n"
    "stop-on [LIST]      what halts the debugger: trap, panic, stall, misuse, mismatch, power-loss; all, none\n";

// GDB's numbers (include/gdb/signals.def).
int signalOf(cpu::StopEvent event)
{
    switch (event) {
    case cpu::StopEvent::Trap: return 11;      // SIGSEGV
    case cpu::StopEvent::Panic: return 6;      // SIGABRT
    case cpu::StopEvent::Stall: return 24;     // SIGXCPU
    case cpu::StopEvent::Misuse: return 12;    // SIGSYS
    case cpu::StopEvent::Mismatch: return 29;  // SIGLOST
    case cpu::StopEvent::PowerLoss: return 32; // SIGPWR
    }
    return 5;
}

int signalOf(rv32::Cause cause)
{
    switch (cause) {
    case rv32::Cause::IllegalInstruction: return 4; // SIGILL
    case rv32::Cause::Breakpoint: return 5;         // SIGTRAP
    case rv32::Cause::LoadMisaligned:
    case rv32::Cause::StoreMisaligned: return 10; // SIGBUS
    default: return signalOf(cpu::StopEvent::Trap);
    }
}

// "page 0 3 17" with that name: the numbers. Nothing: another command, or other arguments.
std::optional<std::vector<std::uint64_t>> numbersOf(std::string_view command, std::string_view name)
{
    if (command.substr(0, name.size()) != name || (command.size() > name.size() && command[name.size()] != ' '))
        return std::nullopt;
    command.remove_prefix(name.size());
    std::vector<std::uint64_t> numbers;
    while (!command.empty()) {
        if (command.front() == ' ') {
            command.remove_prefix(1);
            continue;
        }
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(command.data(), command.data() + command.size(), number);
        if (error != std::errc() || (end != command.data() + command.size() && *end != ' '))
            return std::vector<std::uint64_t>{}; // every command has at least one
        command.remove_prefix(static_cast<std::size_t>(end - command.data()));
        numbers.push_back(number);
    }
    return numbers;
}

} // namespace

void DriveDebugTarget::attach(SsdModule& ssd, std::vector<cpu::Rv32CpuModule*> cores)
{
    ssd_ = &ssd;
    cores_ = std::move(cores);
    drive_.emplace(ssd, [this](std::uint32_t address) { return peek(address); });
    data_.emplace(ssd, driver_, pages_);
}

void DriveDebugTarget::changed()
{
    if (history_ != nullptr)
        history_->forget();
}

std::optional<std::string> DriveDebugTarget::monitor(std::string_view command)
{
    constexpr std::string_view stopOn = "stop-on";
    if (command.substr(0, stopOn.size()) == stopOn) {
        const std::size_t list = command.find_first_not_of(' ', stopOn.size());
        return events_.choose(list == std::string_view::npos ? std::string_view() : command.substr(list));
    }
    if (command == "time")
        return time();
    if (command == "host")
        return data_->host();
    if (const auto numbers = numbersOf(command, "page"))
        return numbers->size() == 3 ? data_->page((*numbers)[0], (*numbers)[1], (*numbers)[2])
                                    : "write it as: monitor page DIE BLOCK PAGE\n";
    if (const auto numbers = numbersOf(command, "sector"))
        return numbers->size() == 1 ? data_->sector(numbers->front()) : "write it as: monitor sector N\n";
    const std::optional<std::string> answer = drive_->answer(command);
    return answer && command == "help" ? *answer + furtherHelp : answer;
}

std::string DriveDebugTarget::time() const
{
    Time latest = now();
    for (const cpu::Rv32CpuModule* core : cores_)
        latest = std::max(latest, core->localTime());
    const bool isAhead =
        std::any_of(cores_.begin(), cores_.end(), [](cpu::Rv32CpuModule* core) { return core->isAheadOfOthers(); });
    std::uint64_t instructions = 0;
    for (const cpu::Rv32CpuModule* core : cores_)
        instructions += core->core().retired();
    return fmt::format(
        "simulated time {}; {} instructions executed since power-on\n{}", toText(latest), grouped(instructions),
        isAhead ? fmt::format("the drive around the CPU is {} behind it, because interrupts are disabled\n",
                              toText(latest - now()))
                : "");
}

bool DriveDebugTarget::transfer(tlm::tlm_command command, std::uint32_t address, char* bytes, std::size_t count)
{
    if (count == 0)
        return true;
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(bytes)); // NOLINT: TLM's idea of bytes
    payload.set_data_length(static_cast<unsigned>(count));
    payload.set_streaming_width(static_cast<unsigned>(count));
    return cores_[0]->busSocket()->transport_dbg(payload) == count;
}

std::optional<std::uint32_t> DriveDebugTarget::peek(std::uint32_t address)
{
    std::uint32_t value = 0;
    std::string bytes(sizeof value, '\0');
    if (!readMemory(address, bytes))
        return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

bool DriveDebugTarget::readMemory(std::uint32_t address, std::string& bytes)
{
    return transfer(tlm::TLM_READ_COMMAND, address, bytes.data(), bytes.size());
}

bool DriveDebugTarget::writeMemory(std::uint32_t address, std::string_view bytes)
{
    std::string copy(bytes);
    return transfer(tlm::TLM_WRITE_COMMAND, address, copy.data(), copy.size());
}

// --- control of a core -----------------------------------------------------------------------------------------------

GdbExecutionControl::GdbExecutionControl(std::size_t hart, Parts parts)
    : hart_(hart), parts_(std::move(parts)), core_(parts_.target.core(hart))
{
    core_.holdTraps(true);
}

void GdbExecutionControl::serve(const cpu::Halt& halt)
{
    isStepping_ = false;
    parts_.server.halted(halt);
    if (parts_.server.isKilled() && parts_.killed)
        std::exchange(parts_.killed, nullptr)();
}

void GdbExecutionControl::halt(cpu::Halt::Reason why)
{
    toHalt({why, hart_, {}});
}

void GdbExecutionControl::toHalt(const cpu::Halt& halt)
{
    pending_ = halt;
    pendingSince_ = parts_.reverse.takeovers();
}

void GdbExecutionControl::happened(cpu::StopEvent event, const std::string& text)
{
    parts_.reverse.endsPart();
    if (!isReplaying() && parts_.target.events().has(event))
        serve({cpu::Halt::Reason::Event, hart_, text, signalOf(event)});
}

void GdbExecutionControl::misused(const std::string& text)
{
    if (isReplaying() || !parts_.target.events().has(cpu::StopEvent::Misuse))
        return;
    if (text == std::exchange(refused_, {}))
        return;
    const cpu::Halt halt{cpu::Halt::Reason::Event, hart_, text, signalOf(cpu::StopEvent::Misuse)};
    const std::uint64_t cycles = parts_.target.module(hart_).cyclesSince(now());
    if (cycles > 1 && parts_.target.harts() == 1 && parts_.server.isConnected())
        parts_.reverse.goBackTo(now(), cycles, halt);
    serve(halt);
}

void GdbExecutionControl::failed(const cpu::FirmwareFault& fault)
{
    if (dynamic_cast<const cpu::FirmwareEnded*>(&fault) == nullptr)
        happened(cpu::StopEvent::Panic, fault.what() + describeFault(parts_.ssd, hart_));
}

void GdbExecutionControl::stopped(rv32::Stop why)
{
    using Reason = cpu::Halt::Reason;
    if (isReplaying()) {
        parts_.reverse.stopped(hart_, why);
        return;
    }
    switch (why) {
    case rv32::Stop::Breakpoint: serve({Reason::Breakpoint, hart_, {}}); break;
    case rv32::Stop::Watchpoint: serve({Reason::Watchpoint, hart_, {}, 0, core_.watchHit()}); break;
    case rv32::Stop::Trap: serveTrap(); break;
    default:
        if (pending_)
            serve(*std::exchange(pending_, std::nullopt));
        break;
    }
}

void GdbExecutionControl::serveTrap()
{
    trapsThere_ = core_.retired() == retiredAtTrap_ ? trapsThere_ + 1 : 1;
    retiredAtTrap_ = core_.retired();
    const std::optional<rv32::Trap> trap = core_.heldTrap();
    if (trap && trapsThere_ <= trapsReported && parts_.target.events().has(cpu::StopEvent::Trap))
        serve({cpu::Halt::Reason::Event, hart_,
               toText(parts_.target.module(hart_).localTime()) + ": " + describeException(parts_.ssd, hart_, *trap),
               signalOf(trap->cause)});
}

std::optional<std::int64_t> GdbExecutionControl::allow(std::int64_t cycles)
{
    if (pending_ && pendingSince_ != parts_.reverse.takeovers()) // it was shown before this state was resumed
        pending_.reset();
    if (pending_)
        return std::nullopt;
    const std::optional<std::int64_t> allowed =
        parts_.reverse.allow(hart_, cycles, parts_.target.module(hart_).localTime());
    if (!allowed) {
        toHalt(parts_.reverse.arrival());
        refused_ = pending_->text;
        return std::nullopt;
    }
    if (parts_.reverse.isReplaying()) {
        isStepping_ = false;
        return allowed;
    }
    if (isStepping_ && core_.executed() != executedBeforeStep_) {
        isStepping_ = false;
        toHalt({cpu::Halt::Reason::Stepped, hart_, {}});
        return std::nullopt;
    }
    if (++slices_ % slicesPerPoll == 0) {
        if (const auto why = parts_.server.poll()) {
            toHalt({*why, hart_, {}});
            return std::nullopt;
        }
    }
    if (!parts_.server.isStepping(hart_))
        return cycles;
    if (!isStepping_)
        executedBeforeStep_ = core_.executed();
    isStepping_ = true;
    return 1;
}

} // namespace strobe::platform
