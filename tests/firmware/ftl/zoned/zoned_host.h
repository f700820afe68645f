#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host of a drive with zones. It has at most one command at a time in each zone, so it knows what every sector must
// hold: the version of the last write since the last reset of its zone, else zeros. Commands come from a script, one
// after the other, or are drawn at random for all zones at the same time; then all of them must succeed. After a power
// loss, write pointers and states tell which of the lost commands have taken effect, and it goes on.

#include "models/base/content.h"
#include "tests/firmware/ftl/zoned/zoned_bench.h"

#include <stdexcept>
#include <utility>

namespace strobe::test {

class ZonedHost final : public MockHost {
public:
    enum Kind : std::uint32_t { Append = 5, Open, Close, Finish, Reset };

    explicit ZonedHost(const MockOptions& options, std::uint32_t zoneSize = zoneSectors)
        : size_(zoneSize), active_(options.boot.activeZones), slots_(options.boot.hostSlots), rng_(options.seed, "host")
    {
    }
    void script(std::vector<HostCommand> commands, std::uint32_t depth = 1) // so many commands at a time
    {
        script_ = std::move(commands);
        depth_ = depth;
    }
    void random(std::uint32_t commands) { random_ = commands; }

    std::uint64_t capacity() const { return capacity_; }
    const std::vector<HostStatus>& statuses() const { return statuses_; }
    const std::vector<std::uint32_t>& places() const { return places_; } // of appends
    std::uint64_t failures() const { return failures_; }
    std::uint32_t completedOf(std::uint32_t kind) const { return completedOf_[kind]; }

    void driveReady(std::uint64_t capacity) override
    {
        capacity_ = capacity;
        versions_.resize(capacity);
        zones_.resize(capacity / size_);
        if (wasLost_)
            settle();
    }
    bool issue(std::uint32_t slot, HostCommand& command) override
    {
        if (!script_.empty() ? outstanding_ >= depth_ || next_ == script_.size() : !draw(command))
            return false;
        if (!script_.empty())
            command = script_[next_++];
        ++outstanding_;
        Slot& s = slots_[slot];
        s = {command, ++version_, false, true};
        if (command.lba < capacity_)
            zones_[command.lba / size_].isBusy = true;
        return true;
    }
    void placed(std::uint32_t slot, std::uint32_t sector) override
    {
        slots_.at(slot).command.lba += sector;
        slots_[slot].isPlaced = true;
        places_.push_back(sector);
    }
    SectorTag written(std::uint32_t slot, std::uint32_t sector) override
    {
        const Slot& s = slots_.at(slot);
        if (s.command.kind == Append && !s.isPlaced)
            throw std::runtime_error("data of an append is fetched before it has a place");
        return makeTag(static_cast<std::uint32_t>(s.command.lba + sector), s.version);
    }
    void read(std::uint32_t slot, std::uint32_t sector, SectorTag tag) override
    {
        const std::uint64_t lba = slots_.at(slot).command.lba + sector;
        const std::uint32_t version = versions_.at(lba);
        if (version == unknown)
            return;
        if (tag != (version == 0 ? 0 : makeTag(static_cast<std::uint32_t>(lba), version)))
            throw std::runtime_error("sector " + std::to_string(lba) + " holds something else than version " +
                                     std::to_string(version));
    }
    void completed(std::uint32_t slot, HostStatus status) override
    {
        Slot& s = slots_.at(slot);
        s.isUsed = false;
        --outstanding_;
        ++completedOf_[s.command.kind];
        failures_ += status == HostStatus::Ok ? 0 : 1;
        if (!script_.empty())
            statuses_.push_back(status);
        if (s.command.lba >= capacity_)
            return;
        Zone& zone = zones_[s.command.lba / size_];
        zone.isBusy = false;
        zone.isActive &= status != HostStatus::ZoneReadOnly && status != HostStatus::DeviceFault;
        const bool isWrite = s.command.kind == HostCommand::Write || (s.command.kind == Append && s.isPlaced);
        if (status == HostStatus::Ok)
            apply(s, zone);
        else if (status == HostStatus::ZoneReadOnly && isWrite) // a beginning of it may be there
            std::fill_n(versions_.begin() + static_cast<std::ptrdiff_t>(s.command.lba), s.command.sectors, unknown);
    }
    void returnsAfterLosses(MockDrive& drive) { drive_ = &drive; } // for scripts and random commands
    void powerLost() override
    {
        wasLost_ = true;
        outstanding_ = 0;
    }
    bool finished() const override
    {
        return outstanding_ == 0 && (script_.empty() ? issued_ == random_ : next_ == script_.size());
    }

private:
    struct Slot {
        HostCommand command;
        std::uint32_t version = 0;
        bool isPlaced = false;
        bool isUsed = false;
    };
    struct Zone {
        std::uint32_t pointer = 0;
        bool isBusy = false;
        bool isActive = false; // or about to be
    };

    void apply(const Slot& s, Zone& zone)
    {
        const HostCommand& c = s.command;
        if (c.kind == HostCommand::Write || c.kind == Append) {
            std::fill_n(versions_.begin() + static_cast<std::ptrdiff_t>(c.lba), c.sectors, s.version);
            zone.pointer = static_cast<std::uint32_t>(c.lba % size_) + c.sectors;
            zone.isActive = zone.pointer != size_;
        } else if (c.kind == Finish) {
            zone.pointer = size_;
            zone.isActive = false;
        } else if (c.kind == Reset && c.sectors == 0) {
            std::fill(versions_.begin(), versions_.end(), 0);
            std::fill(zones_.begin(), zones_.end(), Zone{});
        } else if (c.kind == Reset) {
            std::fill_n(versions_.begin() + static_cast<std::ptrdiff_t>(c.lba), size_, 0);
            zone = {};
        }
    }
    static void require(bool holds, const std::string& what, std::uint64_t zone)
    {
        if (!holds)
            throw std::runtime_error("zone " + std::to_string(zone) + " after a power loss: " + what);
    }
    // What has been acknowledged is there; of a lost write a beginning may be.
    void settle()
    {
        wasLost_ = false;
        for (Slot& s : slots_) {
            if (std::exchange(s.isUsed, false) && s.command.lba < capacity_)
                settle(s);
        }
        for (std::size_t number = 0; number < zones_.size(); ++number) {
            Zone& zone = zones_[number];
            const MockDrive::ZoneEntry entry = drive_->zone(static_cast<std::uint32_t>(number));
            zone.isBusy = false;
            zone.isActive = entry.state == closed;
            require(entry.state == empty || entry.state == closed || entry.state == full || entry.state == readOnly ||
                        entry.state == offline,
                    "state", number);
            require((entry.state == full) == (zone.pointer == size_) || entry.state == readOnly, "full", number);
            require(entry.state == full || entry.state == readOnly || entry.pointer == zone.pointer, "write pointer",
                    number);
        }
    }
    void settle(Slot& s)
    {
        const std::uint64_t number = s.command.lba / size_;
        Zone& zone = zones_[number];
        const MockDrive::ZoneEntry entry = drive_->zone(static_cast<std::uint32_t>(number));
        if (s.command.kind == HostCommand::Write || (s.command.kind == Append && s.isPlaced)) {
            const auto first = static_cast<std::uint32_t>(s.command.lba % size_);
            require(entry.pointer >= first && entry.pointer <= first + s.command.sectors, "part of a write", number);
            s.command.sectors = entry.pointer - first;
            apply(s, zone);
        } else if ((s.command.kind == Reset && entry.state == empty) ||
                   (s.command.kind == Finish && entry.state == full)) {
            apply(s, zone);
        }
    }
    bool draw(HostCommand& command)
    {
        for (int i = 0; issued_ != random_ && i < 20; ++i) {
            if (tryToDraw(command))
                return true;
        }
        return false;
    }
    bool tryToDraw(HostCommand& command)
    {
        const std::uint64_t number = rng_.below(zones_.size());
        Zone& zone = zones_[number];
        if (zone.isBusy)
            return false;
        std::uint64_t active = 0;
        for (const Zone& z : zones_)
            active += z.isActive ? 1 : 0;
        const std::uint64_t start = number * size_;
        const std::uint64_t choice = rng_.below(100);
        if (choice < 40) {
            const auto from = static_cast<std::uint32_t>(rng_.below(size_));
            command = {HostCommand::Read, false, start + from,
                       1 + static_cast<std::uint32_t>(rng_.below(size_ - from))};
        } else if (zone.pointer == size_ || choice >= 97) {
            command = {Reset, false, start, size_};
        } else if (!zone.isActive && active == active_) {
            return false;
        } else if (choice >= 95) {
            command = {Finish, false, start, size_};
        } else {
            const std::uint32_t most = std::min(size_ - zone.pointer, 40U);
            const auto sectors = 1 + static_cast<std::uint32_t>(rng_.below(most));
            const bool appends = rng_.chance(0.5);
            command = {appends ? Append : static_cast<std::uint32_t>(HostCommand::Write), false,
                       start + (appends ? 0 : zone.pointer), sectors};
            zone.isActive = true;
        }
        ++issued_;
        return true;
    }

    static constexpr std::uint32_t empty = 1, closed = 4, readOnly = 13, full = 14, offline = 15;

    static constexpr std::uint32_t unknown = 0xFFFFFFFF; // version

    MockDrive* drive_ = nullptr;
    bool wasLost_ = false;
    std::uint32_t size_, active_;
    std::vector<HostCommand> script_;
    std::size_t next_ = 0;
    std::uint32_t depth_ = 1;
    std::uint32_t random_ = 0, issued_ = 0, outstanding_ = 0, version_ = 0;
    std::vector<Slot> slots_;
    std::vector<Zone> zones_;
    std::vector<std::uint32_t> versions_; // by sector
    std::vector<HostStatus> statuses_;
    std::vector<std::uint32_t> places_;
    std::uint64_t capacity_ = 0, failures_ = 0;
    std::uint32_t completedOf_[10] = {};
    Rng rng_;
};

} // namespace strobe::test
