// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/calibration_findings.h"

#include <algorithm>

namespace strobe::platform {

void addCalibration(std::optional<CalibrationReport>& report, const controller::FlashController& controller)
{
    const controller::ReadCapture* capture = controller.capture();
    if (capture == nullptr)
        return;
    if (!report)
        report.emplace();
    const nand::ArrayGeometry& array = controller.config().array;
    report->baseCycle = capture->config().baseCycle;
    report->dies.resize(array.dies());
    for (std::uint32_t i = 0; i < array.dies(); ++i) {
        const DieId id{static_cast<std::uint16_t>(i)};
        const controller::ReadCapture::Die& die = capture->die(id);
        DieCalibration& row = report->dies[i];
        row.channel = raw(array.channelOf(id));
        row.position = array.positionOf(id);
        row.cycle = capture->cycleOf(die.setting);
        row.sample = capture->sampleOf(die.setting);
        row.margin = scaled(capture->config().fastClock, die.margin, controller::ReadCapture::fineSteps);
        row.calibrations += die.calibrations;
        row.took += die.took;
        row.longest = std::max(row.longest, die.longest);
    }
    accumulate(report->capture, capture->counters());
}

} // namespace strobe::platform
