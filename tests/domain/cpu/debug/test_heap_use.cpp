// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/heap_use.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;
constexpr std::uint32_t heapStart = base + 0x4000;

// Functions that return at once what the caller has put into a2; realloc calls malloc.
struct Heap {
    Guest guest;
    ElfImage image = make();
    HeapUse heap{image};
    std::uint32_t from = base;

    Heap() : guest({})
    {
        for (const std::uint32_t offset : {0x1000U, 0x1010U, 0x1020U, 0x1030U, 0x1050U})
            guest.put(base + offset, {addi(a0, a2, 0), jalr(zero, 0, ra)});
        guest.put(base + 0x1040, {addi(s0, ra, 0), jal(ra, -0x44), addi(ra, s0, 0), jalr(zero, 0, ra)});
        guest.core.observe(&heap);
    }
    static ElfImage make()
    {
        test::ElfBuilder elf;
        elf.segments.clear();
        elf.contents.clear();
        elf.add(base, 0x2000, PF_R | PF_X, std::vector<unsigned char>(0x100));
        elf.header.e_entry = base;
        elf.symbols = {{"vector_table", base, 0, STT_OBJECT},
                       {"__heap_start", heapStart, 0, STT_NOTYPE},
                       {"__heap_end", heapStart + 0x1000, 0, STT_NOTYPE},
                       {"malloc", base + 0x1000, 8, STT_FUNC},
                       {"free", base + 0x1010, 8, STT_FUNC},
                       {"calloc", base + 0x1020, 8, STT_FUNC},
                       {"sbrk", base + 0x1030, 8, STT_FUNC},
                       {"realloc", base + 0x1040, 16, STT_FUNC},
                       {"memalign", base + 0x1050, 8, STT_FUNC}};
        return ElfImage::parse(elf.file(), "heap.elf");
    }
    // A call with two arguments, answered with `result`.
    void call(std::uint32_t offset, std::uint32_t first, std::uint32_t second, std::uint32_t result)
    {
        guest.put(from, {jal(ra, static_cast<std::int32_t>(base + offset - from)), nop()});
        guest.core.setPc(from);
        guest.core.setReg(10, first);
        guest.core.setReg(11, second);
        guest.core.setReg(12, result);
        while (guest.core.pc() != from + 4)
            guest.core.run(1);
        from += 8;
    }
    void malloc(std::uint32_t bytes, std::uint32_t result) { call(0x1000, bytes, 0, result); }
    void free(std::uint32_t address) { call(0x1010, address, 0, 0); }
};

} // namespace

TEST_CASE("allocated bytes and blocks, at the end and at most")
{
    Heap h;
    h.malloc(100, heapStart);
    h.call(0x1020, 10, 5, heapStart + 0x100);  // calloc
    h.call(0x1050, 64, 20, heapStart + 0x200); // memalign
    h.free(heapStart);
    h.free(0);
    CHECK(h.heap.use().bytes == 70);
    CHECK(h.heap.use().blocks == 2);
    CHECK(h.heap.use().mostBytes == 170);
    CHECK(h.heap.use().size == 0x1000);
    h.heap.powerOn();
    CHECK(h.heap.use().bytes == 0);
    CHECK(h.heap.use().mostBytes == 170);
}

TEST_CASE("realloc is one call, whatever it calls")
{
    Heap h;
    h.malloc(100, heapStart);
    h.call(0x1040, heapStart, 300, heapStart + 0x100);
    CHECK(h.heap.use().bytes == 300);
    CHECK(h.heap.use().blocks == 1);
    h.call(0x1040, heapStart + 0x100, 500, 0); // no room: the old block stays
    CHECK(h.heap.use().bytes == 300);
    CHECK(h.heap.use().refused == 1);
}

TEST_CASE("a request that is refused, and what sbrk gave at most")
{
    Heap h;
    h.call(0x1030, 0x400, 0, heapStart);
    h.call(0x1030, 0x200, 0, heapStart + 0x400);
    h.call(0x1030, 0x10000, 0, 0xFFFFFFFF);
    h.malloc(0x10000, 0);
    CHECK(h.heap.use().given == 0x600);
    CHECK(h.heap.use().refused == 1);
    CHECK(h.heap.use().bytes == 0);
}

TEST_CASE("a free of what is not allocated has its caller")
{
    Heap h;
    h.malloc(8, heapStart);
    h.free(heapStart);
    h.free(heapStart);
    REQUIRE(h.heap.badFrees().size() == 1);
    CHECK(h.heap.badFrees()[0].address == heapStart);
    CHECK(h.heap.badFrees()[0].caller == base + 0x14);
}

TEST_CASE("calls of two harts at a time are both counted")
{
    Heap h;
    rv32::CoreConfig config;
    config.hart = 1;
    Guest other({}, config);
    other.put(base + 0x1000, {addi(a0, a2, 0), jalr(zero, 0, ra)});
    other.core.observe(&h.heap);
    std::uint32_t result = heapStart;
    for (Guest* guest : {&h.guest, &other}) {
        guest->put(base, {jal(ra, 0x1000), nop()});
        guest->core.setPc(base);
        guest->core.setReg(10, 16);
        guest->core.setReg(12, result);
        result += 0x20;
    }
    for (const int instructions : {1, 2}) {
        h.guest.core.run(instructions);
        other.core.run(instructions);
    }
    CHECK(h.heap.use().blocks == 2);
    CHECK(h.heap.use().bytes == 32);
}

TEST_CASE("an image without an allocator has no heap")
{
    const test::ElfBuilder elf;
    CHECK_FALSE(HeapUse(ElfImage::parse(elf.file(), "none.elf")).isThere());
}
