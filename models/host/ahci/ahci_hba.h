#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An AHCI host bus adapter with one port, before the SATA link: it is the host's end of the link; a driver uses its
// registers and structures in host memory. Commands are Register FISes that the driver has written; the adapter fetches
// them and their region lists, sends them over the link, moves data between host memory and Data FISes, and posts the
// FISes that it receives. Where the data of a command is: ahci_regions.h. An operating system's driver can use it:
// registers by offset, host memory behind an interface, an interrupt as a callback. Owns no clock: every call passes
// the present time, advance() is due at nextTime().
//
//   command issue   a bit of PxCI: header, then table are read (memoryLatency each), then the FIS goes to the link
//   PxCI            falls with the drive's Register FIS; PxSACT with Set Device Bits
//   stop            PxCMD.ST cleared: PxCI and PxSACT are zero at once. PxCMD.CR falls when the drive has finished what
//                   it has, of which memory and registers show nothing; commands that are issued before wait in PxCI
//   COMRESET        PxSCTL.DET set to 1 and to 0: as a stop, and PxTFD shows a busy drive until it sends its signature
//                   again; commands that are issued before wait in PxCI. The same after a software reset, which is two
//                   FISes with SRST set and cleared
//   received FIS    copied to memory while PxCMD.FRE is set, and only then shown in PxIS (an error always)
//   interrupt       when IS turns on while GHC.IE is set, or GHC.IE while IS is; again if more is pending when IS is
//                   cleared
//
// Commands: READ and WRITE FPDMA QUEUED, READ and WRITE DMA (EXT), FLUSH CACHE (EXT), DATA SET MANAGEMENT (trim of one
// contiguous run), IDENTIFY DEVICE, STANDBY IMMEDIATE (a flush). SET FEATURES (transfer mode, write cache on and off,
// features that are on already), IDLE IMMEDIATE and EXECUTE DEVICE DIAGNOSTIC, which returns the signature, succeed at
// once, without frames on the link. Others are aborted by the adapter itself. An error ends its own command: a driver
// reads the status of a queued one with lastStatus(), which replaces reading the NCQ error log. Not modelled: more
// ports, port multipliers, PIO data but IDENTIFY, power states, hot plug, the time of host memory for data (the link is
// slower).

#include "models/base/ring_queue.h"
#include "models/base/statistics.h"
#include "models/host/ahci/ahci_format.h"
#include "models/host/ahci/ahci_regions.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/sata_link.h"

#include <array>
#include <functional>

namespace strobe::host::ahci {

struct HbaCounters {
    std::uint64_t registerReads = 0;
    std::uint64_t registerWrites = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t aborted = 0; // commands that the adapter does not support

    void declare(Statistics& stats)
    {
        stats.add("register_reads", Unit::Count, "reads of the adapter's registers by the driver", registerReads);
        stats.add("register_writes", Unit::Count, "writes of the adapter's registers by the driver", registerWrites);
        stats.add("interrupts", Unit::Count, "interrupts raised by the adapter", interrupts);
    }
};

class Hba final : public HostSide {
public:
    // `hasVolatileCache`: IDENTIFY data says so, and a driver flushes only then.
    Hba(Time memoryLatency, SataLink& link, HostMemory& memory, bool hasVolatileCache = true);
    void onInterrupt(std::function<void(Time now)> handler) { interrupt_ = std::move(handler); }

    // Registers, 32 bits each; others read zero. Both act at once: the caller models the path to the adapter.
    std::uint32_t readRegister(std::uint32_t offset);
    void writeRegister(std::uint32_t offset, std::uint32_t value, Time now);
    // How the last command of this slot ended.
    CommandStatus lastStatus(std::uint32_t slot) const { return commands_[slot].status; }

    // The link's side: IDENTIFY data has arrived; data of a command; a command is complete.
    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, CommandStatus status, Time now) override;

    bool isInterrupting() const { return (is_ & 1U) != 0 && (ghc_ & ghcInterrupts) != 0; }
    void advance(Time now);
    Time nextTime() const { return fetches_.empty() ? never : fetches_.front().at; }

    const HbaCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    struct Slot {
        RegionList regions;
        bool isQueued = false;
        std::uint32_t moved = 0; // bytes, of a read or write outside NCQ
        CommandStatus status = CommandStatus::Ok;
    };
    struct Fetch {
        Time at{};
        std::uint32_t slot = 0;
    };

    void writePort(std::uint32_t offset, std::uint32_t value, Time now);
    void dropCommands();
    bool endDropped(std::uint32_t slot);
    void requestDriveReset(Time now);
    void proceed(Time now);
    std::uint32_t waiting() const;
    void reset(Time now);
    void resetDrive(Time now);
    void issueCommands(std::uint32_t bits, Time now);
    void fetched(std::uint32_t slot, Time now);
    void control(std::uint32_t slot, const RegisterFis& fis, Time now);
    bool readTable(Slot& command, const CommandHeader& header, RegisterFis& fis);
    bool parse(std::uint32_t slot, const RegisterFis& fis, Time now);
    void succeed(std::uint32_t slot, Time now);
    void noticed(SataLink::Notice notice, std::uint16_t slot, Time now);
    void abort(std::uint32_t slot, Time now);
    void fail(std::uint32_t slot, CommandStatus status);
    bool post(std::uint32_t offset, FisType type, std::uint8_t flags = 0);
    bool store(std::uint32_t offset, const void* fis, std::uint32_t bytes);
    std::uint32_t postEnd(bool isQueued);
    void signatureArrived(Time now);
    bool postSignature();
    void raise(std::uint32_t bits, Time now);
    void updateInterrupt(Time now);
    std::uint64_t headerAddress(std::uint32_t slot) const { return listBase_ + std::uint64_t{slot} * headerBytes; }

    Time memoryLatency_{};
    bool hasVolatileCache_;
    SataLink& link_;
    HostMemory& memory_;
    std::function<void(Time)> interrupt_;

    std::uint32_t ghc_ = ghcEnable;
    std::uint32_t is_ = 0;
    bool wasInterrupting_ = false; // as last announced
    std::uint64_t listBase_ = 0;
    std::uint64_t receivedBase_ = 0;
    std::uint32_t portIs_ = 0;
    std::uint32_t portIe_ = 0;
    std::uint32_t portCmd_ = 0;
    std::uint32_t tfd_ = taskBusy; // a drive is there, but has not sent its signature
    std::uint32_t sig_ = 0xFFFF'FFFF;
    std::uint32_t sctl_ = 0;
    std::uint32_t serr_ = 0;
    std::uint32_t sact_ = 0;
    std::uint32_t ci_ = 0;
    std::uint32_t outstanding_ = 0; // being fetched, or at the drive
    std::uint32_t dropped_ = 0;     // of these, what the driver has given up
    bool isDriveResetWanted_ = false;
    bool hasDrive_ = false; // its signature has arrived
    bool isWriteCacheOn_ = true;
    bool isSoftReset_ = false; // SRST is set

    std::array<Slot, slots> commands_;
    RingQueue<Fetch> fetches_;
    std::uint16_t identifySlot_ = 0;
    HbaCounters counters_;
};

} // namespace strobe::host::ahci
