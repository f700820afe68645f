// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cause_tree.h"
#include "tests/support/catch.h"

#include <map>
#include <random>
#include <vector>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

struct Random { // the same in each run
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine() % bound); }
    std::mt19937_64 engine;
};

// A tree of jobs beside a map of their parents, which is walked job by job.
struct Trees {
    CauseTree tree;
    std::map<std::uint32_t, FlashJob> jobs;
    std::map<std::uint32_t, std::uint32_t> parents;

    void add(std::uint32_t id, std::uint32_t parent, std::uint32_t dies, Time length)
    {
        FlashJob job;
        job.id = id;
        job.listed = id * 1us;
        job.visible = job.listed + length;
        job.wokeUp = job.listed;
        job.dies = {dies, true};
        job.die = DieId{static_cast<std::uint16_t>(dies)};
        jobs[id] = job;
        parents[id] = parent;
        tree.add(job, parent == 0 ? nullptr : tree.at(parent));
    }
    std::vector<FlashJob> chain(std::uint32_t id) const // from its last job
    {
        std::vector<FlashJob> found;
        for (; id != 0; id = parents.at(id))
            found.push_back(jobs.at(id));
        return found;
    }
};

Trees randomTrees(std::uint32_t count)
{
    Trees trees;
    Random random;
    for (std::uint32_t id = 1; id <= count; ++id) {
        const std::uint32_t back = 1 + random.below(3);
        const std::uint32_t parent = random.below(100) == 0 || back >= id ? 0 : id - back;
        trees.add(id, parent, random.below(40), 100ns + random.below(5) * 10ns);
    }
    return trees;
}

} // namespace

TEST_CASE("searches along a chain of causes find what a walk along it finds")
{
    Trees trees = randomTrees(600);
    Random random;
    for (int i = 0; i < 2000; ++i) {
        if (i == 1000)
            trees.tree.grow();
        const std::uint32_t id = 1 + random.below(600);
        const std::vector<FlashJob> chain = trees.chain(id);
        const CauseNode& last = *trees.tree.at(id);
        const Time from = random.below(id) * 1us;
        std::size_t included = 1;
        while (included < chain.size() && chain[included].listed > from)
            ++included;
        const CauseTree::Edge edge = trees.tree.edge(last, from);
        REQUIRE(edge.first->id == chain[included - 1].id);
        REQUIRE((edge.before == nullptr ? 0 : edge.before->id) == (included == chain.size() ? 0 : chain[included].id));
        if (edge.before == nullptr)
            continue;

        const JobDies dies{random.below(40), true};
        std::uint32_t same = 0; // the newest one of these dies
        FlashJob longest;
        for (std::size_t job = included; job-- != 0;) {
            if (chain[job].dies == dies)
                same = chain[job].id;
            if (job + 1 == included || chain[job].visible - chain[job].listed > longest.visible - longest.listed)
                longest = chain[job];
        }
        const CauseTree::Nearest nearest = trees.tree.nearest(&last, dies, edge.before->depth);
        REQUIRE((nearest.node == nullptr ? 0 : nearest.node->id) == same);
        REQUIRE(trees.tree.longest(last, edge.before->depth).die == longest.die);
    }
}

TEST_CASE("a search ends at a job that another one has replaced, and says so")
{
    Trees trees;
    trees.add(1, 0, 7, 1us);
    for (std::uint32_t id = 2; id <= FlashJobLog::leastKept + 1; ++id)
        trees.add(id, id - 1, 3, 1us);
    const CauseNode* const last = trees.tree.at(FlashJobLog::leastKept + 1);
    CHECK(trees.tree.at(1) == nullptr);
    CHECK(trees.tree.at(0) == nullptr);
    CHECK(trees.tree.edge(*last, Time{}).first->id == 2);
    CHECK(trees.tree.edge(*last, Time{}).before == nullptr);
    const CauseTree::Nearest lost = trees.tree.nearest(last, {7, true});
    CHECK(lost.node == nullptr);
    CHECK(lost.isCut);
    CHECK_FALSE(trees.tree.nearest(last, {7, true}, 100).isCut);
}

TEST_CASE("a tree that has grown keeps its jobs, and room for as many more")
{
    Trees trees;
    for (std::uint32_t id = 1; id <= 2 * FlashJobLog::leastKept; ++id) {
        if (id == FlashJobLog::leastKept)
            trees.tree.grow();
        trees.add(id, id - 1, 3, 1us);
    }
    CHECK(trees.tree.capacity() == 2 * FlashJobLog::leastKept);
    const CauseTree::Edge edge = trees.tree.edge(*trees.tree.at(2 * FlashJobLog::leastKept), 2us);
    CHECK(edge.first->id == 3);
    CHECK(edge.before->id == 2);
}
