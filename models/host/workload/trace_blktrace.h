#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Binary traces of Linux blktrace, version 7, little endian: records of 48 bytes, each followed by data of its own
// (include/uapi/linux/blktrace_api.h):
//   u32 magic and version, u32 sequence, u64 time in ns, u64 sector, u32 bytes, u32 action and categories, u32 process,
//   u32 device, u32 CPU, u16 error, u16 length of the data
// blktrace writes one file for each CPU, NAME.blktrace.0, NAME.blktrace.1, …: given one of them, all others in its
// directory are read together, in the order of time. A single file (blkparse -d, or one CPU) is read as it is. Notes
// and pass-through commands are skipped.

#include "models/host/workload/trace_block_events.h"
#include "models/host/workload/trace_reader.h"

#include <vector>

namespace strobe::host {

class BlktraceReader final : public TraceReader {
public:
    // `others` are the files of the other CPUs.
    BlktraceReader(TraceText text, const TraceHead& head, std::vector<TraceText> others);
    static std::vector<TraceText> openOthers(const std::string& path);

    bool next(TraceRecord& record) override;
    TraceFormat format() const override { return TraceFormat::Blktrace; }
    static bool probe(const TraceHead& head);

private:
    struct Event {
        std::uint64_t stamp = 0;
        std::uint32_t device = 0;
        std::uint64_t byte = 0; // where it begins
        BlockEvent block;
    };
    struct Stream {
        TraceText* text;
        std::optional<Event> event; // the next; nothing at the end
    };

    static std::optional<Event> takeEvent(TraceText& text);
    std::uint32_t deviceNumber(std::uint32_t device);
    bool addEarliest(std::optional<SkipReason>& skipped); // false: all files are at their ends

    std::vector<TraceText> others_;
    std::vector<Stream> streams_;
    BlockEvents events_;
    std::vector<std::uint32_t> devices_; // in order of appearance
    TraceClock clock_{std::chrono::nanoseconds(1)};
};

} // namespace strobe::host
