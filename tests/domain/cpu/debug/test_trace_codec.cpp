// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/trace_codec.h"

#include "models/cpu/debug/trace_text.h"
#include "tests/support/catch.h"

#include <random>

using namespace strobe;
using namespace strobe::cpu;

namespace {

using What = TraceEntry::What;

TraceEntry instruction(std::uint64_t number, std::uint32_t pc, std::uint32_t bits)
{
    TraceEntry entry;
    entry.at = Time{static_cast<std::int64_t>(number) * 5000};
    entry.number = number;
    entry.pc = pc;
    entry.bits = bits;
    return entry;
}

// A loop of 16 instructions on two cores with everything that an entry can be, in an order without reason.
std::vector<TraceEntry> anything(std::size_t count)
{
    std::mt19937 random(7); // NOLINT(cert-msc51-cpp): the same each time
    std::vector<TraceEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const bool isShort = random() % 3 == 0;
        TraceEntry entry =
            instruction(i / 2, 0x1000 + 4 * (static_cast<std::uint32_t>(i) % 16), isShort ? 0x460D : 0x10050513);
        entry.core = random() % 2;
        if (random() % 4 == 0)
            entry.pc = static_cast<std::uint32_t>(random()) & ~1U;
        entry.hasValue = true;
        entry.value = static_cast<std::uint32_t>(random());
        switch (random() % 6) {
        case 0:
            entry.what = What::Register;
            entry.bits = 0;
            entry.accessCount = 1;
            entry.accesses[0] = {0x40000000 + 4 * (static_cast<std::uint32_t>(random()) % 4), 4, random() % 2 == 0};
            entry.name = "R" + std::to_string(entry.accesses[0].address);
            entry.hasValue = random() % 2 == 0;
            entry.value = entry.hasValue ? entry.value : 0;
            break;
        case 1:
            entry.what = What::Trap;
            entry.bits = 0;
            entry.cause = 0x8000000B;
            entry.target = 0x100;
            break;
        case 2:
            entry.what = What::Return;
            entry.bits = 0;
            entry.hasValue = false;
            entry.value = 0;
            entry.target = 0xFFFFFFFE;
            break;
        case 3:
            entry.accessCount = 2;
            entry.accesses = {{{0x80000000, 4, false}, {static_cast<std::uint32_t>(random()), 1, true}}};
            break;
        default: break;
        }
        entries.push_back(entry);
    }
    return entries;
}

bool areEqual(const TraceEntry& a, const TraceEntry& b)
{
    for (unsigned i = 0; i < a.accesses.size(); ++i) {
        const TraceAccess& x = a.accesses[i];
        const TraceAccess& y = b.accesses[i];
        if (x.address != y.address || x.bytes != y.bytes || x.isStore != y.isStore)
            return false;
    }
    return a.what == b.what && a.core == b.core && a.at == b.at && a.number == b.number && a.pc == b.pc &&
           a.bits == b.bits && a.value == b.value && a.hasValue == b.hasValue && a.accessCount == b.accessCount &&
           a.cause == b.cause && a.target == b.target && a.name == b.name;
}

std::string bytesOf(const std::vector<TraceEntry>& entries)
{
    TraceEncoder encoder;
    ByteWriter out;
    for (const TraceEntry& entry : entries)
        encoder.add(entry, out);
    return out.bytes();
}

} // namespace

TEST_CASE("entries of any kind come back as they were")
{
    const std::vector<TraceEntry> entries = anything(4000);
    const std::string bytes = bytesOf(entries);
    ByteReader in(bytes);
    TraceDecoder decoder;
    for (const TraceEntry& entry : entries)
        REQUIRE(areEqual(decoder.take(in), entry));
    CHECK(in.isAtEnd());
}

TEST_CASE("an instruction that follows the one before it, in a loop that was recorded, takes two bytes")
{
    constexpr std::uint32_t store = 0x10A5A023; // without a destination
    TraceEncoder encoder;
    ByteWriter out;
    std::size_t before = 0;
    for (std::uint64_t i = 0; i < 12; ++i) {
        before = out.bytes().size();
        encoder.add(instruction(i, 0x2000 + 4 * static_cast<std::uint32_t>(i % 8), store), out);
    }
    CHECK(out.bytes().size() - before == 2);
}

TEST_CASE("bytes that are cut off or are no entry are refused")
{
    const std::string bytes = bytesOf({instruction(1, 0x1234, 0x10050513)});
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        ByteReader in(std::string_view(bytes).substr(0, length));
        TraceDecoder decoder;
        CHECK_THROWS_AS(decoder.take(in), DamagedBytes);
    }
    for (const std::string& wrong : {std::string("\x70\x03\x03", 3),    // three accesses
                                     std::string("\x71\x00", 2),        // a register without an access
                                     std::string("\xF0\x19\x00", 3),    // an access of eight bytes
                                     std::string("\x53\x01\x00", 3)}) { // before time 0
        ByteReader in(wrong);
        TraceDecoder decoder;
        CHECK_THROWS_AS(decoder.take(in), DamagedBytes);
    }
}
