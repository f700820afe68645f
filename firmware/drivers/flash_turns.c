/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/flash_turns.h"

uint32_t flash_line_take(struct flash_line* line, struct flash_die* dies)
{
    const uint32_t number = line->head;
    line->head = dies[number].next_waiting;
    dies[number].waiting = false;
    return number;
}

void flash_turns_init(struct flash_turns* turns)
{
    *turns = (struct flash_turns){.active = 0};
    flash_line_init(&turns->line);
}

HAL_RARE bool flash_turns_may_go(struct flash_turns* turns, struct flash_die* dies, uint32_t number)
{
    const struct flash_die* die = &dies[number];
    const bool someone_waits = turns->line.head != FLASH_NONE;
    if (flash_die_works(die))
        return !someone_waits && turns->active <= turns->governor.limit;
    if (!die->waiting && !someone_waits && turns->active < turns->governor.limit)
        return true;
    if (die->queued != 0)
        flash_line_put(&turns->line, dies, number);
    return false;
}

HAL_RARE uint32_t flash_turns_next(struct flash_turns* turns, struct flash_die* dies)
{
    if (turns->line.head == FLASH_NONE || (flash_turns_exist(turns) && turns->active >= turns->governor.limit))
        return FLASH_NONE;
    return flash_line_take(&turns->line, dies);
}

HAL_RARE bool flash_turns_govern(struct flash_turns* turns, const struct flash_die* dies, uint32_t count)
{
    const uint32_t pending = reg_read(INTC_PENDING + hal_core() * HAL_CORE_STEP);
    if ((pending & 1u << HAL_LINE_THERMAL) == 0 || !governor_look(&turns->governor))
        return false;
    turns->active = 0;
    for (uint32_t die = 0; die < count; ++die)
        turns->active += flash_die_works(&dies[die]) ? 1 : 0;
    return true;
}

HAL_RARE bool flash_turns_govern_busy(struct flash_turns* turns, const struct flash_die* dies, uint32_t count)
{
    return (++turns->rounds & 15u) == 0 && flash_turns_govern(turns, dies, count);
}
