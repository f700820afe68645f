#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The register file of an NVMe controller (NVM Express 1.4, section 3.1) and the state that CC and CSTS describe:
// CAP, VS, CC, CSTS, AQA, ASQ and ACQ, 32 bits at a time. A write returns what the controller has to do; the status
// bits change when the controller reports that it has done it. The interrupt masks (INTMS, INTMC) and the MSI-X table
// belong to Interrupts, the doorbells to QueueManager. Owns no clock. Not modelled: the optional registers (NSSR,
// CMBLOC, CMBSZ, BPINFO and later ones read zero).

#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_queues.h"

#include <cstdint>
#include <optional>

namespace strobe::host::nvme {

class ControllerRegisters {
public:
    // `entries`: of a queue at most; `doorbellStride`: 4 << stride bytes between doorbells.
    ControllerRegisters(std::uint32_t entries, std::uint32_t doorbellStride)
        : entries_(entries), doorbellStride_(doorbellStride)
    {
    }

    std::uint32_t read(std::uint32_t offset) const; // of a dword; reserved ones read zero

    enum class Request : std::uint8_t { None, Enable, Reset, ShutDown };
    struct Written {
        bool isControl = false; // CC was written
        Request request = Request::None;
    };
    Written write(std::uint32_t offset, std::uint32_t value);

    // The settings of CC, AQA, ASQ and ACQ. Nothing: the controller does not support one of them.
    struct AdminQueues {
        Arbitration arbitration;
        std::uint64_t sqBase;
        std::uint32_t sqEntries;
        std::uint64_t cqBase;
        std::uint32_t cqEntries;
    };
    std::optional<AdminQueues> enable(); // after Request::Enable; latches the memory page size
    void reset();                        // after Request::Reset: clears the fatal and the shutdown status
    void fail() { csts_ |= cstsFatal; }
    void driveReady(bool hasZones = false)
    {
        isDriveReady_ = true;
        hasZones_ = hasZones;
    }
    // CSTS.RDY rises when the controller is enabled and the drive is ready, falls when it is disabled; both wait until
    // the drive has no command (`isDriveIdle`).
    void updateReady(bool isDriveIdle);

    // Shutdown: after Request::ShutDown the flush is pending until flushStarted(); flushed() completes the shutdown.
    void shutDown();
    void flushStarted() { isFlushPending_ = false; }
    void flushed() { csts_ = (csts_ & ~cstsShutdownMask) | cstsShutdownDone; }
    bool isFlushPending() const { return isFlushPending_; }
    bool isShutDown() const { return (csts_ & cstsShutdownMask) != 0; } // or shutting down

    bool isRunning() const { return (cc_ & ccEnable) != 0 && (csts_ & (cstsReady | cstsFatal)) == cstsReady; }
    std::uint32_t pageBytes() const { return pageBytes_; } // CC.MPS when the controller was enabled last

private:
    Request configure(std::uint32_t value);

    std::uint32_t entries_;
    std::uint32_t doorbellStride_;
    std::uint32_t cc_ = 0;
    std::uint32_t csts_ = 0;
    std::uint32_t aqa_ = 0;
    std::uint64_t asq_ = 0;
    std::uint64_t acq_ = 0;
    std::uint32_t pageBytes_ = 4096;
    bool isConfigured_ = false; // enabled with supported settings
    bool isDriveReady_ = false; // since power-on
    bool hasZones_ = false;
    bool isFlushPending_ = false;
};

} // namespace strobe::host::nvme
