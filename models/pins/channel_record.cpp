// SPDX-License-Identifier: Apache-2.0
#include "models/pins/channel_record.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::pins {

RecordedOperation::RecordedOperation(const nand::Operation& finished) : op_(finished)
{
    if (!finished.data.empty() && finished.data.mode == DataMode::Bytes)
        data_.assign(finished.data.data, finished.data.data + finished.sectors * sectorBytes);
    op_.data = {};
}

nand::Operation RecordedOperation::op() const
{
    nand::Operation op = op_;
    if (!data_.empty()) // only ever read from
        op.data = {const_cast<std::byte*>(data_.data()), DataMode::Bytes};
    return op;
}

ChannelPicture drawChannel(const std::vector<PinTwin>& twins, std::uint32_t luns,
                           const std::vector<RecordedOperation>& operations)
{
    check(!twins.empty() && luns > 0, "a channel has dies");
    const auto dies = static_cast<std::uint32_t>(twins.size());
    ChannelPicture picture{Waveform(twins.front().model().signalling, dies / luns, dies)};
    std::vector<PinTwin::Tenure> tenures;
    for (const RecordedOperation& recorded : operations) {
        const nand::Operation op = recorded.op();
        if (!PinTwin::knows(op)) {
            ++picture.left;
            continue;
        }
        const std::uint32_t die = raw(op.die) % dies;
        const PinTwin& twin = twins[die];
        tenures.push_back(twin.request(picture.waveform, op, op.requestStart, die / luns));
        check(tenures.back().end == op.requestEnd, "pins and bus schedule disagree about the length of a request");
        twin.busy(picture.waveform, op, op.requestEnd, op.ready, die);
        Waveform measure(twin.model().signalling); // a response is known by its end
        const PinTwin::Tenure length = twin.response(measure, op, {}, die / luns);
        if (length.end > Time{})
            tenures.push_back(twin.response(picture.waveform, op, op.done - length.end, die / luns));
    }
    picture.waveform.finish();

    std::sort(tenures.begin(), tenures.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < tenures.size(); ++i) {
        check(tenures[i].start >= tenures[i - 1].end, "two operations are on the bus at once");
        if (tenures[i].firstDrive < tenures[i - 1].released)
            ++picture.contentions;
    }
    return picture;
}

} // namespace strobe::pins
