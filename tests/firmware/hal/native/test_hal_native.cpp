// SPDX-License-Identifier: Apache-2.0
//
// hal.h over the runner's table: which calls go where, and when interrupt handlers run.
#include "tests/firmware/support/firmware_headers.h"
#include "tests/firmware/support/mock_drive.h"
#include "tests/support/catch.h"

using namespace strobe::test;

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace {

std::uint32_t lines = 0;
std::vector<std::string> calls;

const strobe_native_hal table = [] {
    strobe_native_hal t{};
    t.abi = STROBE_NATIVE_ABI;
    t.read32 = [](void*, std::uint32_t address) {
        calls.push_back("read " + std::to_string(address));
        return address + 1;
    };
    t.write32 = [](void*, std::uint32_t address, std::uint32_t value) {
        calls.push_back("write " + std::to_string(address) + " " + std::to_string(value));
    };
    t.memory = [](void*, std::uint32_t, std::uint32_t) -> void* { return nullptr; };
    t.cost = [](void*, std::uint32_t point, std::uint32_t times) {
        calls.push_back("cost " + std::to_string(point) + " " + std::to_string(times));
    };
    t.pending = [](void*) { return lines; };
    t.wait = [](void*) {
        calls.emplace_back("wait");
        return lines;
    };
    t.time_ns = [](void*) { return std::uint64_t{123456789012}; };
    t.log = [](void*, const char* text) { calls.push_back(std::string("log ") + text); };
    t.panic = [](void*, const char* text) { throw FirmwarePanic(text); };
    return t;
}();

// The HAL with this table: firmware stops at once, since there is no boot block.
void install(const strobe_native_hal& with = table)
{
    lines = 0;
    try {
        strobe_firmware_entry(&with);
    } catch (const FirmwarePanic&) {
    }
    calls.clear();
}

using Calls = std::vector<std::string>;

} // namespace

TEST_CASE("HAL calls reach the runner's table")
{
    install();
    CHECK(reg_read(16) == 17);
    reg_write(20, 5);
    hal_cost(HAL_COST_map_update, 3);
    hal_log("hello");
    hal_wait_for_interrupt();
    CHECK(hal_time_ns() == 123456789012);
    CHECK(calls ==
          Calls{"read 16", "write 20 5", "cost " + std::to_string(HAL_COST_map_update) + " 3", "log hello", "wait"});
}

TEST_CASE("without a function for them, cost points take no time; handlers run all the same")
{
    static const strobe_native_hal timeless = [] {
        strobe_native_hal t = table;
        t.cost = nullptr;
        return t;
    }();
    install(timeless);
    hal_cost(HAL_COST_map_update, 3);
    CHECK(calls.empty());
    hal_set_handler(HAL_LINE_HOST, [] { calls.emplace_back("host"); });
    hal_interrupts_restore(true);
    lines = 1u << HAL_LINE_HOST;
    hal_cost(HAL_COST_map_update, 3);
    CHECK(calls == Calls{"host"});
}

TEST_CASE("an address outside memory is a panic that names it")
{
    install();
    CHECK_THROWS_WITH(hal_memory(4096, 64), "no memory at bus address 4096, bytes 64");
}

TEST_CASE("a handler runs at the end of a HAL call while its line is asserted and interrupts are enabled")
{
    install();
    hal_set_handler(HAL_LINE_FLASH, [] {
        calls.emplace_back("handler");
        reg_write(1, 1); // disabled meanwhile: the handler does not run again inside itself
    });
    lines = 1u << HAL_LINE_FLASH;
    reg_write(20, 5);
    CHECK(calls == Calls{"write 20 5"}); // disabled at the start
    calls.clear();
    hal_interrupts_restore(true);
    CHECK(calls == Calls{"handler", "write 1 1"});
    calls.clear();
    hal_wait_for_interrupt();
    CHECK(calls == Calls{"wait", "handler", "write 1 1"});
    calls.clear();
    CHECK(hal_interrupts_disable());
    CHECK_FALSE(hal_interrupts_disable());
    reg_read(8);
    CHECK(calls == Calls{"read 8"});
}

TEST_CASE("only the handlers of asserted lines run, and a line without one is ignored")
{
    install();
    hal_set_handler(HAL_LINE_HOST, [] { calls.emplace_back("host"); });
    hal_set_handler(HAL_LINE_TIMER, [] { calls.emplace_back("timer"); });
    lines = 1u << HAL_LINE_HOST | 1u << HAL_LINE_FLASH;
    hal_interrupts_restore(true);
    CHECK(calls == Calls{"host"});
}
