// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/trace_codec.h"

#include "models/base/check.h"
#include "models/cpu/rv32/instruction.h"

namespace strobe::cpu {

namespace {

using What = TraceEntry::What;

constexpr unsigned coreShift = 2;
constexpr unsigned pcExpected = 0x10;
constexpr unsigned timeExpected = 0x20;
constexpr unsigned numberExpected = 0x40;
constexpr unsigned isKnown = 0x80;
constexpr unsigned countBits = 2;
constexpr unsigned shapeBits = 3;
constexpr unsigned hasValue = 0x80;

std::uint64_t withSign(std::int64_t difference) // small if it is near zero
{
    return static_cast<std::uint64_t>(difference) << 1U ^ static_cast<std::uint64_t>(difference >> 63);
}

std::int64_t signedOf(std::uint64_t number)
{
    return static_cast<std::int64_t>(number >> 1U ^ (~(number & 1U) + 1U));
}

std::uint64_t difference(std::uint32_t to, std::uint32_t from)
{
    return withSign(static_cast<std::int32_t>(to - from));
}

std::uint32_t takeDifference(ByteReader& in, std::uint32_t from)
{
    return from + static_cast<std::uint32_t>(signedOf(in.takeShort()));
}

std::uint32_t takeWord(ByteReader& in)
{
    const std::uint64_t value = in.takeShort();
    if (value > UINT32_MAX)
        throw DamagedBytes("a number in it is too large");
    return static_cast<std::uint32_t>(value);
}

unsigned shapeOf(const TraceAccess& access)
{
    const unsigned log = access.bytes == 4 ? 2 : access.bytes == 2 ? 1 : 0;
    return log << 1U | (access.isStore ? 1U : 0U);
}

unsigned shapesOf(const TraceEntry& entry)
{
    unsigned shapes = entry.accessCount;
    for (unsigned i = 0; i < entry.accessCount; ++i)
        shapes |= shapeOf(entry.accesses[i]) << (countBits + i * shapeBits);
    return shapes;
}

} // namespace

std::uint64_t TracePast::expectedNumber(What what) const
{
    return number + (isCompleted && what != What::Register ? 1 : 0);
}

void TracePast::follow(const TraceEntry& entry)
{
    step = entry.at - at;
    at = entry.at;
    const bool isOfInstruction = entry.what == What::Register && entry.pc == pc; // which came before
    isCompleted = entry.what == What::Instruction || (isOfInstruction && isCompleted);
    number = entry.number;
    pc = entry.pc;
    if (entry.what == What::Instruction)
        nextPc = entry.pc + (rv32::isCompressed(entry.bits) ? 2 : 4);
    else if (entry.what != What::Register)
        nextPc = entry.target;
    else if (!isOfInstruction)
        nextPc = entry.pc;
    for (unsigned i = 0; i < entry.accessCount; ++i)
        address = entry.accesses[i].address;
}

void TraceEncoder::add(const TraceEntry& entry, ByteWriter& out)
{
    check(entry.core < TraceEntry::mostCores, "a trace of firmware has too many cores");
    TracePast& past = past_[entry.core];
    const std::uint32_t pc = past.expectedPc(entry.what);
    const std::uint64_t number = past.expectedNumber(entry.what);
    const Time step = entry.at - past.at;
    unsigned head = static_cast<unsigned>(entry.what) | unsigned{entry.core} << coreShift;
    head |= entry.pc == pc ? pcExpected : 0;
    head |= step == past.step ? timeExpected : 0;
    head |= entry.number == number ? numberExpected : 0;
    if (entry.what == What::Instruction) {
        const auto [known, isNew] = past.bits.emplace(entry.pc, entry.bits);
        head |= !isNew && known->second == entry.bits ? isKnown : 0;
        known->second = entry.bits;
    } else if (entry.what == What::Register) {
        head |= names_.emplace(entry.accesses[0].address, entry.name).second ? 0 : isKnown;
    }
    out.put(static_cast<std::uint8_t>(head));
    if ((head & pcExpected) == 0)
        out.putShort(difference(entry.pc, pc));
    if ((head & timeExpected) == 0)
        out.putShort(withSign(step.count()));
    if ((head & numberExpected) == 0)
        out.putShort(withSign(static_cast<std::int64_t>(entry.number - past.number)));
    if (entry.what == What::Trap) {
        out.putShort(entry.cause);
        out.putShort(entry.value);
        out.putShort(entry.target);
    } else if (entry.what == What::Return) {
        out.putShort(entry.target);
    } else {
        if (entry.what == What::Instruction && (head & isKnown) == 0)
            out.putShort(entry.bits);
        const unsigned valued = entry.what == What::Register && entry.hasValue ? hasValue : 0;
        out.put(static_cast<std::uint8_t>(shapesOf(entry) | valued));
        std::uint32_t before = past.address;
        for (unsigned i = 0; i < entry.accessCount; ++i) {
            out.putShort(difference(entry.accesses[i].address, before));
            before = entry.accesses[i].address;
        }
        if (entry.what == What::Register) {
            if ((head & isKnown) == 0)
                out.put(std::string_view(entry.name));
            if (entry.hasValue)
                out.putShort(entry.value);
        } else if (const unsigned rd = rv32::decode(entry.bits).rd; rd != 0) {
            out.putShort(difference(entry.value, past.registers[rd]));
            past.registers[rd] = entry.value;
        }
    }
    past.follow(entry);
}

void TraceDecoder::takeAccesses(ByteReader& in, TraceEntry& entry, TracePast& past, unsigned shapes)
{
    entry.accessCount = static_cast<std::uint8_t>(shapes & ((1U << countBits) - 1));
    if (entry.accessCount > entry.accesses.size())
        throw DamagedBytes("an instruction in it has too many accesses");
    std::uint32_t before = past.address;
    for (unsigned i = 0; i < entry.accessCount; ++i) {
        const unsigned shape = shapes >> (countBits + i * shapeBits);
        before = takeDifference(in, before);
        entry.accesses[i] = {before, static_cast<std::uint8_t>(1U << (shape >> 1U & 3U)), (shape & 1U) != 0};
        if (entry.accesses[i].bytes > 4)
            throw DamagedBytes("an access in it is too wide");
    }
}

TraceEntry TraceDecoder::take(ByteReader& in)
{
    const unsigned head = in.take<std::uint8_t>();
    TraceEntry entry;
    entry.what = static_cast<What>(head & 3U);
    entry.core = static_cast<std::uint8_t>(head >> coreShift & 3U);
    TracePast& past = past_[entry.core];
    entry.pc = past.expectedPc(entry.what);
    if ((head & pcExpected) == 0)
        entry.pc = takeDifference(in, entry.pc);
    const std::uint64_t step = (head & timeExpected) == 0 ? static_cast<std::uint64_t>(signedOf(in.takeShort()))
                                                          : static_cast<std::uint64_t>(past.step.count());
    entry.at = Time{static_cast<std::int64_t>(static_cast<std::uint64_t>(past.at.count()) + step)};
    if (entry.at < Time{})
        throw DamagedBytes("a time in it is negative");
    entry.number = past.expectedNumber(entry.what);
    if ((head & numberExpected) == 0)
        entry.number = past.number + static_cast<std::uint64_t>(signedOf(in.takeShort()));
    if (entry.what == What::Trap) {
        entry.cause = takeWord(in);
        entry.value = takeWord(in);
        entry.hasValue = true;
        entry.target = takeWord(in);
    } else if (entry.what == What::Return) {
        entry.target = takeWord(in);
    } else {
        if (entry.what == What::Instruction) {
            if ((head & isKnown) == 0)
                past.bits[entry.pc] = takeWord(in);
            entry.bits = past.bits[entry.pc];
        }
        const unsigned shapes = in.take<std::uint8_t>();
        takeAccesses(in, entry, past, shapes);
        if (entry.what == What::Register) {
            if (entry.accessCount != 1)
                throw DamagedBytes("an access in it has no address");
            if ((head & isKnown) == 0)
                names_[entry.accesses[0].address] = in.takeText();
            entry.name = names_[entry.accesses[0].address];
            entry.hasValue = (shapes & hasValue) != 0;
            entry.value = entry.hasValue ? takeWord(in) : 0;
        } else if (const unsigned rd = rv32::decode(entry.bits).rd; rd != 0) {
            entry.hasValue = true;
            entry.value = takeDifference(in, past.registers[rd]);
            past.registers[rd] = entry.value;
        }
    }
    past.follow(entry);
    return entry;
}

} // namespace strobe::cpu
