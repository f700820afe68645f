#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive for firmware tests, without a kernel: the registers, rings, buffers and dies that firmware uses, through the
// table of firmware/hal/native.h, in one thread. Time passes only while firmware sleeps: wait() serves one event after
// the other until a line is asserted. How long transfers, operations and completions take is drawn at random, so
// that independent things end in any order. Everything that the hardware would refuse fails the test: illegal NAND
// operations, more lists than a unit takes, a full ring, a transfer without a command.

#include "firmware/hal/native.h"
#include "models/base/content.h"
#include "models/base/event_heap.h"
#include "models/base/rng.h"
#include "models/cpu/boot_block.h"
#include "tests/firmware/support/mock_flash.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::test {

struct HostCommand {
    enum Kind : std::uint32_t { Read = 1, Write, Flush, Trim };
    std::uint32_t kind = Read;
    bool fua = false;
    std::uint64_t lba = 0;
    std::uint32_t sectors = 0;
    std::uint32_t placement = 0; // handle
};

enum class HostStatus : std::uint8_t {
    Ok,
    Uncorrectable,
    OutOfRange,
    NotSupported,
    DeviceFault,
    ZoneBoundary,
    ZoneFull,
    ZoneReadOnly,
    ZoneOffline,
    ZoneInvalidWrite,
    TooManyActiveZones,
    TooManyOpenZones,
    InvalidZoneTransition
};
inline constexpr std::size_t hostStatuses = 13;

// The host's side of the drive.
class MockHost {
public:
    virtual ~MockHost() = default;
    virtual void driveReady(std::uint64_t capacity) = 0;
    virtual bool issue(std::uint32_t slot, HostCommand& command) = 0; // false: no command now
    virtual SectorTag written(std::uint32_t slot, std::uint32_t sector) = 0;
    virtual void read(std::uint32_t slot, std::uint32_t sector, SectorTag tag) = 0;
    virtual void placed(std::uint32_t, std::uint32_t) {} // slot of an append, sector of its zone
    virtual void completed(std::uint32_t slot, HostStatus status) = 0;
    virtual bool finished() const = 0;
    virtual void powerLost() {}
};

struct MockOptions {
    cpu::BootBlock boot; // memory and magic are filled in
    std::uint32_t memoryBytes = 8u << 20;
    std::uint32_t bufferPages = 64;
    std::uint32_t badBlocks = 0; // factory bad blocks per die
    bool badBlockTable = true;
    bool overwritable = false; // pages may be programmed again without an erase (PCM)
    bool stores = false;       // hal_store(), as where no time passes; other operations take time all the same
    bool feeder = true;        // of host writes into a circular buffer, if firmware uses it
    std::uint64_t seed = 1;
    std::uint32_t alarmsAfterHost = UINT32_MAX; // firmware with periodic work: the run ends after so many of them
    MockFaults faults;
};

struct FirmwarePanic : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class MockDrive {
public:
    explicit MockDrive(const MockOptions& options);
    ~MockDrive();

    // Power is lost after as many more events (ends of operations, transfers, …); the firmware of run() ends then,
    // and run() returns false. Only the dies remain.
    void cutAfter(std::uint64_t events) { eventsLeft_ = events; }
    void powerOff();  // now, between two runs
    void switchOff(); // the same, and firmware is told that nothing was in progress. REQUIRES: nothing was

    // Starts the firmware and serves `host` until it has finished and the firmware has nothing left to do.
    // Throws FirmwarePanic for a panic, std::runtime_error for anything the hardware refuses or a firmware that hangs.
    bool run(strobe_native_entry firmware, MockHost& host);

    MockFlash& flash() { return *flash_; }
    const std::vector<std::string>& console() const { return console_; }
    Time now() const { return now_; }
    std::uint64_t saves() const { return saves_; } // power losses that capacitors bridged (boot.writeCache)
    std::uint64_t transfers() const { return transferCount_; }
    std::uint64_t sleeps() const { return sleeps_; }
    bool isReady() const { return capacity_ != 0; } // firmware takes commands
    struct Zones {                                  // as firmware announced them
        std::uint32_t sectors = 0, capacity = 0, open = 0, active = 0;
    };
    const Zones& zones() const { return zones_; }
    struct ZoneEntry {
        std::uint32_t state, pointer;
    };
    ZoneEntry zone(std::uint32_t number); // of the zone table
    std::function<void()> onSleep;        // called each time the firmware sleeps

private:
    [[noreturn]] static void refuse(const std::string& what); // what no drive allows
    friend class MockFlash;
    friend class MockSuperchips;
    struct Hal;
    struct Ring {
        std::uint32_t base = 0, entries = 0, producer = 0, consumer = 0;
    };
    struct Transfer {
        std::uint32_t slot, first, sectors, buffer, cookie;
        bool toHost, notify, complete;
    };
    struct Finished {};
    struct PowerLost {};
    Content content(std::uint32_t address, std::uint32_t sectors); // of the data buffer, or bytes of control memory
    struct Feeder {                                                // of host writes into a circular buffer
        std::uint32_t base = 0, sectors = 0, piece = 0, taken = 0, released = 0;
        std::deque<std::uint32_t> slots; // writes that are not fetched yet, in order
        std::uint32_t done = 0;          // sectors of the first of them
        bool busy = false;
    };

    void write(std::uint32_t address, std::uint32_t value);
    void writeHost(std::uint32_t offset, std::uint32_t value);
    void writeTimer(std::uint32_t offset, std::uint32_t value);
    void writeFlash(std::uint32_t offset, std::uint32_t value);
    std::uint32_t read(std::uint32_t address) const;
    void* memory(std::uint32_t address, std::uint32_t bytes);
    Time alarm() const; // never: not set
    std::uint32_t pending() const;
    std::uint32_t wait();

    void at(Time delay, std::function<void()> what) { events_.push(now_ + delay, std::move(what)); }
    Time someTime(std::int64_t mostMicroseconds);
    void feed();
    void put(Ring& ring, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
    void losePower();
    void askHost();
    std::uint32_t store(const hal_strip& strip);
    bool arriveNow();
    void arrive(std::uint32_t slot, const HostCommand& command);
    void startTransfer();
    void endTransfer();
    void complete(std::uint32_t slot, HostStatus status);
    std::uint32_t* words(std::uint32_t address);
    SectorTag* tags(std::uint32_t address, std::uint32_t sectors);

    MockOptions options_;
    Rng rng_;
    std::unique_ptr<MockFlash> flash_;
    std::vector<std::uint32_t> boot_;
    std::vector<std::uint32_t> control_;
    std::vector<std::uint32_t> badTable_;
    std::vector<SectorTag> buffer_;
    EventHeap<std::function<void()>> events_;
    Time now_{};
    std::uint64_t eventsLeft_ = UINT64_MAX;
    enum class Supply : std::uint8_t { Good, Fails, Saved } supply_ = Supply::Good;
    std::uint64_t saves_ = 0;
    std::uint64_t sleeps_ = 0;
    std::uint64_t transferCount_ = 0;
    std::vector<std::string> console_;

    MockHost* host_ = nullptr;
    std::vector<bool> slotBusy_;
    std::uint32_t outstanding_ = 0;
    bool asking_ = false;
    std::deque<Transfer> transfers_;
    Transfer setup_{};
    std::uint64_t capacity_ = 0;
    std::uint32_t commands_ = 0;
    Zones zones_;
    std::uint32_t zoneTable_ = 0;
    std::uint32_t placeSector_ = 0;
    std::uint32_t enabledLines_ = 0;
    std::uint64_t alarmNs_ = 0;
    bool alarmEnabled_ = false;
    std::uint32_t alarmsLeft_ = 0; // once the host has finished
    Ring hostRing_, flashRing_;
    Feeder feeder_;
};

} // namespace strobe::test
