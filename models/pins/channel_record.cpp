// SPDX-License-Identifier: Apache-2.0
#include "models/pins/channel_record.h"

#include "models/base/check.h"
#include "models/pins/tenure_writer.h"

#include <algorithm>

namespace strobe::pins {

namespace {

using Phase = channel::NandInterface::Phase;

struct Busy {   // of a plane
    Time start; // end of the request
    Time ready;
};

// R/B# is low while any plane is at work. Assumption: parts with plane-independent reads publish no rule.
void drawPlanes(Waveform& waveform, const PinTwin& twin, std::uint32_t die, std::vector<Busy> planes)
{
    std::sort(planes.begin(), planes.end(), [](const Busy& a, const Busy& b) { return a.start < b.start; });
    for (std::size_t i = 0; i < planes.size();) {
        Busy low = planes[i++];
        for (; i < planes.size() && planes[i].start < low.ready; ++i)
            low.ready = std::max(low.ready, planes[i].ready);
        twin.busy(waveform, low.start, low.ready, die);
    }
}

// Sectors that `data` points to: of a copy-back those up to the last that is replaced.
std::size_t sectorsOf(const nand::Operation& op)
{
    std::size_t sectors = op.sectors;
    for (std::uint64_t rest = op.replaced; op.opcode == nand::Opcode::CopyBack && rest != 0; rest >>= 1)
        ++sectors;
    return sectors;
}

} // namespace

RecordedOperation::RecordedOperation(const nand::Operation& finished, std::vector<BusTenure> tenures)
    : op_(finished), tenures_(std::move(tenures))
{
    if (!finished.data.empty() && finished.data.mode == DataMode::Bytes)
        data_.assign(finished.data.data, finished.data.data + sectorsOf(finished) * sectorBytes);
    op_.data = {};
    if (finished.moreSpares != nullptr)
        moreSpares_.assign(finished.moreSpares, finished.moreSpares + (recordsOf(finished) - 1));
    op_.moreSpares = nullptr;
}

nand::Operation RecordedOperation::op() const
{
    nand::Operation op = op_;
    if (!data_.empty()) // only ever read from
        op.data = {const_cast<std::byte*>(data_.data()), DataMode::Bytes};
    if (!moreSpares_.empty())
        op.moreSpares = const_cast<nand::Spare*>(moreSpares_.data());
    return op;
}

ChannelPicture drawChannel(const std::vector<PinTwin>& twins, std::uint32_t luns,
                           const std::vector<RecordedOperation>& operations)
{
    check(!twins.empty() && luns > 0, "a channel has dies");
    const auto dies = static_cast<std::uint32_t>(twins.size());
    ChannelPicture picture{Waveform(twins.front().model().signalling, dies / luns, dies)};
    std::vector<Tenure> drawn;
    std::vector<std::vector<Busy>> planes(dies);
    for (const RecordedOperation& recorded : operations) {
        nand::Operation op = recorded.op();
        const std::uint32_t die = raw(op.die) % dies;
        const std::uint32_t way = die / luns;
        const PinTwin& twin = twins[die];
        for (const BusTenure& tenure : recorded.tenures()) {
            op.form = tenure.form;
            op.accesses = tenure.accesses;
            switch (tenure.phase) {
            case Phase::Request: drawn.push_back(twin.request(picture.waveform, op, tenure.start, way)); break;
            case Phase::Response: drawn.push_back(twin.response(picture.waveform, op, tenure.start, way)); break;
            case Phase::CacheEnd: drawn.push_back(twin.cacheEnd(picture.waveform, tenure.start, way)); break;
            }
            check(drawn.back().end == tenure.end, "pins and bus schedule disagree about a length");
            if (tenure.form == nand::Form::PlaneRead && tenure.phase == Phase::Request)
                planes[die].push_back({tenure.end, tenure.ready});
            else if (tenure.phase == Phase::Request)
                twin.busy(picture.waveform, tenure.end, tenure.ready, die);
            else if (tenure.phase == Phase::CacheEnd)
                twin.busy(picture.waveform, tenure.end, twin.cacheEndReady(tenure.end, op.arrayEnd), die);
        }
    }
    for (std::uint32_t die = 0; die < dies; ++die)
        drawPlanes(picture.waveform, twins[die], die, std::move(planes[die]));
    picture.waveform.finish();

    std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        check(drawn[i].start >= drawn[i - 1].end, "two operations are on the bus at once");
        if (drawn[i].firstDrive < drawn[i - 1].released)
            ++picture.contentions;
    }
    return picture;
}

} // namespace strobe::pins
