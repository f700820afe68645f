// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"

namespace {

strobe::test::FakeHal* current = nullptr;

} // namespace

namespace strobe::test {

FakeHal::FakeHal() : memory(size / 4, 0xA5A5A5A5)
{
    current = this;
    arena_init(&arena, base, size);
}

std::uint32_t* FakeHal::words(std::uint32_t address)
{
    return &memory.at((address - base) / 4);
}

geometry geometryOf(std::uint32_t channels, std::uint32_t ways, std::uint32_t luns, std::uint32_t planes,
                    std::uint32_t blocksPerPlane, std::uint32_t pagesPerBlock, std::uint32_t pageBytes,
                    std::uint32_t unitBytes, std::uint32_t pagesPerProgram)
{
    boot_block boot{};
    boot.channels = channels;
    boot.ways = ways;
    boot.luns = luns;
    boot.planes = planes;
    boot.blocks_per_plane = blocksPerPlane;
    boot.pages_per_block = pagesPerBlock;
    boot.page_bytes = pageBytes;
    boot.mapping_unit = unitBytes == 0 ? pageBytes : unitBytes;
    boot.program_pages = pagesPerProgram;
    boot.row_planes = boot.superblock_dies = 1;
    return geometry_of(&boot);
}

void initBuffer(buffer& slots, FakeHal& hal, const geometry& g, std::uint32_t base, std::uint32_t units,
                std::uint32_t writePages)
{
    boot_block boot{};
    boot.buffer_base = base;
    boot.buffer_size = units * g.unit_bytes;
    boot.write_buffer_pages = writePages;
    buffer_init(&slots, &hal.arena, &boot, &g);
}

} // namespace strobe::test

extern "C" {

std::uint32_t reg_read(bus_address address)
{
    if (current->onRead)
        return current->onRead(address);
    const auto found = current->registers.find(address);
    return found == current->registers.end() ? 0 : found->second;
}

void reg_write(bus_address address, std::uint32_t value)
{
    if (current->onWrite)
        current->onWrite(address, value);
    else
        current->writes.emplace_back(address, value);
}

void* hal_memory(bus_address address, std::uint32_t)
{
    return current->words(address);
}

bool hal_can_store()
{
    return current->onStore != nullptr;
}
std::uint32_t hal_store(const hal_strip* strip)
{
    if (!current->onStore)
        throw strobe::test::Panic("hal_store() while time passes");
    return current->onStore(*strip);
}
bool hal_arrive()
{
    return current->onArrive && current->onArrive();
}
void hal_cost(hal_cost_point, std::uint32_t times)
{
    current->timeNs += current->costNs * times;
}
void hal_set_handler(hal_line, hal_handler) {}
bool hal_interrupts_disable()
{
    return false;
}
void hal_interrupts_restore(bool) {}
void hal_wait_for_interrupt()
{
    if (current->onWait)
        current->onWait();
}
std::uint32_t hal_core()
{
    return current->core;
}
std::uint64_t hal_time_ns()
{
    return current->timeNs;
}
void hal_log(const char* text)
{
    current->console.emplace_back(text);
}
void hal_panic(const char* text)
{
    throw strobe::test::Panic(text);
}
}
