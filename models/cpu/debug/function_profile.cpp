// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_profile.h"

#include <algorithm>
#include <map>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t longestChain = 512; // deeper calls count beside the last one in it

} // namespace

FunctionProfile::Node FunctionProfile::child(Node parent, std::uint32_t function)
{
    if (const Node last = nodes_[parent].lastChild; last != 0 && nodes_[last].function == function)
        return last;
    const auto [entry, isNew] =
        children_.emplace(std::uint64_t{parent} << 32U | function, static_cast<Node>(nodes_.size()));
    if (isNew)
        nodes_.push_back({function, parent, nodes_[parent].depth + 1, 0, 0, 0});
    nodes_[parent].lastChild = entry->second;
    return entry->second;
}

void FunctionProfile::enter(std::uint32_t function, bool isCall)
{
    const Node caller = stack_.empty() ? 0 : stack_.back();
    const Node node = child(nodes_[caller].depth < longestChain ? caller : nodes_[caller].parent, function);
    nodes_[node].calls += counts_ && isCall ? 1 : 0;
    stack_.push_back(node);
}

void FunctionProfile::forgotten(std::size_t count)
{
    stack_.erase(stack_.begin(), stack_.begin() + static_cast<std::ptrdiff_t>(count));
}

void FunctionProfile::spent(std::uint64_t cycles)
{
    if (!counts_)
        return;
    nodes_[stack_.back()].cycles += cycles;
    cycles_ += cycles;
}

void FunctionProfile::count(const rv32::Core& core, bool counts)
{
    update(core);
    counts_ = counts;
}

std::vector<FunctionProfile::Row> FunctionProfile::allRows() const
{
    std::vector<std::uint64_t> totals(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 1;) {
        totals[i] += nodes_[i].cycles;
        totals[nodes_[i].parent] += totals[i];
    }
    std::vector<Row> rows(functions());
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
        rows[i].function = nameOf(static_cast<std::uint32_t>(i));
    return rows;
}

std::vector<FunctionProfile::Row> FunctionProfile::rows() const
{
    std::vector<Row> rows;
    const std::vector<Row> all = allRows();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].total != 0 && !isTask(i))
            rows.push_back(all[i]);
    }
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.own != b.own ? a.own > b.own : a.function < b.function; });
    return rows;
}

std::vector<FunctionProfile::Row> FunctionProfile::tasks() const
{
    std::vector<Row> rows;
    const std::vector<Row> all = allRows();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].total != 0 && isTask(i))
            rows.push_back(all[i]);
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.total != b.total ? a.total > b.total : a.function < b.function;
    });
    return rows;
}

std::string FunctionProfile::chain(Node node) const
{
    std::string text = nameOf(nodes_[node].function);
    for (Node above = nodes_[node].parent; above != 0; above = nodes_[above].parent)
        text.insert(0, nameOf(nodes_[above].function) + ";");
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
