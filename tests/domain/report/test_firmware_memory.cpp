// SPDX-License-Identifier: Apache-2.0
#include "platform/report/firmware_memory.h"
#include "tests/support/catch.h"

using strobe::platform::FirmwareMemory;

TEST_CASE("a stack that has overflowed, one without a known size, and no findings")
{
    FirmwareMemory memory;
    memory.stacks = {{"core 0", 1234, 8192}, {"task", 300, 256}, {"0x80001000", 48, 0}};
    CHECK(memory.text() == "\n"
                           "  stack       bytes in use at most             of\n"
                           "  core 0                     1,234          8,192\n"
                           "  task                         300  256: overflow\n"
                           "  0x80001000                    48        unknown\n"
                           "No read of memory that was never written.\n");
}

TEST_CASE("heap, and one line for each finding")
{
    FirmwareMemory memory;
    memory.heap = {70, 2, 170, 1024, 98304, 1};
    memory.badFrees = {"0x00008000, called by f"};
    memory.unwrittenReads = {"4 bytes"};
    memory.races = {"a", "b"};
    const std::string text = memory.text();
    CHECK(text.find(
              "Heap: at most 170 bytes allocated at a time, 1,024 given by sbrk() of 98,304; at the end 70 bytes in 2 "
              "blocks.\n"
              "Heap: requests refused: 1.\n"
              "Free of memory that is not allocated: 0x00008000, called by f\n"
              "Read of memory that was never written: 4 bytes\n"
              "Race between the cores: a\n"
              "Race between the cores: b\n") != std::string::npos);
    memory.races->clear();
    CHECK(memory.text().find("No race between the cores.\n") != std::string::npos);
}
