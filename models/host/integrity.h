#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Proves that the drive returns what it was acknowledged to have written. Makes the contents of writes, checks those of
// reads, sector by sector, under any concurrency. Every write and trim gives its sectors a new version; a read may
// return, for each sector, any version of its window:
//   newest  issued by the time the data arrives
//   floor   as at the read's issue. When a write is acknowledged, everything acknowledged before the write was issued
//           has been overwritten: the floor rises to the oldest version that was still unacknowledged then (writes
//           that overlap in time may land in either order), or to the write itself.
// A trim is a write of zeros for the mapping units that are wholly inside it; of the others it may leave the sectors as
// they were. A reset of a zone is a trim of it; an append is a write as soon as its place is known. A failed write or
// trim may have taken effect or not. Data of a failed read is not checked. One wrong case is accepted: A is
// outstanding, B is issued and acknowledged, C is issued and acknowledged, then A: returning B is not detected. Power
// loss (expectPowerLoss()): what was acknowledged before a flush was issued that was acknowledged is durable, and so is
// a write that is complete only in flash (FUA; all writes if the drive completes them so), and every write and trim of
// a drive with a protected buffer. After powerLost() a sector may hold any version from its durable one on, the same at
// each read: the first read determines which one it is. Outstanding commands may have taken effect or not. Modes: tags
// and bytes are checked in full, none counts sectors only. Range: 2^32 sectors, 2^24 versions per 4 KiB.

#include "models/base/content.h"
#include "models/base/time.h"
#include "models/host/durable_floors.h"
#include "models/host/mismatch.h"
#include "models/host/outstanding_ranges.h"
#include "models/host/request.h"
#include "models/host/sector_versions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::host {

// Which changes are durable when they are acknowledged.
enum class Durable : std::uint8_t {
    Forced,    // writes with FUA
    Writes,    // all writes: the drive completes them in flash
    Everything // trims too: the drive's buffer is protected
};

class Integrity {
public:
    static constexpr std::uint64_t mostSectors = std::uint64_t{1} << 32; // whose contents are proved: a tag's address
    static constexpr std::size_t keptMismatches = 16;

    // A mapping unit is what the drive's translation layer maps as one: a trim frees whole units only.
    Integrity(DataMode mode, std::uint64_t capacitySectors, std::uint32_t slots, std::uint32_t mappingUnitSectors);

    // `fua`: of a write, complete only when in flash.
    void issued(std::uint16_t slot, RequestKind kind, std::uint64_t lba, std::uint32_t sectors, bool fua = false);
    // An append is a write from `lba` on. REQUIRES: before fill()
    void placed(std::uint16_t slot, std::uint64_t lba);
    void fill(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination);
    // Instead of fill(), without tags: the longest run of consecutive tags that it would write from sector `first` of a
    // write on; these sectors of the run were taken. No sectors: the contents are not tags.
    TagRun runAt(std::uint16_t slot, std::uint32_t first) const;
    void tookRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors)
    {
        markMoved(slots_[slot], first, sectors);
    }
    void check(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source);
    // Returns the number of mismatches of the command.
    std::uint64_t completed(std::uint16_t slot, bool isOk, Time now);

    // Before the first command. What is durable when it is acknowledged, without a flush.
    void expectPowerLoss(Durable acknowledged);
    // Outstanding commands are lost. From now on the first read of each sector determines its version.
    void powerLost();
    // Saves the record of the sectors to a file when the power is off, and restores it as after a power loss, before
    // the first command. restore() throws DamagedBytes. REQUIRES: powerLost() before save().
    void save(ByteWriter& file) const { versions_.save(file); }
    void restore(ByteReader& file);
    void readBackEnds(); // the next sector read is not news any more
    // The first range at or after `from` of at most `most` sectors that contains a sector that was ever written.
    struct Range {
        std::uint64_t lba = 0;
        std::uint32_t sectors = 0; // 0: there is none
    };
    Range writtenFrom(std::uint64_t from, std::uint32_t most) const;

    struct PowerCounts {
        std::uint64_t losses = 0;
        std::uint64_t atRisk = 0;   // sectors acknowledged, but not durable, when power was lost; all losses
        std::uint64_t readBack = 0; // sectors read to determine their versions
        std::uint64_t reverted = 0; // of those at risk: found in an older version, which is allowed
    };
    const PowerCounts& power() const { return power_; }

    DataMode mode() const { return mode_; }
    VersionWindow expected(std::uint64_t lba) const // of a read issued now
    {
        return versions_.window(lba / SectorVersions::chunkSectors,
                                static_cast<std::uint32_t>(lba % SectorVersions::chunkSectors));
    }
    std::uint64_t checkedSectors() const { return checkedSectors_; }
    std::uint64_t mismatches() const { return mismatchCount_; }
    const std::vector<Mismatch>& firstMismatches() const { return kept_; } // at most keptMismatches
    const Mismatch& latestMismatch() const { return latest_; } // the first of its command. REQUIRES: mismatches() != 0
    std::uint64_t bytesUsed() const { return versions_.bytesUsed() + (floors_ ? floors_->bytesUsed() : 0); }

private:
    struct Older { // part of a write that was unacknowledged when this one was issued
        std::uint64_t from;
        std::uint64_t to;
        std::uint32_t version;
    };
    struct Slot {
        RequestKind kind = RequestKind::Flush;
        std::uint64_t lba = 0;
        std::uint32_t sectors = 0;
        std::vector<std::uint64_t> moved;    // bit per sector
        std::vector<std::uint32_t> versions; // writes and trims: per chunk
        std::vector<Older> older;
        bool isPlaced = false;  // of an append
        bool isDurable = false; // when complete
        std::uint64_t flushTicket = 0;
        bool hasFloors = false; // reads: floors_ were raised meanwhile, these are those at issue
        std::vector<std::uint32_t> floors;
        std::uint64_t mismatches = 0; // so far
        std::vector<Mismatch> found;  // the first of them

        std::uint64_t end() const { return lba + sectors; }
    };
    using Part = SectorVersions::Part;

    // Its range is known, and is read or changed.
    static bool isChecked(const Slot& slot)
    {
        if (slot.kind == RequestKind::Append)
            return slot.isPlaced;
        return slot.kind == RequestKind::ResetZone || (slot.kind != RequestKind::Flush && !isOfZone(slot.kind));
    }
    static void markMoved(Slot& slot, std::uint32_t first, std::uint32_t sectors);
    static std::uint32_t countMoved(const Slot& slot);
    void issueChange(std::uint16_t index);
    void rememberOlder(Slot& slot, const Slot& other);
    void acknowledge(const Slot& slot);
    void raise(const Slot& slot, std::uint64_t from, std::uint64_t to);
    void keepFloors(std::uint64_t from, std::uint64_t to);
    void checkPart(Slot& slot, const Part& part, Content source);
    VersionWindow windowAt(const Slot& slot, std::uint64_t lba) const;
    void raiseFloor(const Part& part, std::uint32_t floor, bool isDurable);
    void setVersion(const Part& part, std::uint32_t version);
    static void note(Slot& slot, Mismatch mismatch);
    std::uint32_t versionAt(const Slot& slot, std::uint64_t chunk) const
    {
        return slot.versions[chunk - slot.lba / SectorVersions::chunkSectors];
    }

    DataMode mode_;
    std::uint64_t capacity_;
    std::uint32_t unit_;
    SectorVersions versions_;
    std::vector<Slot> slots_;
    OutstandingRanges reads_;
    OutstandingRanges changes_; // writes and trims
    std::uint64_t checkedSectors_ = 0;
    std::uint64_t mismatchCount_ = 0;
    std::vector<Mismatch> kept_;
    Mismatch latest_;

    std::optional<DurableFloors> floors_;
    Durable acknowledged_ = Durable::Forced;
    bool isReadingBack_ = false;
    std::unordered_map<std::uint64_t, DurableFloors::Floors> before_; // the loss: what had been acknowledged
    PowerCounts power_;
};

} // namespace strobe::host
