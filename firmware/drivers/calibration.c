/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/calibration.h"

enum step { LEARN, SEARCH, TO_THE_LEFT, TO_THE_RIGHT };

static struct {
    uint32_t dies, dividers, fine_steps, positions;
    uint32_t shortest;      /* acceptable window: the margin on both sides of the sample */
    uint32_t threshold;     /* 1/16 of a degree */
    bool is_working, again; /* the temperature has changed in the meantime */
    enum step step;
    uint32_t die, divider, position;
    uint32_t found, left; /* position inside the window that a search found, and its left end */
} calibration;

static uint32_t field(uint32_t value, uint32_t mask, uint32_t shift)
{
    return (value & mask) >> shift;
}

/* --- one pattern read --------------------------------------------------------------------------------------------- */

static uint32_t setting(uint32_t divider, uint32_t position)
{
    return divider | position / calibration.fine_steps << FLASH_DIE_CAPTURE_COARSE_SHIFT |
           position % calibration.fine_steps << FLASH_DIE_CAPTURE_FINE_SHIFT;
}

static void read_pattern(void)
{
    const bool learns = calibration.step == LEARN;
    reg_write(FLASH_PATTERN_SETTING, learns ? 0 : setting(calibration.divider, calibration.position));
    reg_write(FLASH_PATTERN_READ, calibration.die | (learns ? FLASH_PATTERN_READ_LEARN_MASK : 0));
}

/* --- the search --------------------------------------------------------------------------------------------------- */

static void begin_die(uint32_t die)
{
    const bool is_last = die == calibration.dies;
    calibration.is_working = !is_last || calibration.again;
    calibration.die = is_last ? 0 : die;
    if (is_last)
        calibration.again = false;
    calibration.step = LEARN;
    if (calibration.is_working)
        read_pattern();
}

static void end_die(uint32_t value)
{
    reg_write(FLASH_DIE_CAPTURE + FLASH_DIE_CAPTURE_STEP * calibration.die, value);
    begin_die(calibration.die + 1);
}

static void search_from(uint32_t position)
{
    calibration.step = SEARCH;
    calibration.position = position;
    if (position >= calibration.positions) { /* no window here: the next slower clock */
        ++calibration.divider;
        calibration.position = 0;
    }
    if (calibration.divider > calibration.dividers)
        end_die(0);
    else
        read_pattern();
}

static void go_left_from(uint32_t position)
{
    calibration.step = TO_THE_LEFT;
    calibration.position = position - 1;
    read_pattern();
}

static void go_right_from(uint32_t position)
{
    calibration.step = TO_THE_RIGHT;
    calibration.position = position + 1;
    read_pattern();
}

/* The window reaches from `left` to `right`. */
static void judge(uint32_t right)
{
    const uint32_t middle = (calibration.left + right) / 2;
    if (right - calibration.left + 1 < calibration.shortest)
        search_from(calibration.positions); /* there is only one window */
    else
        end_die(setting(calibration.divider, middle) | (middle - calibration.left) << FLASH_DIE_CAPTURE_MARGIN_SHIFT);
}

static void take_result(bool matches)
{
    const uint32_t position = calibration.position;
    switch (calibration.step) {
    case LEARN: break; /* see take_pattern */
    case SEARCH:
        if (!matches) {
            search_from(position + calibration.shortest);
            break;
        }
        calibration.found = calibration.left = position;
        if (position == 0)
            go_right_from(position);
        else
            go_left_from(position);
        break;
    case TO_THE_LEFT:
        if (matches)
            calibration.left = position;
        if (matches && position != 0)
            go_left_from(position);
        else
            go_right_from(calibration.found);
        break;
    case TO_THE_RIGHT:
        if (matches && position + 1 < calibration.positions)
            go_right_from(position);
        else
            judge(matches ? position : position - 1);
        break;
    }
}

/* A die that does not answer keeps the base clock. */
static void take_pattern(uint32_t bits)
{
    calibration.divider = 1;
    if (bits == 0)
        end_die(0);
    else
        search_from(0);
}

static void take(uint32_t status)
{
    HAL_COST(capture_step);
    reg_write(FLASH_PATTERN_STATUS, 0);
    if (calibration.step == LEARN)
        take_pattern(field(status, FLASH_PATTERN_STATUS_BITS_MASK, FLASH_PATTERN_STATUS_BITS_SHIFT));
    else
        take_result((status & FLASH_PATTERN_STATUS_MISMATCHES_MASK) == 0);
}

/* --- when --------------------------------------------------------------------------------------------------------- */

static void set_limits(void)
{
    const uint32_t now = reg_read(FLASH_TEMPERATURE);
    reg_write(FLASH_TEMPERATURE_LOW, now - calibration.threshold);
    reg_write(FLASH_TEMPERATURE_HIGH, now + calibration.threshold);
}

bool calibration_serve(void)
{
    const uint32_t status = reg_read(FLASH_PATTERN_STATUS);
    const bool is_done = (status & FLASH_PATTERN_STATUS_DONE_MASK) != 0;
    const bool has_changed = (status & FLASH_PATTERN_STATUS_TEMPERATURE_MASK) != 0;
    if (has_changed) {
        set_limits();
        if (calibration.is_working)
            calibration.again = true;
        else
            begin_die(0);
    }
    if (is_done)
        take(status);
    return is_done || has_changed;
}

bool calibration_start(const struct boot_block* boot)
{
    if (boot->capture_temperature == 0)
        return false;
    const uint32_t capture = reg_read(FLASH_CAPTURE);
    if ((capture & FLASH_CAPTURE_PRESENT_MASK) == 0)
        return false;
    calibration.dies = boot->channels * boot->ways * boot->luns;
    calibration.dividers = field(capture, FLASH_CAPTURE_DIVIDERS_MASK, FLASH_CAPTURE_DIVIDERS_SHIFT);
    calibration.fine_steps = field(capture, FLASH_CAPTURE_FINE_STEPS_MASK, FLASH_CAPTURE_FINE_STEPS_SHIFT);
    calibration.positions =
        field(capture, FLASH_CAPTURE_COARSE_MASK, FLASH_CAPTURE_COARSE_SHIFT) * calibration.fine_steps;
    calibration.shortest = 2 * boot->capture_margin + 1;
    calibration.threshold = boot->capture_temperature;
    calibration.again = false;
    reg_write(INTC_ENABLE, 1u << HAL_LINE_CAPTURE);
    set_limits();
    begin_die(0);
    while (calibration.is_working) {
        hal_wait_for_interrupt();
        calibration_serve();
    }
    return true;
}
