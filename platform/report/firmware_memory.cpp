// SPDX-License-Identifier: Apache-2.0
#include "platform/report/firmware_memory.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

std::string lines(const char* finding, const std::vector<std::string>& places)
{
    std::string text;
    for (const std::string& place : places)
        text += fmt::format("{}: {}\n", finding, place);
    return text;
}

} // namespace

void FirmwareMemory::Stack::declare(Statistics& stats) const
{
    stats.derive("deepest", Unit::Bytes, "most bytes of the stack in use at a time; more than its size: overflow",
                 deepest);
    stats.derive("size", Unit::Bytes, "size of the stack; 0: unknown", size);
}

void FirmwareMemory::Heap::declare(Statistics& stats) const
{
    stats.derive("allocated", Unit::Bytes, "bytes that are allocated at the end", bytes);
    stats.derive("blocks", Unit::Count, "blocks that are allocated at the end", blocks);
    stats.derive("most_allocated", Unit::Bytes, "most bytes allocated at a time", mostBytes);
    stats.derive("given", Unit::Bytes, "most bytes that sbrk() has given to the allocator", given);
    stats.derive("size", Unit::Bytes, "size of the heap, from __heap_start to __heap_end", size);
    stats.derive("refused", Unit::Count, "requests that were answered with a null pointer", refused);
}

std::string FirmwareMemory::text() const
{
    std::string text = "\n";
    TextTable table({"stack", "bytes in use at most", "of"});
    for (const Stack& stack : stacks)
        table.row({stack.name, grouped(stack.deepest),
                   (stack.size == 0 ? "unknown" : grouped(stack.size)) + (stack.hasOverflowed() ? ": overflow" : "")});
    text += table.text();
    if (heap) {
        text += fmt::format("Heap: at most {} bytes allocated at a time, {} given by sbrk() of {}; at the end {} bytes "
                            "in {} blocks.\n",
                            grouped(heap->mostBytes), grouped(heap->given), grouped(heap->size), grouped(heap->bytes),
                            grouped(heap->blocks));
        if (heap->refused != 0)
            text += fmt::format("Heap: requests refused: {}.\n", grouped(heap->refused));
    }
    text += lines("Free of memory that is not allocated", badFrees);
    text += unwrittenReads.empty() ? "No read of memory that was never written.\n"
                                   : lines("Read of memory that was never written", unwrittenReads);
    if (races)
        text +=
            races->empty() && areAllRaces ? "No race between the cores.\n" : lines("Race between the cores", *races);
    if (!areAllRaces)
        text += "There were more races than the check keeps.\n";
    return text;
}

} // namespace strobe::platform
