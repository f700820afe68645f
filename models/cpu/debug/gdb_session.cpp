// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/gdb_session.h"

#include "models/cpu/debug/gdb_description.h"
#include "models/cpu/debug/gdb_packets.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace strobe::cpu {

namespace {

constexpr const char* ok = "OK";
constexpr const char* noSuchPlace = "E0e"; // EFAULT: GDB says "Cannot access memory"
constexpr const char* notThatWay = "E16";  // EINVAL

bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

// The part before the separator; `text` becomes what follows it.
std::string_view split(std::string_view& text, char separator)
{
    const std::size_t at = text.find(separator);
    const std::string_view part = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return part;
}

std::string wordHex(std::uint32_t word) // target byte order
{
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(word >> shift);
    return toHex(bytes);
}

std::optional<std::uint32_t> wordOf(std::string_view digits)
{
    const auto bytes = fromHex(digits);
    if (!bytes || bytes->size() != 4)
        return std::nullopt;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>((*bytes)[i])) << (8 * i);
    return word;
}

std::string number(std::uint64_t value)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), digits[value & 15U]);
        value >>= 4U;
    } while (value != 0);
    return text;
}

struct Range {
    std::uint32_t first;
    std::uint32_t count;
};
std::optional<Range> rangeOf(std::string_view text) // "address,length"
{
    const auto first = hexNumber(split(text, ','));
    const auto count = hexNumber(text);
    if (!first || !count)
        return std::nullopt;
    return Range{*first, *count};
}

// What follows the word, without spaces around it. Nothing: another command.
std::optional<std::string> argumentOf(std::string_view command, std::string_view word)
{
    if (!startsWith(command, word))
        return std::nullopt;
    command.remove_prefix(word.size());
    if (!command.empty() && command.front() != ' ')
        return std::nullopt;
    const std::size_t first = command.find_first_not_of(' ');
    if (first == std::string_view::npos)
        return "";
    return std::string(command.substr(first, command.find_last_not_of(' ') + 1 - first));
}

} // namespace

GdbSession::GdbSession(DebugTarget& target) : target_(target) {}

void GdbSession::restart()
{
    forgetBreakpoints();
    acknowledges_ = true;
    selected_ = running_ = 0;
}

void GdbSession::halted(const Halt& halt)
{
    halt_ = halt;
    selected_ = running_ = halt.hart;
}

GdbSession::Answer GdbSession::handle(std::string_view packet)
{
    const auto say = [](std::string text) { return Answer{std::move(text), Resume::Stay}; };
    if (packet.empty())
        return say("");
    const std::string_view rest = packet.substr(1);
    switch (packet.front()) {
    case '?': return say(stopReply());
    case 'g': return say(allRegisters());
    case 'G': return say(setAllRegisters(rest));
    case 'p': return say(readRegister(rest));
    case 'P': return say(writeRegister(rest));
    case 'm': return say(readMemory(rest));
    case 'M': return say(writeMemory(rest, false));
    case 'X': return say(writeMemory(rest, true));
    case 'Z': return say(changePoint(rest, true));
    case 'z': return say(changePoint(rest, false));
    case 'c':
    case 's':
    case 'v': return handleResume(packet);
    case 'H':
    case 'T': {
        const std::string_view id = packet.front() == 'H' && !rest.empty() ? rest.substr(1) : rest;
        if (packet.front() == 'H' && (id == "0" || id == "-1")) // any
            return say(ok);
        const auto thread = hexNumber(id);
        if (!thread || *thread == 0 || *thread > target_.harts())
            return say(notThatWay);
        if (packet.front() == 'H')
            (rest.front() == 'g' ? selected_ : running_) = *thread - 1;
        return say(ok);
    }
    case 'D': return {ok, Resume::Detach};
    case 'k': return {std::nullopt, Resume::Kill};
    case 'b': // reverse execution: bs and bc
        if (packet == "bs" || packet == "bc")
            return {std::nullopt, packet == "bs" ? Resume::StepBack : Resume::RunBack};
        return say("");
    case 'q':
    case 'Q': return handleQuery(packet);
    default: return say("");
    }
}

GdbSession::Answer GdbSession::handleResume(std::string_view packet)
{
    if (packet == "vCont?")
        return {"vCont;c;C;s;S"};
    if (startsWith(packet, "vKill"))
        return {ok, Resume::Kill};
    if (packet.front() != 'v') // c or s; GDB never sends the optional address
        return {std::nullopt, packet.front() == 's' ? Resume::Step : Resume::Run};
    if (!startsWith(packet, "vCont;"))
        return {""};
    // The first action that steps a thread decides; the other harts run along with simulated time.
    std::string_view actions = packet.substr(6);
    while (!actions.empty()) {
        std::string_view action = split(actions, ';');
        const std::string_view what = split(action, ':');
        if (what.empty() || (what.front() != 's' && what.front() != 'S'))
            continue;
        const auto thread = hexNumber(action);
        if (thread && *thread >= 1 && *thread <= target_.harts())
            running_ = *thread - 1;
        return {std::nullopt, Resume::Step};
    }
    return {std::nullopt, Resume::Run};
}

GdbSession::Answer GdbSession::handleQuery(std::string_view packet)
{
    if (startsWith(packet, "qSupported"))
        return {"PacketSize=" + number(gdbPacketBytes) +
                ";QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;hwbreak+;swbreak+;vContSupported+" +
                (target_.remembers() ? ";ReverseStep+;ReverseContinue+" : "")};
    if (packet == "QStartNoAckMode") {
        acknowledges_ = false;
        return {ok};
    }
    if (packet == "qAttached")
        return {"1"}; // GDB detaches when it quits
    if (packet == "qC")
        return {"QC" + number(halt_.hart + 1)};
    if (packet == "qfThreadInfo") {
        std::string list = "m";
        for (std::size_t hart = 0; hart < target_.harts(); ++hart)
            list += (hart == 0 ? "" : ",") + number(hart + 1);
        return {list};
    }
    if (packet == "qsThreadInfo")
        return {"l"};
    if (startsWith(packet, "qXfer:")) {
        std::string_view range = packet;
        for (int parts = 0; parts < 4; ++parts)
            split(range, ':');
        return {transfer(packet, range)};
    }
    if (startsWith(packet, "qRcmd,")) {
        const auto command = fromHex(packet.substr(6));
        if (!command)
            return {notThatWay};
        if (target_.remembers()) {
            if (*command == "reset")
                return {std::nullopt, Resume::Reset};
            for (const auto& [word, resume] :
                 {std::pair{"snapshot", Resume::Snapshot}, std::pair{"restore", Resume::Restore}}) {
                if (const auto name = argumentOf(*command, word))
                    return {std::nullopt, resume, *name};
            }
        }
        const auto answer = target_.monitor(*command);
        return {toHex(answer ? *answer : "there is no command \"" + *command + "\"; monitor help lists them\n")};
    }
    return {""};
}

std::string GdbSession::transfer(std::string_view object, std::string_view range) const
{
    std::string whole;
    if (startsWith(object, "qXfer:features:read:target.xml:"))
        whole = gdbTargetXml(core());
    else if (startsWith(object, "qXfer:threads:read::"))
        whole = threads();
    else
        return "E00";
    const auto part = rangeOf(range);
    if (!part)
        return notThatWay;
    if (part->first >= whole.size())
        return "l";
    const std::string text = whole.substr(part->first, std::min<std::size_t>(part->count, gdbPacketBytes / 2));
    return (part->first + text.size() < whole.size() ? "m" : "l") + text;
}

std::string GdbSession::threads() const
{
    std::string xml = "<?xml version=\"1.0\"?><threads>";
    for (std::size_t hart = 0; hart < target_.harts(); ++hart)
        xml += "<thread id=\"" + number(hart + 1) + "\" name=\"" + target_.hartName(hart) + "\"/>";
    return xml + "</threads>";
}

std::string GdbSession::stopReply() const
{
    if (halt_.reason == Halt::Reason::Reset) // the answer to a monitor command
        return toHex("the drive is at the beginning of its run again; \"maintenance flush register-cache\" shows its "
                     "registers\n");
    std::string reply = "T05";
    if (halt_.reason == Halt::Reason::Interrupted)
        reply = "T02";
    else if (halt_.reason == Halt::Reason::Event)
        reply = "T" + toHex(std::string(1, static_cast<char>(halt_.signal)));
    reply += "thread:" + number(halt_.hart + 1) + ";";
    if (halt_.reason == Halt::Reason::Begin)
        reply += "replaylog:begin;";
    if (halt_.reason == Halt::Reason::Breakpoint)
        reply += "hwbreak:;";
    if (halt_.reason == Halt::Reason::Watchpoint) {
        const rv32::Watchpoint& point = halt_.watch.watchpoint;
        reply += point.onLoad && point.onStore ? "awatch:" : point.onLoad ? "rwatch:" : "watch:";
        reply += number(std::max(halt_.watch.address, point.address)) + ";";
    }
    return reply;
}

std::string GdbSession::output(std::string_view text)
{
    return "O" + toHex(text);
}

std::string GdbSession::exited(int code)
{
    return "W" + toHex(std::string(1, static_cast<char>(code)));
}

std::string GdbSession::allRegisters() const
{
    std::string text;
    for (std::uint32_t i = 0; i < gdbRegisters; ++i)
        text += wordHex(*gdbRegister(core(), i));
    return text;
}

std::string GdbSession::setAllRegisters(std::string_view digits)
{
    if (digits.size() != 8 * gdbRegisters)
        return notThatWay;
    for (std::uint32_t i = 0; i < gdbRegisters; ++i) {
        const auto value = wordOf(digits.substr(std::size_t{8} * i, 8));
        if (!value || !setGdbRegister(core(), i, *value))
            return notThatWay;
    }
    target_.changed();
    return ok;
}

std::string GdbSession::readRegister(std::string_view text) const
{
    const auto which = hexNumber(text);
    const auto value = which ? gdbRegister(core(), *which) : std::nullopt;
    return value ? wordHex(*value) : notThatWay;
}

std::string GdbSession::writeRegister(std::string_view assignment)
{
    const auto which = hexNumber(split(assignment, '='));
    const auto value = wordOf(assignment);
    if (!which || !value || !setGdbRegister(core(), *which, *value))
        return notThatWay;
    target_.changed();
    return ok;
}

std::string GdbSession::readMemory(std::string_view text)
{
    const auto range = rangeOf(text);
    if (!range)
        return notThatWay;
    std::string bytes(std::min<std::size_t>(range->count, gdbPacketBytes / 2), '\0');
    return target_.readMemory(range->first, bytes) ? toHex(bytes) : noSuchPlace;
}

std::string GdbSession::writeMemory(std::string_view write, bool isBinary)
{
    const auto range = rangeOf(split(write, ':'));
    if (!range)
        return notThatWay;
    const auto bytes = isBinary ? std::optional<std::string>(write) : fromHex(write);
    if (!bytes || bytes->size() != range->count)
        return notThatWay;
    if (!bytes->empty() && !target_.writeMemory(range->first, *bytes))
        return noSuchPlace;
    if (!bytes->empty()) { // it may be code
        target_.changed();
        for (std::size_t hart = 0; hart < target_.harts(); ++hart)
            target_.core(hart).invalidateCode(range->first, range->first + range->count - 1);
    }
    return ok;
}

// "type,address,kind": 0 and 1 breakpoints; 2 write, 3 read, 4 access watchpoints of `kind` bytes.
std::string GdbSession::changePoint(std::string_view packet, bool insert)
{
    const auto type = hexNumber(split(packet, ','));
    const auto range = rangeOf(packet);
    if (!type || !range)
        return notThatWay;
    if (*type > 4)
        return "";
    if (*type <= 1) {
        const bool changed = insert ? breakpoints_.insert(range->first).second : breakpoints_.erase(range->first) != 0;
        for (std::size_t hart = 0; changed && hart < target_.harts(); ++hart) {
            rv32::Core& core = target_.core(hart);
            insert ? core.addBreakpoint(range->first) : core.removeBreakpoint(range->first);
        }
        return ok;
    }
    if (range->count == 0)
        return notThatWay;
    const rv32::Watchpoint point{range->first, range->count, *type != 2, *type != 3};
    const auto known = std::find(watchpoints_.begin(), watchpoints_.end(), point);
    if (insert == (known != watchpoints_.end()))
        return ok;
    if (insert)
        watchpoints_.push_back(point);
    else
        watchpoints_.erase(known);
    for (std::size_t hart = 0; hart < target_.harts(); ++hart) {
        if (insert)
            target_.core(hart).addWatchpoint(point);
        else
            target_.core(hart).removeWatchpoint(point);
    }
    return ok;
}

void GdbSession::forgetBreakpoints()
{
    disarm();
    breakpoints_.clear();
    watchpoints_.clear();
}

void GdbSession::arm()
{
    for (std::size_t hart = 0; hart < target_.harts(); ++hart) {
        for (const std::uint32_t address : breakpoints_)
            target_.core(hart).addBreakpoint(address);
        for (const rv32::Watchpoint& point : watchpoints_)
            target_.core(hart).addWatchpoint(point);
    }
}

void GdbSession::disarm()
{
    for (std::size_t hart = 0; hart < target_.harts(); ++hart) {
        for (const std::uint32_t address : breakpoints_)
            target_.core(hart).removeBreakpoint(address);
        for (const rv32::Watchpoint& point : watchpoints_)
            target_.core(hart).removeWatchpoint(point);
    }
}

// Numbers: whether packets are acknowledged, how many breakpoints, these, and four for each watchpoint.
std::string GdbSession::saved() const
{
    std::string text = (acknowledges_ ? "1 " : "0 ") + std::to_string(breakpoints_.size());
    for (const std::uint32_t address : breakpoints_)
        text += " " + std::to_string(address);
    for (const rv32::Watchpoint& point : watchpoints_)
        text += " " + std::to_string(point.address) + " " + std::to_string(point.bytes) + (point.onLoad ? " 1" : " 0") +
                (point.onStore ? " 1" : " 0");
    return text;
}

void GdbSession::restore(std::string_view text)
{
    forgetBreakpoints();
    std::istringstream numbers{std::string(text)};
    std::size_t count = 0;
    numbers >> acknowledges_ >> count;
    for (std::uint32_t address = 0; count > 0 && numbers >> address; --count)
        breakpoints_.insert(address);
    for (rv32::Watchpoint point; numbers >> point.address >> point.bytes >> point.onLoad >> point.onStore;)
        watchpoints_.push_back(point);
    arm();
}

} // namespace strobe::cpu
