// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cause_tree.h"

namespace strobe::platform {

std::vector<CauseNode> CauseTree::places(std::uint32_t count)
{
    std::vector<CauseNode> nodes(count);
    for (std::uint32_t place = 0; place < count; ++place)
        nodes[place].id = place + 1;
    return nodes;
}

CauseTree::CauseTree() : nodes_(places(FlashJobLog::leastKept)), mask_(FlashJobLog::leastKept - 1) {}

void CauseTree::grow()
{
    const std::uint32_t mask = 2 * capacity() - 1;
    std::vector<CauseNode> larger = places(mask + 1);
    for (std::uint32_t place = 0; place < capacity(); ++place) {
        if (const CauseNode& node = nodes_[place]; (node.id & mask_) == place)
            larger[node.id & mask] = node;
    }
    nodes_.swap(larger);
    mask_ = mask;
}

const CauseNode& CauseTree::add(const FlashJob& job, const CauseNode* parent)
{
    CauseNode& node = nodes_[job.id & mask_]; // never its parent's: that one ended before it
    node.id = job.id;
    node.dies = job.dies;
    node.listed = job.listed;
    node.visible = job.visible;
    node.die = job.die;
    if (parent == nullptr) {
        node.parent = node.jump = node.sameDies = node.longer = node.depth = 0;
        return node;
    }
    node.parent = node.jump = parent->id;
    node.depth = parent->depth + 1;
    node.jumpDies = maskOf(parent->dies);
    node.wokeUp = job.wokeUp;
    if (const CauseNode* const once = at(parent->jump)) {
        const CauseNode* const twice = at(once->jump);
        if (twice != nullptr && parent->depth - once->depth == once->depth - twice->depth) {
            node.jump = twice->id;
            node.jumpDies |= parent->jumpDies | once->jumpDies;
        }
    }
    const CauseNode* const same = nearest(parent, job.dies).node;
    node.sameDies = same == nullptr ? 0 : same->id;
    const CauseNode* longer = parent;
    while (longer != nullptr &&
           (longer->length() < node.length() || (longer->length() == node.length() && longer->die == node.die)))
        longer = at(longer->longer);
    node.longer = longer == nullptr ? 0 : longer->id;
    return node;
}

CauseTree::Edge CauseTree::edge(const CauseNode& last, Time from) const
{
    const CauseNode* first = &last;
    while (true) {
        const CauseNode* next = at(first->jump);
        if (next == nullptr || next->listed <= from) {
            if (first->jump != first->parent)
                next = at(first->parent);
            if (next == nullptr || next->listed <= from)
                return {first, next};
        }
        first = next;
    }
}

CauseTree::Nearest CauseTree::nearest(const CauseNode* node, const JobDies& dies, std::int64_t depth) const
{
    const std::uint32_t mask = maskOf(dies);
    while (node != nullptr && node->depth > depth) {
        if (node->dies == dies)
            return {node, false};
        const CauseNode* const next = at((node->jumpDies & mask) != 0 ? node->parent : node->jump);
        if (next == nullptr)
            return {nullptr, node->parent != 0};
        node = next;
    }
    return {nullptr, false};
}

const CauseNode& CauseTree::longest(const CauseNode& node, std::uint32_t depth) const
{
    const CauseNode* longest = &node;
    while (true) {
        const CauseNode* const longer = at(longest->longer);
        if (longer == nullptr || longer->depth <= depth)
            return *longest;
        longest = longer;
    }
}

} // namespace strobe::platform
