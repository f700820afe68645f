#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A PCI Express link between a device and host memory, at the level of transaction layer packets (TLPs): how long they
// occupy their direction, and when their contents arrive at the other end. Two directions, each one resource. Owns no
// clock and no events: every call is made at the present instant, only what it returns may be in the future.
//
//   packet      framing, sequence number, header and LCRC (20 bytes with a 32-bit address and for completions, 24 with
//               a 64-bit address), then its payload; line rate after 8b/10b or 128b/130b. Gen6: header of 12 or 16
//               bytes and payload; 236 of the 256 bytes of a flit carry packets, as a mean: no packet waits for the end
//               of its flit, and no flit is left partly empty
//   write       payloads of at most maxPayload, cut at multiples of it
//   read        requests of at most maxReadRequest, cut at multiples of it; each is answered by completions: the
//               first up to the next read completion boundary, then as much as maxPayload allows
//   latency     one way, from the end of a packet on the line to where it has an effect; memoryLatency: from a read
//               request at the root complex to its data
//
// Packets of one direction go in the order of the calls, but register writes pass completions that wait, as the
// ordering rules demand: they take their time from the line and wait for one another only. Not modelled: data link
// packets (acknowledgements, flow-control updates), credits, tags, skip sets, an I/O MMU. Sources: docs/host_ports.md.
//
// Planned errors (PCI Express base specification 3.0, sections 3.5 and 3.6): a packet whose LCRC is wrong is refused
// with a NAK, and the sender repeats it and all that it has sent since. So an error adds the way there and back and the
// packet's time, whichever packet of a train it hits. A packet that is not recognised is repeated when the replay timer
// expires. Assumptions: the NAK takes `latency` each way; later packets do not uncover a lost one; packets are equally
// long. Not modelled: errors of data link packets, retraining after repeated replays.

#include "models/base/enum_table.h"
#include "models/base/resource.h"
#include "models/base/statistics.h"
#include "models/base/time.h"
#include "models/host/link_errors.h"

#include <array>
#include <cstdint>

namespace strobe::host {

enum class PcieGeneration : std::uint8_t { Gen1, Gen2, Gen3, Gen4, Gen5, Gen6 };
inline constexpr std::array<EnumRow<PcieGeneration>, 6> pcieGenerationTable{
    {{PcieGeneration::Gen1, "gen1", "2.5 GT/s, 250 MB/s per lane"},
     {PcieGeneration::Gen2, "gen2", "5 GT/s, 500 MB/s per lane"},
     {PcieGeneration::Gen3, "gen3", "8 GT/s, 984.6 MB/s per lane"},
     {PcieGeneration::Gen4, "gen4", "16 GT/s, 1969.2 MB/s per lane"},
     {PcieGeneration::Gen5, "gen5", "32 GT/s, 3938.5 MB/s per lane"},
     {PcieGeneration::Gen6, "gen6", "64 GT/s in FLIT mode, 7375 MB/s per lane"}}};
constexpr const auto& enumTable(PcieGeneration)
{
    return pcieGenerationTable;
}

struct PcieConfig {
    PcieGeneration generation = PcieGeneration::Gen3;
    std::uint32_t lanes = 4;
    std::uint32_t maxPayload = 256;            // bytes: 128 to 4,096, a power of two, as the next two
    std::uint32_t maxReadRequest = 512;        // bytes: 128 to 4,096
    std::uint32_t readCompletionBoundary = 64; // bytes: 64 or 128
    Time latency = picoseconds(150'000);       // one way
    Time memoryLatency = picoseconds(200'000); // of host memory, for reads
    LinkErrors errors{};
};

// Bytes around the payload of a packet with a header of 3 dwords (32-bit address, completion) or 4 (64-bit address). In
// FLIT mode a packet has no framing, sequence number and LCRC of its own: the flit has them.
constexpr std::uint32_t tlpOverhead(const PcieConfig& config, std::uint32_t headerDwords)
{
    constexpr std::uint32_t framing = 8;
    return 4 * headerDwords + (config.generation == PcieGeneration::Gen6 ? 0 : framing);
}
constexpr std::uint32_t requestOverhead(const PcieConfig& config, std::uint64_t address)
{
    return tlpOverhead(config, address >> 32 == 0 ? 3 : 4);
}
constexpr std::uint32_t completionOverhead(const PcieConfig& config)
{
    return tlpOverhead(config, 3);
}

// Bytes on the line of a transfer of `bytes` at `address`.
struct TlpTrain {
    std::uint32_t packets = 0;
    std::uint64_t bytes = 0; // all of them, overhead included

    void add(const TlpTrain& other)
    {
        packets += other.packets;
        bytes += other.bytes;
    }
};
TlpTrain writeTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes);
TlpTrain requestTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes);
TlpTrain completionTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes);

// Time of so many bytes on the line of one direction, rounded up to the next picosecond.
Time pcieLineTime(const PcieConfig& config, std::uint64_t bytes);
// After which a packet that is not acknowledged is sent again. Up to gen3: the least REPLAY_TIMER of section 3.5.2.1,
// without L0s: ((payload + 28 bytes) x AckFactor / lanes + InternalDelay) x 3 symbols, with an InternalDelay of 19, 70
// and 115. From gen4 on: the least simplified one (base specification 4.0), 24,000 symbols; assumed for flits, too.
Time replayTimer(const PcieConfig& config);
// Payload per second of long trains to 64-bit addresses: the closed form of a link-bound drive.
double peakWriteRate(const PcieConfig& config); // by the device: what the host reads from the drive
double peakReadRate(const PcieConfig& config);  // what the host writes to the drive

struct PcieCounters {
    std::uint64_t packetsToHost = 0;
    std::uint64_t packetsToDrive = 0;

    void declare(Statistics& stats)
    {
        stats.add("packets_to_host", Unit::Count, "transaction layer packets to the host", packetsToHost);
        stats.add("packets_to_drive", Unit::Count, "transaction layer packets to the drive", packetsToDrive);
    }
};

class PcieLink {
public:
    explicit PcieLink(const PcieConfig& config);

    // By the device. Each returns when the last packet is at the other end.
    Time write(std::uint64_t address, std::uint32_t bytes, Time now)
    {
        return sendUp(writeTrain(config_, address, bytes), now);
    }
    // A packet train that the caller has composed from several address ranges.
    Time sendUp(const TlpTrain& train, Time now);
    // A read: requestRead returns the time at which its data can start to return; the second function, called at that
    // instant, returns when it arrives.
    Time requestRead(std::uint64_t address, std::uint32_t bytes, Time now)
    {
        return requestReads(requestTrain(config_, address, bytes), now);
    }
    Time requestReads(const TlpTrain& requests, Time now) { return sendUp(requests, now) + config_.memoryLatency; }
    struct Arrival {
        Time first; // its first byte
        Time last;
    };
    Arrival completeReads(const TlpTrain& completions, Time now);

    // By the host: registers, 4 or 8 bytes.
    Time writeRegister(std::uint64_t address, std::uint32_t bytes, Time now);
    Time readRegister(std::uint64_t address, std::uint32_t bytes, Time now); // when the value is at the host

    const PcieConfig& config() const { return config_; }
    Time lineTime(std::uint64_t bytes) const { return pcieLineTime(config_, bytes); }
    const Resource& toHost() const { return toHost_; }
    const Resource& toDrive() const { return toDrive_; }
    const PcieCounters& counters() const { return counters_; }
    const LinkErrorCounters& errors() const { return errors_.counters(); }
    void resetUsage();

private:
    Time passDown(std::uint64_t bytes, Time now); // a register access; returns its end
    // The line time of a train, its repetitions included.
    Time duration(const TlpTrain& train)
    {
        const Time own = lineTime(train.bytes);
        return errors_.isOn() ? own + repeats(train) : own;
    }
    Time repeats(const TlpTrain& train);

    PcieConfig config_;
    Resource toHost_;
    Resource toDrive_;
    Time registersFreeAt_{}; // end of the last register access on its way to the drive
    PcieCounters counters_;
    LinkErrorDraws errors_;
    Time replayTimer_;
};

} // namespace strobe::host
