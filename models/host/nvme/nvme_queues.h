#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One submission queue and one completion queue as the controller sees them, and the arbiter that chooses the
// submission queue to serve next. Plain state without time; QueueManager owns the queues of a controller. Queue 0 is
// the admin pair.
//
// Arbitration among I/O queues that have commands to fetch (NVM Express 1.4, section 4.13):
//   round robin             at most one burst from each queue in turn
//   weighted round robin    urgent queues first; then the classes high, medium and low in turn, each with the number of
//                           commands per round that its weight gives; round robin within a class

#include "models/base/enum_table.h"
#include "models/base/ring_queue.h"
#include "models/host/nvme/nvme_format.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

enum class QueuePriority : std::uint8_t { Urgent, High, Medium, Low }; // as in command dword 11 of Create I/O SQ

enum class Arbitration : std::uint8_t { RoundRobin, Weighted };
inline constexpr std::array<EnumRow<Arbitration>, 2> arbitrationTable{
    {{Arbitration::RoundRobin, "round-robin", "all queues alike"},
     {Arbitration::Weighted, "weighted", "weighted round robin with an urgent class"}}};
constexpr const auto& enumTable(Arbitration)
{
    return arbitrationTable;
}

struct SubmissionQueue {
    bool exists = false;
    std::uint64_t base = 0;
    std::uint32_t entries = 0;
    std::uint16_t completionQueue = 0;
    QueuePriority priority = QueuePriority::Low;
    std::uint32_t head = 0;        // next entry to fetch
    std::uint32_t tail = 0;        // last value of the doorbell
    std::uint32_t reported = 0;    // head that completions report: entries before it have arrived
    std::uint32_t outstanding = 0; // fetched or being fetched, not completed

    std::uint32_t waiting() const { return (tail + entries - head) % entries; }
    std::uint32_t free() const { return (reported + entries - tail - 1) % entries; }
};

struct CompletionQueue {
    bool exists = false;
    std::uint64_t base = 0;
    std::uint32_t entries = 0;
    std::uint32_t vector = 0;
    bool interrupts = false;
    bool phase = true;
    std::uint32_t head = 0;            // last value of the doorbell
    std::uint32_t tail = 0;            // next entry to write
    std::uint32_t arrived = 0;         // tail in host memory: entries before it have arrived there
    RingQueue<CompletionEntry> held{}; // completions that found the queue full

    std::uint32_t occupied() const { return (tail + entries - head) % entries; }
    bool isFull() const { return occupied() == entries - 1; }
    bool hasUnread() const { return arrived != head; } // in host memory
};

class Arbiter {
public:
    void configure(Arbitration arbitration) { arbitration_ = arbitration; }
    // Feature Arbitration: burst 2^n commands, 7: no limit; weights count from zero.
    void setFeature(std::uint32_t value);
    std::uint32_t feature() const { return feature_; }

    struct Grant {
        std::uint16_t queue;
        std::uint32_t commands;
    };
    // At most `limit` commands of the queue to serve next. Nothing: no I/O queue has a command to fetch.
    std::optional<Grant> next(const std::vector<SubmissionQueue>& queues, std::uint32_t limit);

private:
    std::optional<std::uint16_t> nextOf(const std::vector<SubmissionQueue>& queues, std::size_t group);
    bool isInGroup(const SubmissionQueue& queue, std::size_t group) const;

    static constexpr std::size_t groups = 4; // by Priority; round robin: all queues are in the last
    Arbitration arbitration_ = Arbitration::RoundRobin;
    std::uint32_t feature_ = 0;
    std::uint32_t burst_ = 1;
    std::array<std::uint32_t, groups> weights_{0, 1, 1, 1};
    std::array<std::uint32_t, groups> credits_{}; // left in this round
    std::array<std::uint16_t, groups> last_{};    // served
};

} // namespace strobe::host::nvme
