// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_profile.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <map>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;
constexpr std::size_t deepest = 4096; // frames: limits the host's memory if firmware recurses without end

bool isLink(unsigned reg) // registers that calls return through, by the calling convention
{
    return reg == 1 || reg == 5;
}

} // namespace

FunctionProfile::FunctionProfile(const CodePlaces& places) : places_(places), nodes_(1)
{
    std::uint64_t end = 0;
    base_ = UINT32_MAX;
    for (const ElfImage::Segment& segment : places.image().segments()) {
        if (segment.executable) {
            base_ = std::min(base_, segment.address);
            end = std::max(end, segment.end());
        }
    }
    if (end > base_)
        functions_.assign((end - base_ + 1) / 2, unknown);
}

std::uint32_t FunctionProfile::functionAt(std::uint32_t pc)
{
    const std::size_t at = (pc - base_) / 2;
    if (at < functions_.size() && functions_[at] != unknown)
        return functions_[at];
    const ElfImage::Symbol* symbol = places_.image().functionAt(pc);
    const std::uint32_t address = symbol != nullptr ? symbol->address : pc;
    const auto [entry, isNew] = numbers_.emplace(address, static_cast<std::uint32_t>(names_.size()));
    if (isNew)
        names_.push_back(places_.functionAt(pc));
    if (at < functions_.size())
        functions_[at] = entry->second;
    return entry->second;
}

FunctionProfile::Node FunctionProfile::child(Node parent, std::uint32_t function)
{
    const auto [entry, isNew] =
        children_.emplace(std::uint64_t{parent} << 32U | function, static_cast<Node>(nodes_.size()));
    if (isNew)
        nodes_.push_back({function, parent, 0, 0});
    return entry->second;
}

void FunctionProfile::enter(std::uint32_t function, std::uint32_t returnsTo, bool isTrap)
{
    if (stack_.size() >= deepest)
        stack_.erase(stack_.begin(), stack_.begin() + deepest / 2);
    const Node node = child(stack_.empty() ? 0 : stack_.back().node, function);
    ++nodes_[node].calls;
    stack_.push_back({node, returnsTo, isTrap});
}

template <class Condition>
void FunctionProfile::leaveThrough(Condition isLast)
{
    for (std::size_t depth = stack_.size(); depth > 0; --depth) {
        if (isLast(stack_[depth - 1])) {
            stack_.resize(depth - 1);
            return;
        }
    }
}

// At the first instruction after a call, a return, or anything else.
void FunctionProfile::arrive(std::uint32_t pc)
{
    const std::uint32_t function = functionAt(pc);
    switch (next_) {
    case Next::Flows: break;
    case Next::Called: enter(function, returnsTo_); break;
    case Next::Trapped: enter(function, 0, true); break;
    case Next::Returned: leaveThrough([pc](const Frame& f) { return !f.isTrap && f.returnsTo == pc; }); break;
    case Next::LeftTrap: leaveThrough([](const Frame& f) { return f.isTrap; }); break;
    }
    next_ = Next::Flows;
    if (stack_.empty()) {
        enter(function, unknown);
    } else if (nodes_[stack_.back().node].function != function) { // a jump in the place of call and return
        const Node node = child(nodes_[stack_.back().node].parent, function);
        ++nodes_[node].calls;
        stack_.back().node = node;
    }
}

void FunctionProfile::retired(const rv32::Core& /*core*/, std::uint32_t pc, std::uint32_t bits, unsigned cycles)
{
    const std::size_t at = (pc - base_) / 2;
    if (next_ != Next::Flows || stack_.empty() || at >= functions_.size() ||
        functions_[at] != nodes_[stack_.back().node].function)
        arrive(pc);
    nodes_[stack_.back().node].cycles += cycles;
    cycles_ += cycles;

    // jal, jalr, c.jal, c.jr and c.jalr, mret: the few bits that exclude all others are tested first.
    const bool mayJump = (bits & 0x6F) == 0x6F || (bits & 0x7F) == 0x67 || (bits & 0xE003) == 0x2001 ||
                         (bits & 0xE003) == 0x8002 || bits == 0x30200073;
    if (!mayJump)
        return;
    const rv32::Instruction i = rv32::decode(bits);
    if (i.operation == rv32::Operation::Mret) {
        next_ = Next::LeftTrap;
    } else if (i.operation == rv32::Operation::Jal || i.operation == rv32::Operation::Jalr) {
        if (isLink(i.rd)) {
            next_ = Next::Called;
            returnsTo_ = pc + i.bytes;
        } else if (i.operation == rv32::Operation::Jalr && isLink(i.rs1)) {
            next_ = Next::Returned;
        }
    }
}

void FunctionProfile::trapped(const rv32::Core& core)
{
    if (next_ != Next::Flows) // the trap came before the first instruction after a call or a return
        arrive(core.csr(rv32::csr::mepc).value_or(0));
    next_ = Next::Trapped;
}

void FunctionProfile::reset()
{
    for (CallNode& node : nodes_)
        node.calls = node.cycles = 0;
    cycles_ = 0;
}

std::vector<FunctionProfile::Row> FunctionProfile::rows() const
{
    std::vector<std::uint64_t> totals(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 1;) {
        totals[i] += nodes_[i].cycles;
        totals[nodes_[i].parent] += totals[i];
    }
    std::vector<Row> rows(names_.size());
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
        Row& row = rows[nodes_[i].function];
        row.calls += nodes_[i].calls;
        row.own += nodes_[i].cycles;
        bool isInside = false; // of a call of itself
        for (Node above = nodes_[i].parent; above != 0 && !isInside; above = nodes_[above].parent)
            isInside = nodes_[above].function == nodes_[i].function;
        if (!isInside)
            row.total += totals[i];
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].function = names_[i];
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return row.total == 0; }), rows.end());
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.own != b.own ? a.own > b.own : a.function < b.function; });
    return rows;
}

std::string FunctionProfile::chain(Node node) const
{
    std::string text = names_[nodes_[node].function];
    for (Node above = nodes_[node].parent; above != 0; above = nodes_[above].parent)
        text.insert(0, names_[nodes_[above].function] + ";");
    return text;
}

std::string FunctionProfile::folded() const
{
    std::map<std::string, std::uint64_t> chains; // in an order that does not depend on what ran first
    for (Node node = 1; node < nodes_.size(); ++node) {
        if (nodes_[node].cycles != 0)
            chains[chain(node)] += nodes_[node].cycles;
    }
    std::string text;
    for (const auto& [chain, cycles] : chains)
        text += chain + " " + std::to_string(cycles) + "\n";
    return text;
}

} // namespace strobe::cpu
