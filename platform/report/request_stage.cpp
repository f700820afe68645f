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

} // namespace strobe::platform
