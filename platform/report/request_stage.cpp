// SPDX-License-Identifier: Apache-2.0
#include "platform/report/request_stage.h"

#include <algorithm>

namespace strobe::platform {

namespace {

nand::Purpose purposeOf(StageId stage)
{
    return static_cast<nand::Purpose>((stage - requestStageTable.size()) / dieWorkTable.size());
}

DieWork workOf(StageId stage)
{
    return static_cast<DieWork>((stage - requestStageTable.size()) % dieWorkTable.size());
}

std::string underscored(std::string text)
{
    std::replace(text.begin(), text.end(), ' ', '_');
    return text;
}

} // namespace

StageId dieWait(nand::Purpose purpose, nand::Opcode opcode)
{
    switch (opcode) {
    case nand::Opcode::Program: return dieWait(purpose, DieWork::Programming);
    case nand::Opcode::Erase: return dieWait(purpose, DieWork::Erasing);
    case nand::Opcode::CopyBack: return dieWait(purpose, DieWork::Copying);
    default: return dieWait(purpose, DieWork::Reading);
    }
}

std::string stageName(StageId stage)
{
    if (!isDieWait(stage))
        return std::string(enumName(static_cast<RequestStage>(stage)));
    return "die wait: " + std::string(enumName(workOf(stage))) + ", " + std::string(enumName(purposeOf(stage)));
}

std::string stageKey(StageId stage)
{
    if (!isDieWait(stage))
        return underscored(std::string(enumName(static_cast<RequestStage>(stage))));
    return underscored("die wait " + std::string(enumName(workOf(stage))) + " " +
                       std::string(enumName(purposeOf(stage))));
}

std::string stageSentence(StageId stage)
{
    if (!isDieWait(stage))
        return std::string(requestStageTable[stage].help);
    const auto& work = dieWorkTable[static_cast<std::size_t>(workOf(stage))];
    const bool isHost = purposeOf(stage) == nand::Purpose::Host;
    return "waiting for a die that " + std::string(work.help) + " for " + (isHost ? "the " : "") +
           std::string(enumName(purposeOf(stage)));
}

std::array<Time, stageIds> StagePath::sums() const
{
    std::array<Time, stageIds> sums{};
    Time from = start_;
    for (const StageSegment& segment : segments_) {
        sums[segment.stage] += segment.end - from;
        from = segment.end;
    }
    return sums;
}

// The first three quarters become one segment per stage and detail: sums stay exact, their order in time is lost.
void StagePath::compact()
{
    const std::size_t old = segments_.size() * 3 / 4;
    struct Sum {
        StageId stage;
        StageId detail;
        Time time;
    };
    std::vector<Sum> sums;
    Time from = start_;
    for (std::size_t i = 0; i < old; ++i) {
        const StageSegment& segment = segments_[i];
        const auto same = std::find_if(sums.begin(), sums.end(), [&](const Sum& sum) {
            return sum.stage == segment.stage && sum.detail == segment.detail;
        });
        if (same == sums.end())
            sums.push_back({segment.stage, segment.detail, segment.end - from});
        else
            same->time += segment.end - from;
        from = segment.end;
    }
    std::vector<StageSegment> kept;
    kept.reserve(most);
    Time end = start_;
    for (const Sum& sum : sums)
        kept.push_back({end += sum.time, sum.stage, sum.detail});
    kept.insert(kept.end(), segments_.begin() + static_cast<std::ptrdiff_t>(old), segments_.end());
    segments_.swap(kept);
}

} // namespace strobe::platform
