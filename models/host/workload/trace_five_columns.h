#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The ASCII traces of three simulators: arrival, device, address, size and type, in five columns between blanks. They
// have the same form but different meanings:
//   MQSim and SSDsim  arrival in whole nanoseconds, type 0 to write and 1 to read
//   DiskSim           arrival in milliseconds with a fraction, flags in hexadecimal, of which bit 0 means read
// Addresses and sizes are 512-byte sectors in all of them. Each device is a file of its own.
//
// How they are distinguished: a fraction, or flags besides 0 and 1, are DiskSim's; arrivals 10,000 or more units apart
// on average are not milliseconds. Otherwise both formats are possible, and the trace is refused until the format is
// given. MQSim can be configured for arrivals in other units; a time scale corrects this.

#include "models/host/workload/trace_fields.h"
#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class FiveColumnReader : public LineTraceReader {
public:
    FiveColumnReader(TraceText text, Time tick) : LineTraceReader(std::move(text)), clock_(tick) {}

protected:
    // Reads device, address and size; `type` then reads the kind. REQUIRES: the arrival has been taken.
    void parseRest(TraceFields& fields, std::uint64_t stamp, TraceRecord& record);
    virtual RequestKind kind(TraceFields& fields) const = 0;

private:
    TraceFiles devices_;
    TraceClock clock_;
};

class MqsimSsdsimReader final : public FiveColumnReader {
public:
    explicit MqsimSsdsimReader(TraceText text) : FiveColumnReader(std::move(text), std::chrono::nanoseconds(1)) {}
    TraceFormat format() const override { return TraceFormat::MqsimSsdsim; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;
    RequestKind kind(TraceFields& fields) const override;
};

class DisksimReader final : public FiveColumnReader {
public:
    explicit DisksimReader(TraceText text) : FiveColumnReader(std::move(text), Time{1}) {}
    TraceFormat format() const override { return TraceFormat::Disksim; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;
    RequestKind kind(TraceFields& fields) const override;
};

} // namespace strobe::host
