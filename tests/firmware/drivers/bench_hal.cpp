// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/drivers/bench_hal.h"

namespace {

strobe::controller::test::Bench* current = nullptr;

} // namespace

namespace strobe::test {

void useBench(controller::test::Bench& bench)
{
    current = &bench;
}

} // namespace strobe::test

extern "C" {

std::uint32_t reg_read(bus_address address)
{
    return current->read(address - FLASH_BASE);
}

void reg_write(bus_address address, std::uint32_t value)
{
    current->write(address - FLASH_BASE, value);
}

void* hal_memory(bus_address address, std::uint32_t bytes)
{
    void* memory = current->memory.bytes(strobe::BusAddress{address}, bytes);
    if (memory == nullptr)
        throw strobe::test::Panic("no memory there");
    return memory;
}

void hal_cost(hal_cost_point, std::uint32_t) {}
void hal_set_handler(hal_line, hal_handler) {}
bool hal_interrupts_disable()
{
    return false;
}
void hal_interrupts_restore(bool) {}
void hal_wait_for_interrupt() {}
std::uint32_t hal_core()
{
    return 0;
}
std::uint64_t hal_time_ns()
{
    return 0;
}
void hal_log(const char*) {}
void hal_panic(const char* text)
{
    throw strobe::test::Panic(text);
}
}
