#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The tree of flash jobs in which the parent of a job is its cause: the job whose result woke firmware up before
// firmware listed it. What a request waits for is a chain of such causes, under a deep queue of hundreds of jobs; many
// requests wait for the same ones. A chain is not walked job by job: each job refers to one much further back (a
// skew-binary list), so that searches take a number of steps that grows with the logarithm of the chain's length.
// Nodes are kept by id of the job, for as many jobs as FlashJobLog keeps. Searches end at a node that has been
// replaced.

#include "platform/assembly/flash_job_log.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

struct CauseNode {              // of 64 bytes: a cache line
    std::uint32_t id = 0;       // of the job
    std::uint32_t parent = 0;   // ids of nodes; 0: the chain begins with this job
    std::uint32_t jump = 0;     // further back, or the parent
    std::uint32_t sameDies = 0; // the nearest one before it that uses the same dies
    std::uint32_t longer = 0;   // the nearest one before it that took longer, or as long and ended on another die
    std::uint32_t depth = 0;    // jobs of the chain before it
    JobDies dies;
    std::uint32_t jumpDies = 0; // maskOf() of those from the parent to `jump`
    DieId die = noDie;
    Time listed{};
    Time visible{};
    Time wokeUp{}; // firmware, before it listed the job; with a parent only

    Time length() const { return visible - listed; }
};

class CauseTree {
public:
    CauseTree();

    // Of the job with that id; null: none.
    const CauseNode* at(std::uint32_t id) const
    {
        const CauseNode& node = nodes_[id & mask_];
        return node.id == id ? &node : nullptr;
    }
    bool isUsed(std::uint32_t place) const { return (nodes_[place].id & mask_) == place; } // by a node
    std::uint32_t capacity() const { return mask_ + 1; }                                   // jobs
    void grow();                                                                           // to twice as many
    // `parent`: null, or of the job's cause. References to nodes stay valid until the node is replaced, or grow().
    const CauseNode& add(const FlashJob& job, const CauseNode* parent);

    struct Edge {
        const CauseNode* first;  // the oldest one of the chain that was listed after `from`
        const CauseNode* before; // its parent; null: none that is kept
    };
    // Of the chain that ends with `last`, which was listed after `from`.
    Edge edge(const CauseNode& last, Time from) const;

    struct Nearest {
        const CauseNode* node; // null: none
        bool isCut;            // there may be one further back than nodes are kept
    };
    // The nearest one that uses these dies, from `node` (included) back to those deeper than `depth`.
    Nearest nearest(const CauseNode* node, const JobDies& dies, std::int64_t depth = -1) const;
    // The one that took longest, from `node` back to those deeper than `depth`: of equal ones of a die any, of others
    // the oldest one.
    const CauseNode& longest(const CauseNode& node, std::uint32_t depth) const;

private:
    static std::uint32_t maskOf(const JobDies& dies) { return std::uint32_t{1} << dies.superchip % 32U; }

    static std::vector<CauseNode> places(std::uint32_t count); // without a job: their ids are those of other places

    std::vector<CauseNode> nodes_; // ring by id of the job
    std::uint32_t mask_;
};

} // namespace strobe::platform
