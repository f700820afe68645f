#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the driver of a host does to a drive that works, because a scenario plans it: resets of the controller, aborts
// of commands. How a driver does that, and which commands it sends again, is the driver's (nvme_driver.h,
// ahci_driver.h). Pure.

#include "models/base/instants.h"
#include "models/base/statistics.h"
#include "models/base/time.h"
#include "models/host/command_port.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::host {

struct HostFaults {
    std::vector<Time> resets;              // simulated times, ascending
    std::optional<Time> meanResetInterval; // random resets in addition
    std::vector<Time> aborts;              // NVMe only, as the next
    std::optional<Time> meanAbortInterval;
    std::uint64_t seed = 1;
    std::uint64_t powerLosses = 0; // before; other draws after each

    bool isOn() const { return !resets.empty() || !aborts.empty() || meanResetInterval || meanAbortInterval; }
    Instants resetInstants() const { return instants(resets, meanResetInterval, "host resets "); }
    Instants abortInstants() const { return instants(aborts, meanAbortInterval, "host aborts "); }

private:
    Instants instants(const std::vector<Time>& listed, std::optional<Time> mean, const char* name) const
    {
        return {listed, mean.value_or(Time{}), Rng(seed, name + std::to_string(powerLosses))};
    }
};

struct HostFaultCounters {
    std::uint64_t resets = 0;
    std::uint64_t aborts = 0;
    std::uint64_t aborted = 0;
    std::uint64_t sentAgain = 0;
    Time longestReset{};

    void declare(Statistics& stats)
    {
        stats.add("resets", Unit::Count, "resets of the controller by the host's driver", resets);
        stats.add("aborts", Unit::Count, "abort commands of the driver", aborts);
        stats.add("commands_aborted", Unit::Count, "commands that an abort ended", aborted);
        stats.add("commands_sent_again", Unit::Count, "commands that the driver sent again after a reset or an abort",
                  sentAgain);
        stats.add("longest_reset", Unit::Duration, "longest time from a reset to the first command after it",
                  longestReset, Merge::Maximum);
    }
};

// The commands that a driver has been given and that are not complete, in the order in which it got them.
class SentCommands {
public:
    // `isSent`: to the drive; else it waits until a reset is over.
    void add(const Command& command, bool isSent) { entries_.push_back({command, isSent, 0}); }
    void remove(std::uint16_t slot)
    {
        const auto found = find(slot);
        if (found != entries_.end())
            entries_.erase(found);
    }
    const Command& at(std::uint16_t slot) { return find(slot)->command; } // REQUIRES: it is there
    std::size_t count() const { return entries_.size(); }
    // A reset now would be one too many: some command has had so many that it might never end. Commands that come after
    // it end sooner, so the end of any command is not enough.
    bool isStarving() const
    {
        return std::any_of(entries_.begin(), entries_.end(),
                           [](const Entry& entry) { return entry.resets >= mostResets; });
    }
    void noteReset()
    {
        for (Entry& entry : entries_)
            entry.resets += entry.isSent ? 1 : 0;
    }
    const Command& operator[](std::size_t number) const { return entries_[number].command; }
    // All are sent, from now on. Returns how many of them were sent before.
    std::uint64_t sendAll()
    {
        std::uint64_t before = 0;
        for (Entry& entry : entries_) {
            before += entry.isSent ? 1 : 0;
            entry.isSent = true;
        }
        return before;
    }

private:
    struct Entry {
        Command command;
        bool isSent;
        std::uint32_t resets; // since it was sent for the first time
    };
    std::vector<Entry>::iterator find(std::uint16_t slot)
    {
        return std::find_if(entries_.begin(), entries_.end(),
                            [slot](const Entry& entry) { return entry.command.slot == slot; });
    }

    static constexpr std::uint32_t mostResets = 3;

    std::vector<Entry> entries_;
};

} // namespace strobe::host
