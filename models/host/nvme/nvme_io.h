#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// I/O commands of an NVMe controller, each in one command slot of the drive from its arrival to its completion: checks,
// fetching of PRP lists and ranges, submission to the drive, data, completion.
//
// Commands: read, write (FUA), compare, flush, dataset management (deallocate; one drive command per range), write
// zeroes (zeros written by the controller), copy (nvme_copy.h; a read and a write of the drive per range); with zones
// also zone append, zone management send (open, close, finish, reset) and receive (report); with data placement writes
// with a placement identifier (one that does not exist is an event, and handle 0 takes the data), I/O management
// receive (status of the handles) and send (update: one drive command per handle). Namespaces of 512-byte
// blocks are parts of the drive's sectors (base/partition.h); the drive has the sectors of all. A flush of one
// namespace flushes all. Not modelled: metadata, fused commands, SGLs, and the other commands of the NVM command set
// (InvalidOpcode).
//
// The drive gets commands in order, and with a limit no more writes at a time (nvme_admission.h); the writes of copies
// do not count.
//
// After a reset the drive finishes its commands, but they are not completed to the host.

#include "models/base/content.h"
#include "models/base/partition.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_admission.h"
#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_copy.h"
#include "models/host/nvme/nvme_data.h"
#include "models/host/nvme/nvme_lba_status.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_placement.h"
#include "models/host/nvme/nvme_prp.h"
#include "models/host/nvme/nvme_zones.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

class IoCommands {
public:
    enum class Slot : std::uint8_t { Kept, Released }; // whether a call has released a command slot
    struct Settings {
        std::uint32_t pageBytes; // of host memory
        bool isWriteCacheOn;     // off: every write is forced to flash
    };
    struct Statistics { // since power-on
        std::uint64_t sectorsRead = 0;
        std::uint64_t sectorsWritten = 0;
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
        std::uint64_t mediaErrors = 0;
    };

    IoCommands(DataMode mode, PciePort& port, HostMemory& memory, CompletionPath& completions,
               std::uint32_t mostWrites = Admission::noLimit);
    void connect(HostPort& drive); // once, before any other call
    // The drive's sectors into namespaces, numbered from 1; once the drive is ready. Throws ConfigError.
    void divide(const std::vector<PartSize>& sizes) { namespaces_ = partition(sizes, drive_->capacitySectors()); }

    // Slots are reserved for commands when these are fetched; each execute() takes one.
    std::uint32_t freeSlots() const { return static_cast<std::uint32_t>(freeSlots_.size()) - promised_; }
    void promise(std::uint32_t commands) { promised_ += commands; }
    Slot execute(std::uint16_t queue, const SubmissionEntry& submission, const Settings& settings, Time now);
    Slot pageListArrived(std::uint16_t slot, Time now);
    Slot rangesArrived(std::uint16_t slot, Time now);
    void dataArrived(const PciePort::Read& read, Time now); // its first byte

    // The command ends as aborted if the drive does not have it yet. False: it is too late, or there is no such
    // command.
    bool abort(std::uint16_t queue, std::uint16_t id);

    // The drive's side.
    void transfer(const TransferOrder& order, Time now);
    void placed(std::uint16_t slot, std::uint64_t lba) { contexts_[slot].place = lba; }
    const Command& commandOf(std::uint16_t slot) const { return contexts_[slot].command; } // REQUIRES: it has one
    void transferDone(std::uint64_t handle, Time now) { drive_->transferDone(handle, now); }
    struct Ended {
        Slot slot;
        bool isShutdownFlush;
    };
    Ended complete(std::uint16_t slot, CommandStatus status, Time now);

    void reset();
    void flushForShutdown(Time now); // REQUIRES: isEmpty()
    // Deallocates all blocks of a namespace, or of all, and flushes; then admin command `id` is complete. Commands
    // to it that arrive meanwhile end with FormatInProgress. REQUIRES: isEmpty(), and there is such a namespace
    void format(std::uint16_t id, std::uint32_t space, Time now);
    bool isDriveIdle() const { return inDrive_ == 0; }
    bool isEmpty() const { return promised_ == 0 && freeSlots_.size() == contexts_.size(); }
    std::uint64_t capacitySectors() const { return drive_->capacitySectors(); }
    std::uint32_t namespaces() const { return static_cast<std::uint32_t>(namespaces_.size()); }
    bool hasNamespace(std::uint32_t space) const { return space >= 1 && space <= namespaces_.size(); }
    const SectorPart& namespaceAt(std::uint32_t space) const { return namespaces_[space - 1]; } // REQUIRES: it exists
    DriveHeat* heat() const { return drive_ == nullptr ? nullptr : drive_->heat(); }
    ZoneShape zones() const { return drive_ == nullptr ? ZoneShape{} : drive_->zones(); }
    PlacementShape placement() const { return drive_ == nullptr ? PlacementShape{} : drive_->placement(); }
    PlacementEvents& placementEvents() { return placementEvents_; }
    // Events for the data that was moved since the last call.
    void notePlacementMoves(Time now) { placementEvents_.noteMoves(drive_->placementEntries(now), now); }
    const Statistics& statistics() const { return statistics_; }
    const UnrecoverableBlocks& unrecoverable() const { return unrecoverable_; }

private:
    struct Context { // of a command, by slot
        enum class State : std::uint8_t { Free, Gathering, InLine, InDrive };
        State state = State::Free;
        bool isAborted = false; // while it was gathered, or in line
        bool isWrite = false;   // one of the writes that the drive may have at a time
        bool isDropped = false; // the controller was reset: no completion to the host
        bool isShutdownFlush = false;
        bool isFormat = false; // of the admin queue
        bool isZeroes = false;
        bool isWithoutAction = false; // ranges that need not be deallocated; management without an operation
        bool isCompare = false;       // a read whose data is compared with the host's
        bool isDifferent = false;     // and differs
        bool hasFailed = false;       // some of its data is not in host memory
        std::uint16_t queue = 0;
        std::uint16_t id = 0;
        std::uint32_t number = 0; // of its namespace
        SectorPart space;         // its namespace
        Command command;
        PrpPages pages;
        std::vector<DatasetRange> ranges;
        std::size_t nextRange = 0; // or identifier
        CopyJob copy;
        std::uint64_t place = 0; // of an append: where it is written
        std::optional<ZoneReportRequest> report;
        std::optional<std::uint32_t> placementStatusBytes; // of the buffer for it
        std::vector<std::uint16_t> identifiers;            // placement handles to be updated

        // Of the ranges in host memory; 0: the command has none.
        std::uint32_t rangeListBytes()
        {
            if (copy.isActive())
                return static_cast<std::uint32_t>(copy.ranges().size() * sizeof(CopyRange));
            return static_cast<std::uint32_t>(ranges.size() * rangeBytes + identifiers.size() * sizeof(std::uint16_t));
        }
        std::byte* rangeList()
        {
            if (copy.isActive())
                return reinterpret_cast<std::byte*>(copy.ranges().data());
            return identifiers.empty() ? reinterpret_cast<std::byte*>(ranges.data())
                                       : reinterpret_cast<std::byte*>(identifiers.data());
        }
    };
    Context& take(); // a free slot
    bool isFormatting(std::uint32_t space) const;
    bool setNamespace(Context& context, std::uint32_t space, bool mayBeAll) const;
    NvmeStatus prepare(Context& context, const SubmissionEntry& submission, const Settings& settings, Time now);
    NvmeStatus preparePlacement(Context& context, const SubmissionEntry& submission, Time now);
    NvmeStatus prepareManagement(Context& context, const SubmissionEntry& submission, const Settings& settings) const;
    NvmeStatus prepareBlocks(Context& context, const SubmissionEntry& submission) const;
    NvmeStatus preparePages(Context& context, const SubmissionEntry& submission, const Settings& settings) const;
    NvmeStatus prepareZone(Context& context, const SubmissionEntry& submission) const;
    NvmeStatus prepareReport(Context& context, const SubmissionEntry& submission, const Settings& settings) const;
    Slot gather(Context& context, Time now);
    bool readRanges(Context& context);
    NvmeStatus checkRanges(const Context& context) const;
    Slot start(Context& context, Time now);
    Slot submit(Context& context, Time now);
    void submitWaiting(Time now);
    Slot submitRange(Context& context, Time now);
    Slot submitCopy(Context& context, Time now);
    Slot submitUpdate(Context& context, Time now);
    Slot reportZones(Context& context, Time now);
    Slot answer(Context& context, const std::vector<std::byte>& data, Time now);
    Slot release(Context& context, NvmeStatus status, Time now);
    void note(const Context& context, CommandStatus status);

    PciePort& port_;
    HostMemory& memory_;
    CompletionPath& completions_;
    DataMover data_;
    Admission admission_;
    HostPort* drive_ = nullptr;
    std::vector<Context> contexts_; // by slot of the drive
    std::vector<std::uint16_t> freeSlots_;
    std::uint32_t promised_ = 0; // of the free slots
    std::uint32_t inDrive_ = 0;
    std::uint32_t formatting_ = 0; // a namespace, or all of them; 0: none
    std::vector<SectorPart> namespaces_;
    UnrecoverableBlocks unrecoverable_;
    PlacementEvents placementEvents_;
    Statistics statistics_;
};

} // namespace strobe::host::nvme
