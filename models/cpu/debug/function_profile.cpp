// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_profile.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <map>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;
// Limits of the host's memory, and of the text, if firmware recurses or traps without end.
constexpr std::size_t mostFrames = 4096;
constexpr std::uint32_t longestChain = 512; // deeper calls count beside the last one in it

bool isLink(unsigned reg) // registers that calls return through, by the calling convention
{
    return reg == 1 || reg == 5;
}

} // namespace

FunctionProfile::FunctionProfile(const CodePlaces& places)
    : places_(places), code_(places.image()), functions_(code_.size(), unknown), jumps_(code_.size(), Jump::Unknown),
      nodes_(1)
{
}

std::uint32_t FunctionProfile::functionAt(std::uint32_t pc)
{
    const std::size_t at = code_.indexOf(pc);
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

FunctionProfile::Jump FunctionProfile::jumpAt(const rv32::Core& core, std::uint32_t pc)
{
    const std::size_t at = code_.indexOf(pc);
    if (at < jumps_.size() && jumps_[at] != Jump::Unknown)
        return jumps_[at];
    std::uint32_t bits = 0;
    for (std::uint32_t half = 0; half < 2; ++half) { // the second may be in another page
        if (const std::uint8_t* memory = core.memory().find(pc + 2 * half, 2, false))
            bits |= (memory[0] | std::uint32_t{memory[1]} << 8U) << 16U * half;
    }
    const rv32::Instruction i = rv32::decode(bits);
    Jump jump = Jump::Plain;
    if (i.operation == rv32::Operation::Mret)
        jump = Jump::LeavesTrap;
    else if (i.operation == rv32::Operation::Jal || i.operation == rv32::Operation::Jalr) {
        if (isLink(i.rd))
            jump = i.bytes == 2 ? Jump::Call2 : Jump::Call4;
        else if (i.operation == rv32::Operation::Jalr && isLink(i.rs1))
            jump = Jump::Return;
    }
    if (at < jumps_.size())
        jumps_[at] = jump;
    return jump;
}

FunctionProfile::Node FunctionProfile::child(Node parent, std::uint32_t function)
{
    const auto [entry, isNew] =
        children_.emplace(std::uint64_t{parent} << 32U | function, static_cast<Node>(nodes_.size()));
    if (isNew)
        nodes_.push_back({function, parent, nodes_[parent].depth + 1, 0, 0});
    return entry->second;
}

void FunctionProfile::enter(std::uint32_t function, std::uint32_t returnsTo, bool isTrap)
{
    if (stack_.size() >= mostFrames)
        stack_.erase(stack_.begin(), stack_.begin() + mostFrames / 2);
    const Node caller = stack_.empty() ? 0 : stack_.back().node;
    const Node node = child(nodes_[caller].depth < longestChain ? caller : nodes_[caller].parent, function);
    nodes_[node].calls += counts_ ? 1 : 0;
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

// Execution is in this function.
void FunctionProfile::arrive(std::uint32_t function)
{
    if (stack_.empty()) {
        enter(function, unknown);
    } else if (nodes_[stack_.back().node].function != function) { // a jump in the place of call and return
        const Node node = child(nodes_[stack_.back().node].parent, function);
        nodes_[node].calls += counts_ ? 1 : 0;
        stack_.back().node = node;
    }
}

// The cycles until now, up to the instruction at `last`.
void FunctionProfile::spend(const rv32::Core& core, std::uint32_t last)
{
    const std::uint64_t cycles = core.executed() - spent_;
    spent_ += cycles;
    if (cycles == 0)
        return;
    arrive(functionAt(last));
    if (counts_) {
        nodes_[stack_.back().node].cycles += cycles;
        cycles_ += cycles;
    }
}

void FunctionProfile::jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to)
{
    const Jump jump = jumpAt(core, from);
    const std::uint32_t function = functionAt(to);
    if (jump == Jump::Plain && !stack_.empty() && nodes_[stack_.back().node].function == function)
        return; // most: its cycles are counted with those that follow
    spend(core, from);
    switch (jump) {
    case Jump::Call2: enter(function, from + 2); return;
    case Jump::Call4: enter(function, from + 4); return;
    case Jump::Return: leaveThrough([to](const Frame& f) { return !f.isTrap && f.returnsTo == to; }); break;
    case Jump::LeavesTrap: leaveThrough([](const Frame& f) { return f.isTrap; }); break;
    default: break;
    }
    arrive(function);
}

void FunctionProfile::moved(const rv32::Core& core, std::uint32_t from)
{
    spend(core, from);
}

void FunctionProfile::trapped(const rv32::Core& core)
{
    spend(core, core.csr(rv32::csr::mepc).value_or(0));
    enter(functionAt(core.pc()), 0, true);
}

void FunctionProfile::begin(const rv32::Core& core)
{
    stack_.clear();
    spent_ = core.executed();
}

void FunctionProfile::count(const rv32::Core& core, bool counts)
{
    spend(core, core.pc());
    counts_ = counts;
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
