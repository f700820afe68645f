/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/read_progress.h"

#include "firmware/drivers/timer.h"
#include "firmware/ftl/superblock_map/policy.h"

struct fence read_fence(const struct read_progress* progress)
{
    return (struct fence){progress->begun, progress->synthesizer ? reg_read(FLASH_SYNTH_STARTED) : 0};
}

bool read_fence_has_passed(struct read_progress* progress, const struct fence* fence)
{
    if ((int32_t)(progress->ended - fence->read) < 0)
        return false;
    if ((int32_t)(progress->synthesized - fence->synthesized) < 0)
        progress->synthesized = reg_read(FLASH_SYNTH_ENDED);
    const bool passed = (int32_t)(progress->synthesized - fence->synthesized) >= 0;
    progress->awaits_synthesizer |= !passed;
    return passed;
}

void read_alarm_set(struct read_progress* progress)
{
    progress->alarm = progress->awaits_synthesizer;
    if (progress->alarm)
        timer_set(hal_time_ns() + SYNTHESIZER_LOOK_NS);
}

void read_alarm_cancel(struct read_progress* progress)
{
    progress->awaits_synthesizer = false;
    if (progress->alarm)
        timer_cancel();
    progress->alarm = false;
}
