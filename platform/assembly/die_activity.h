#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The way of each NAND operation through its channel, observed at the grants of the bus: waiting for the die (by what
// the die does meanwhile), waiting for the bus, segments on the bus, array. Without a kernel: a channel's watcher calls
// granted() (stage_observation.h).
// The time from one segment of an operation to the next counts as array time up to the instant at which the next one
// could start, so it includes what the part needs before (tRR, polling of the status). While a program or erase is
// suspended it waits for its die.
// A plane-independent read waits for operations of its plane and of the whole die; these wait for all.

#include "models/base/ids.h"
#include "models/channel/nand_interface.h"
#include "platform/assembly/busy_history.h"

#include <cstddef>
#include <vector>

namespace strobe::platform {

// What is used of an operation.
struct ObservedOperation {
    ObservedOperation(Time arrived, Time began, DieId of, nand::Opcode code, nand::Purpose why, nand::Form how,
                      std::uint32_t inBlock)
        : submitted(arrived), requestStart(began), die(of), opcode(code), purpose(why), form(how), block(inBlock)
    {
    }
    ObservedOperation(const nand::Operation& op) // implicitly
        : submitted(op.submitted), requestStart(op.requestStart), die(op.die), opcode(op.opcode), purpose(op.purpose),
          form(op.form), block(op.target.block)
    {
    }
    Time submitted;
    Time requestStart;
    DieId die;
    nand::Opcode opcode;
    nand::Purpose purpose;
    nand::Form form;
    std::uint32_t block;
};

// Tells an operation from the others of its die.
struct WhichOperation {
    WhichOperation(DieId of, Time began) : die(of), requestStart(began) {}
    WhichOperation(const nand::Operation& op) : die(op.die), requestStart(op.requestStart) {}   // implicitly
    WhichOperation(const ObservedOperation& op) : die(op.die), requestStart(op.requestStart) {} // implicitly
    DieId die;
    Time requestStart;
};

class DieActivity {
public:
    // `planes`: of a die, if they read independently of each other, else 1.
    explicit DieActivity(std::size_t dies, std::uint32_t planes = 1);

    // A segment of the operation gets the bus at `start`; but for the bus it could have started at `possible`.
    void granted(const ObservedOperation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                 Time busTime);
    // The operation has left the channel: adds its way to the path, which ends where the operation was sent.
    void finished(const WhichOperation& op, Time at, JobPath& path);
    void stop() { isStopped_ = true; }       // no grant is noted any more: finished() is not called after it
    std::size_t inProgress(DieId die) const; // operations that have begun and not left the channel

private:
    static constexpr std::uint32_t wholeDie = UINT32_MAX;
    struct Active {
        bool isFree = true;
        Time start{}; // of its first segment: identifies the operation on its die
        StageId stage = 0;
        bool isSuspended = false;
        std::uint32_t plane = wholeDie;
        JobPath path; // from its arrival at the channel
    };
    struct Die {
        std::vector<Active> active;
        BusyHistory history;             // in which time of several planes counts once
        std::vector<BusyHistory> planes; // of each, with that of the whole die; empty: they are not independent
        std::uint32_t planesBusy = 0;
        Time planesSince{}; // not in the history yet
    };
    static Active* find(Die& die, Time start);
    static Active& take(Die& die);
    static void release(Die& die, Active& active, Time at);
    static void waitForDie(const Die& die, const Active& own, Time until, JobPath& path);

    IdVector<DieId, Die> dies_;
    bool isStopped_ = false;
};

} // namespace strobe::platform
