// SPDX-License-Identifier: Apache-2.0
#include "models/pins/channel_record.h"

#include "models/base/check.h"
#include "models/pins/tenure_writer.h"

#include <algorithm>
#include <iterator>

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

// On separate command lines tenures overlap, but no two may take the same lines at once.
void checkLines(const std::vector<Tenure>& drawn)
{
    for (const bool isData : {false, true}) {
        std::vector<Tenure::Lines> taken;
        for (const Tenure& tenure : drawn) {
            std::copy_if(tenure.lines.begin(), tenure.lines.end(), std::back_inserter(taken),
                         [isData](const Tenure::Lines& lines) { return lines.isData == isData; });
        }
        std::sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
        for (std::size_t i = 1; i < taken.size(); ++i)
            check(taken[i].from >= taken[i - 1].to, "two operations are on the same lines at once");
    }
}

struct Part {
    const RecordedOperation* operation;
    const BusTenure* tenure;
};

// Of all operations, in order of time: what begins later is drawn over what ends at that instant.
std::vector<Part> inOrder(const std::vector<RecordedOperation>& operations)
{
    std::vector<Part> parts;
    for (const RecordedOperation& operation : operations) {
        for (const BusTenure& tenure : operation.tenures())
            parts.push_back({&operation, &tenure});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.tenure->start < b.tenure->start; });
    return parts;
}

// Tenures that drive the bus before a die has released it.
std::size_t contentionsOf(std::vector<Tenure> drawn)
{
    std::size_t contentions = 0;
    std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        check(drawn[i].start >= drawn[i - 1].end, "two operations are on the bus at once");
        contentions += drawn[i].firstDrive < drawn[i - 1].released ? 1U : 0U;
    }
    return contentions;
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
    for (const Part& part : inOrder(operations)) {
        nand::Operation op = part.operation->op();
        const BusTenure& tenure = *part.tenure;
        const std::uint32_t die = raw(op.die) % dies;
        const std::uint32_t way = die / luns;
        const PinTwin& twin = twins[die];
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
    for (std::uint32_t die = 0; die < dies; ++die)
        drawPlanes(picture.waveform, twins[die], die, std::move(planes[die]));
    picture.waveform.finish();

    if (twins.front().model().timing.hasCommandLines)
        checkLines(drawn);
    else
        picture.contentions = contentionsOf(std::move(drawn));
    return picture;
}

} // namespace strobe::pins
