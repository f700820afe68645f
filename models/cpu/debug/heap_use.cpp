// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/heap_use.h"

#include <algorithm>
#include <string_view>

namespace strobe::cpu {

namespace {

constexpr unsigned linkRegister = 1;
constexpr unsigned spRegister = 2;
constexpr unsigned firstArgument = 10;
constexpr unsigned secondArgument = 11;
constexpr std::uint32_t sbrkFails = 0xFFFFFFFF;

} // namespace

HeapUse::HeapUse(const ElfImage& image)
{
    const ElfImage::Symbol* start = image.find("__heap_start");
    const ElfImage::Symbol* end = image.find("__heap_end");
    if (start == nullptr || end == nullptr || end->address <= start->address)
        return;
    start_ = start->address;
    use_.size = end->address - start->address;
    const auto add = [&](std::string_view name, Function function) {
        if (const ElfImage::Symbol* symbol = image.find(name))
            entries_.push_back({symbol->address, function});
    };
    add("malloc", Function::Malloc);
    add("calloc", Function::Calloc);
    add("realloc", Function::Realloc);
    add("memalign", Function::Memalign);
    add("aligned_alloc", Function::Memalign);
    add("free", Function::Free);
    add("sbrk", Function::Sbrk);
}

void HeapUse::powerOn()
{
    open_ = {};
    blocks_.clear();
    use_.bytes = 0;
    use_.blocks = 0;
}

void HeapUse::jumped(const rv32::Core& core, std::uint32_t /*from*/, std::uint32_t to)
{
    Open& open = open_[core.hart()];
    leave(open.sbrk, core, to);
    leave(open.allocator, core, to);
    for (const Entry& entry : entries_) {
        if (entry.address == to) {
            enter(entry.function == Function::Sbrk ? open.sbrk : open.allocator,
                  {entry.function, core.reg(firstArgument), core.reg(secondArgument), core.reg(linkRegister),
                   core.reg(spRegister)});
            return;
        }
    }
}

void HeapUse::enter(std::optional<Call>& open, const Call& call)
{
    if (!open)
        open = call;
}

void HeapUse::leave(std::optional<Call>& open, const rv32::Core& core, std::uint32_t to)
{
    if (!open || open->returnsTo != to || open->sp != core.reg(spRegister))
        return;
    const Call call = *open;
    open.reset();
    returned(call, core.reg(firstArgument));
}

void HeapUse::returned(const Call& call, std::uint32_t result)
{
    switch (call.function) {
    case Function::Malloc: take(result, call.first); break;
    case Function::Calloc: take(result, std::uint64_t{call.first} * call.second); break;
    case Function::Memalign: take(result, call.second); break;
    case Function::Realloc:
        if (result != 0 || call.second == 0)
            give(call.first, call.returnsTo);
        if (call.second != 0)
            take(result, call.second);
        break;
    case Function::Free: give(call.first, call.returnsTo); break;
    case Function::Sbrk:
        if (result != sbrkFails)
            use_.given = std::max<std::uint64_t>(use_.given, result + call.first - start_);
        break;
    }
}

void HeapUse::take(std::uint32_t address, std::uint64_t bytes)
{
    if (address == 0) {
        ++use_.refused;
        return;
    }
    blocks_[address] = bytes;
    use_.bytes += bytes;
    use_.blocks = blocks_.size();
    use_.mostBytes = std::max(use_.mostBytes, use_.bytes);
}

void HeapUse::give(std::uint32_t address, std::uint32_t caller)
{
    if (address == 0)
        return;
    const auto block = blocks_.find(address);
    if (block == blocks_.end()) {
        if (reported_.insert(caller).second)
            badFrees_.push_back({address, caller});
        return;
    }
    use_.bytes -= block->second;
    blocks_.erase(block);
    use_.blocks = blocks_.size();
}

} // namespace strobe::cpu
