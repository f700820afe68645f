// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_queues.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::host::nvme;
using namespace std::chrono_literals;

namespace {

std::vector<SubmissionQueue> queuesWith(const std::vector<std::pair<QueuePriority, std::uint32_t>>& waiting)
{
    std::vector<SubmissionQueue> queues(1);
    for (const auto& [priority, commands] : waiting) {
        SubmissionQueue queue;
        queue.exists = true;
        queue.entries = 1024;
        queue.priority = priority;
        queue.tail = commands;
        queues.push_back(queue);
    }
    return queues;
}

// The queues in the order in which their commands are fetched, one digit per command.
std::string order(Arbiter& arbiter, std::vector<SubmissionQueue> queues, std::size_t commands,
                  std::uint32_t limit = 1000)
{
    std::string text;
    while (text.size() < commands) {
        const auto grant = arbiter.next(queues, limit);
        if (!grant)
            break;
        text.append(grant->commands, static_cast<char>('0' + grant->queue));
        queues[grant->queue].head += grant->commands;
    }
    return text;
}

} // namespace

TEST_CASE("round robin serves all queues alike, whatever their class")
{
    Arbiter arbiter;
    arbiter.setFeature(0);
    const auto queues = queuesWith({{QueuePriority::Low, 3}, {QueuePriority::Urgent, 5}, {QueuePriority::High, 2}});
    CHECK(order(arbiter, queues, 20) == "1231231222");
}

TEST_CASE("the arbitration burst lets a queue give several commands in its turn")
{
    Arbiter arbiter;
    arbiter.setFeature(1);
    CHECK(order(arbiter, queuesWith({{QueuePriority::Low, 5}, {QueuePriority::Low, 3}}), 20) == "11221121");
    arbiter.setFeature(7);
    CHECK(order(arbiter, queuesWith({{QueuePriority::Low, 5}, {QueuePriority::Low, 3}}), 20).size() == 8);
    CHECK(arbiter.feature() == 7);
    CHECK(arbiter.next(queuesWith({{QueuePriority::Low, 5}}), 3)->commands == 3); // room in the drive
}

TEST_CASE("weighted round robin shares by weight, and urgent queues go first")
{
    Arbiter arbiter;
    arbiter.configure(Arbitration::Weighted);
    arbiter.setFeature(3U << 24U | 1U << 16U | 0U << 8U); // high 4, medium 2, low 1; bursts of one
    const auto queues = queuesWith({{QueuePriority::Low, 100},
                                    {QueuePriority::Medium, 100},
                                    {QueuePriority::High, 100},
                                    {QueuePriority::Urgent, 3}});
    CHECK(order(arbiter, queues, 17) == "44433332213333221");
}

TEST_CASE("queues of one class take turns within their share")
{
    Arbiter arbiter;
    arbiter.configure(Arbitration::Weighted);
    arbiter.setFeature(1U << 24U);
    const auto queues = queuesWith({{QueuePriority::High, 9}, {QueuePriority::High, 9}, {QueuePriority::Low, 9}});
    CHECK(order(arbiter, queues, 6) == "123123");
}

TEST_CASE("an empty class leaves its share to the others")
{
    Arbiter arbiter;
    arbiter.configure(Arbitration::Weighted);
    arbiter.setFeature(9U << 24U);
    CHECK(order(arbiter, queuesWith({{QueuePriority::Low, 3}, {QueuePriority::Medium, 2}}), 10) == "21211");
    CHECK_FALSE(arbiter.next(queuesWith({{QueuePriority::Low, 0}}), 5));
    CHECK_FALSE(arbiter.next({}, 5));
}
