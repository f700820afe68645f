// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/stacks.h"

#include "firmware/hal/cores.h"

#include <algorithm>
#include <cstdio>

namespace strobe::cpu {

Stacks::Stacks(const ElfImage& image) : image_(image), present_(HAL_CORES, none)
{
    declare("core 0", "__stack_limit", "__stack_top");
    declare("core 1", "__second_stack_limit", "__second_stack_top");
    declare("traps", "__trap_stack_limit", "__trap_stack_top");
}

void Stacks::declare(const std::string& name, std::string_view limit, std::string_view top)
{
    const ElfImage::Symbol* first = image_.find(limit);
    const ElfImage::Symbol* end = image_.find(top);
    if (first != nullptr && end != nullptr && first->address < end->address)
        ranges_.push_back({name, first->address, end->address, end->address, true});
}

void Stacks::powerOn()
{
    std::fill(present_.begin(), present_.end(), none);
}

bool Stacks::moved(std::size_t hart, std::uint32_t sp, Move move)
{
    std::size_t& present = present_[hart];
    const std::size_t before = present;
    if (move == Move::HalfSet) {
        present = none;
        return false;
    }
    if (move == Move::Set || before == none)
        present = rangeOf(sp);
    Range& range = ranges_[present];
    range.lowest = std::min(range.lowest, sp);
    if (!range.isDeclared)
        range.top = std::max(range.top, sp);
    return present == before;
}

std::size_t Stacks::rangeOf(std::uint32_t sp)
{
    const auto holder = std::find_if(ranges_.begin(), ranges_.end(), [sp](const Range& range) {
        return range.isDeclared ? range.limit < sp && sp <= range.top : range.lowest <= sp && sp <= range.top;
    });
    if (holder != ranges_.end())
        return static_cast<std::size_t>(holder - ranges_.begin());
    ranges_.push_back({"", 0, sp, sp, false});
    return ranges_.size() - 1;
}

bool Stacks::isDeclared(std::uint32_t address) const
{
    return std::any_of(ranges_.begin(), ranges_.end(), [address](const Range& range) {
        return range.isDeclared && range.limit <= address && address < range.top;
    });
}

bool Stacks::isDeclaredLimit(std::uint32_t address) const
{
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [address](const Range& range) { return range.isDeclared && range.limit == address; });
}

const ElfImage::Symbol* Stacks::objectAt(std::uint32_t address) const
{
    const std::vector<ElfImage::Symbol>& symbols = image_.symbols();
    const auto holder = std::find_if(symbols.begin(), symbols.end(), [address](const ElfImage::Symbol& symbol) {
        return !symbol.isFunction && symbol.address <= address && address - symbol.address < symbol.size;
    });
    return holder == symbols.end() ? nullptr : &*holder;
}

std::vector<Stacks::Stack> Stacks::used() const
{
    std::vector<Range> ranges;
    std::copy_if(ranges_.begin(), ranges_.end(), std::back_inserter(ranges),
                 [](const Range& range) { return range.lowest < range.top; });
    std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.isDeclared != b.isDeclared ? a.isDeclared : !a.isDeclared && a.top < b.top;
    });
    std::vector<Stack> stacks;
    const ElfImage::Symbol* lastObject = nullptr;
    std::uint32_t lastTop = 0;
    for (const Range& range : ranges) {
        Stack stack{range.name, range.limit, 0, range.top - range.lowest};
        if (!range.isDeclared) {
            const ElfImage::Symbol* object = objectAt(range.top - 1);
            char text[24];
            std::snprintf(text, sizeof text, "0x%08x", range.top);
            stack.name = object == nullptr ? text : object->name;
            if (object != nullptr && object == lastObject) {
                stack.limit = lastTop;
                std::snprintf(text, sizeof text, "+0x%x", lastTop - object->address);
                stack.name += text;
            } else if (object != nullptr) {
                stack.limit = object->address;
            }
            lastObject = object;
            lastTop = range.top;
        }
        if (range.isDeclared || lastObject != nullptr)
            stack.size = range.top - stack.limit;
        stacks.push_back(stack);
    }
    return stacks;
}

} // namespace strobe::cpu
