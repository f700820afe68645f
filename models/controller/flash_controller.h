#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash controller without a kernel: registers (regs::flash), flash units, dispatcher, ECC of the channels, event
// ring and interrupt line. Owns no clock: advance() is due at nextTime(). Calls come in order of time; memory bursts
// and operations are sent at the instant at which they arise, or chained after one another from there.
//
//   HEAD, PRIMITIVE a doorbell: takes effect at the time of the write, which may be in the future (a CPU runs ahead by
//                   its cost points)
//   RING_CONSUMER   the entries are free at once; the line falls at the time of the write
//   other registers change when they are written
//   events          in memory from the start of their burst, so firmware that polls may see one a burst (16 bytes)
//                   before the line rises
//   read capture    capture_control.h: a pattern read is a separate operation, before others of its die; its line is
//                   apart from the ring's

#include "models/base/event_heap.h"
#include "models/base/register_bank.h"
#include "models/controller/bus_reservations.h"
#include "models/controller/capture_control.h"
#include "models/controller/dispatcher.h"
#include "models/controller/flash_unit.h"
#include "models/controller/prioritized_forwarder.h"
#include "models/controller/request_synthesizer.h"
#include "models/memory/event_ring.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace strobe::controller {

struct FlashControllerConfig {
    std::uint32_t units = 1;          // background units, at most maxUnits with the foreground unit
    bool hasForeground = false;       // one more unit, with priority, after them
    std::uint32_t unitDepth = 4;      // lists that a unit accepts ahead of the one it executes, at most maxUnitDepth
    std::uint32_t unitOperations = 2; // row runs that a unit works on at a time; a word line's pages or more
    nand::ArrayGeometry array;
    nand::DieGeometry die;
    SuperchipGeometry superchip;
    EccConfig ecc;
    std::vector<EccConfig> eccOfChannels; // by channel, instead of `ecc`; empty: all alike
    DataMode dataMode = DataMode::Tags;
    memory::Region dataBuffer;   // holds sectors; transfers to and from other memory are bytes
    bool hasHost = false;        // reads may go to the host interface: connectHost()
    bool hasSynthesizer = false; // of foreground requests; needs a foreground unit and a host
    bool hasPriority = true;     // of the foreground unit over the background units
    bool hasPlaneReads = false;  // the dies have plane-independent reads
    Interleaving interleaving = Interleaving::Fine;
    std::uint64_t seed = 1;                   // of ECC's random draws
    std::optional<ReadCaptureConfig> capture; // nothing: data out is clocked by the interface
    Time unitRegisterLatency{};               // of an access to a register of a unit; not of the others

    std::uint32_t allUnits() const { return units + (hasForeground ? 1 : 0); }
};

class FlashController final : private UnitPort {
public:
    static constexpr std::uint32_t maxUnits = 4096;
    static constexpr std::uint32_t maxUnitOperations = 64;
    static constexpr std::uint32_t maxUnitDepth = 254; // STATUS.waiting has eight bits

    // Throws ConfigError for what cannot be built. The ports must outlive the controller.
    FlashController(const FlashControllerConfig& config, FlashDmaPort& memory, ChannelPort& channels);
    FlashController(const FlashController&) = delete;
    FlashController& operator=(const FlashController&) = delete;

    // The interrupt line changes at `at`, which is not in the past; the calls come in order of `at`.
    void onLine(InterruptOutput::Listener line) { line_.onChange(std::move(line)); }
    // The same of read capture. Without it nothing happens.
    void onCaptureLine(InterruptOutput::Listener line)
    {
        if (capture_)
            capture_->line().onChange(std::move(line));
    }
    // The other side of the splitter; only with config.hasHost. Before the run.
    void connectHost(HostSink& host) { host_ = &host; }
    void observe(FlashObserver& observer); // all units; it must outlive the controller

    // By offset. A read includes everything that is due by `now`; a write happens at `at` >= now.
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time now);
    // As after the last work that was done, without side effects.
    Access viewRegister(std::uint32_t offset, std::uint32_t& value) const;
    Access writeRegister(std::uint32_t offset, std::uint32_t value, Time now, Time at);

    void operationDone(Ticket ticket, const nand::Operation& op, Time now);
    // Of a stepped operation: a primitive ends at `at`, which is not in the past.
    void primitiveEnded(Ticket ticket, Time at) { pending_.push(at, {Due::PrimitiveEnded, ticket.unit, ticket.lane}); }
    // A host read, before it is reported to firmware. True: it is served, or handed back later (HostSink::handBack).
    bool takeRead(std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors, Time now);
    void hostTook(Ticket ticket, Time now) { units_[ticket.unit].hostTook(ticket.lane, now); }

    void advance(Time now);
    Time nextTime() const { return pending_.nextTime(); }

    const FlashControllerConfig& config() const { return config_; }
    const SuperchipMap& superchips() const { return map_; }
    std::uint32_t unitCount() const
    {
        return static_cast<std::uint32_t>(units_.size());
    } // the foreground unit included
    const FlashUnit& unit(UnitId unit) const { return units_[unit]; }
    const EccEngines& ecc(ChannelId channel) const { return ecc_[channel]; }
    const Dispatcher& dispatcher() const { return dispatcher_; }
    const PrioritizedForwarder& forwarder() const { return forwarder_; }
    const RequestSynthesizer& synthesizer() const { return synthesizer_; }
    XorEngine& xorEngine() const { return *xorEngine_; } // the substitute without time goes on with it
    const memory::EventRing& ring() const { return ring_; }
    const ReadCapture* capture() const { return capture_ ? &capture_->capture() : nullptr; } // null: there is none
    const FailureLog& failures() const { return failures_; }
    void onFailure(std::function<void(const Failure&)> listener) { failures_.onNote(std::move(listener)); }
    bool isIdle() const; // no list in any unit
    // After a substitute (functional_flash.h): events put and taken so far, and failures. REQUIRES: isIdle()
    void continueAfter(std::uint32_t events, const FailureLog& failures);
    void resetCounters(Time now); // failures stay: they belong to the whole run

private:
    enum class Due : std::uint8_t { Doorbell, Wake, PrimitiveEnded, Primitive, Synthesized, Pattern, Temperature };
    struct Pending { // something that is due at its time
        Due kind;
        UnitId unit;
        std::uint32_t value; // address of the list, token, lane, PRIMITIVE, number of the read, or PATTERN_READ
    };

    void attachRegisters();
    bool isMapped(std::uint32_t offset) const;
    void wakeUnit(UnitId unit, std::uint32_t token, Time at) override;
    void sendOperation(Ticket ticket, const nand::Operation& op, Time at) override;
    void continueOperation(UnitId unit, DieId die) override;
    Time reportEvent(const FlashEvent& event, Time at) override;
    bool sendToHost(const HostRun& run, Time now) override;
    void synthesizedDone(std::uint32_t number, bool isOk, Time now) override;
    void startSynthesized(std::uint32_t number, Time now);
    void noteFailure(const Failure& failure) override;
    void passBusOn(ChannelId channel, Time now);
    void sendToChannel(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at);
    void endOperation(Ticket ticket, const nand::Operation& op, Time now);

    void attachCapture(); // read capture. REQUIRES: there is one
    void watchTemperature(Time now);

    void writeRingEntry(BusAddress address, const memory::EventRing::Entry& entry);
    void configureRing(std::uint32_t entries);
    void consume(std::uint32_t count);
    void noteRingFailure(FailureKind kind, std::uint32_t value);
    void updateLine(Time at);

    FlashControllerConfig config_;
    FlashDmaPort& memory_;
    ChannelPort& channels_;
    HostSink* host_ = nullptr;
    SuperchipMap map_;
    SuperchipMap oneChip_;
    IdVector<ChannelId, EccEngines> ecc_;
    std::unique_ptr<XorEngine> xorEngine_ = std::make_unique<XorEngine>();
    IdVector<UnitId, FlashUnit> units_;
    Dispatcher dispatcher_;
    PrioritizedForwarder forwarder_;
    RequestSynthesizer synthesizer_;
    BusReservations reservations_; // coarse interleaving only
    std::unique_ptr<CaptureControl> capture_;
    RegisterBank registers_;
    EventHeap<Pending> pending_;
    FailureLog failures_;

    memory::EventRing ring_;
    Time ringTime_{}; // end of the last burst into the ring, for its writer
    InterruptOutput line_;
    Time now_{};     // of the access or report being carried out
    Time writeAt_{}; // of the register write being carried out
};

} // namespace strobe::controller
