#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The vSCSI statistics of a hypervisor's virtual disks, version 1, as collections of cache traces have them: records of
// 32 bytes without a header, little endian:
//   u32 number, u32 bytes, u32 scatter-gather elements, u16 SCSI operation code, u16 version (256), u64 sector,
//   u64 time in microseconds
// READ, WRITE and SYNCHRONIZE CACHE are read, write and flush; other commands are skipped (also UNMAP: its sectors are
// not in the record).

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class Vscsi1Reader final : public TraceReader {
public:
    explicit Vscsi1Reader(TraceText text) : TraceReader(std::move(text)) {}
    bool next(TraceRecord& record) override;
    TraceFormat format() const override { return TraceFormat::Vscsi1; }
    static bool probe(const TraceHead& head);

private:
    TraceClock clock_{std::chrono::microseconds(1)};
};

} // namespace strobe::host
