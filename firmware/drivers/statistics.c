/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/statistics.h"

static struct statistics unobserved;
static struct statistics* block = &unobserved;

static uint64_t joined(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

static void add(uint32_t* low, uint32_t* high, uint64_t amount)
{
    const uint64_t sum = joined(*low, *high) + amount;
    *low = (uint32_t)sum;
    *high = (uint32_t)(sum >> 32);
}

void statistics_start(bus_address address, uint32_t write_slots)
{
    block = &unobserved;
    if (address != 0)
        block = hal_memory(address, sizeof *block);
    *block = (struct statistics){.write_slots = write_slots};
}

static void use(uint32_t used)
{
    const uint64_t now = hal_time_ns();
    const uint64_t since = joined(block->used_at_lo, block->used_at_hi);
    add(&block->used_sum_lo, &block->used_sum_hi, block->used * (now - since));
    add(&block->used_at_lo, &block->used_at_hi, now - since);
    block->used = used;
}

void statistics_slots_taken(uint32_t slots)
{
    use(block->used + slots);
    block->taken += slots;
}

void statistics_slots_given(uint32_t slots)
{
    use(block->used - slots);
}

void statistics_count(enum statistic what, uint32_t more)
{
    switch (what) {
    case STATISTIC_AHEAD_READ: block->ahead_read += more; break;
    case STATISTIC_AHEAD_HIT: block->ahead_hit += more; break;
    case STATISTIC_AHEAD_MISSED: block->ahead_missed += more; break;
    case STATISTIC_AHEAD_WASTED: block->ahead_wasted += more; break;
    case STATISTIC_REFRESH_READS: block->refresh_reads += more; break;
    case STATISTIC_REFRESH_AGE: block->refresh_age += more; break;
    case STATISTIC_REFRESH_ERRORS: block->refresh_errors += more; break;
    case STATISTIC_REFRESH_UNITS: block->refresh_units += more; break;
    case STATISTIC_SCRUB_READS: block->scrub_reads += more; break;
    case STATISTIC_PARITY_STRIPES: block->parity_stripes += more; break;
    case STATISTIC_PARITY_REBUILT: block->parity_rebuilt += more; break;
    case STATISTIC_PARITY_LOST: block->parity_lost += more; break;
    }
}

static uint64_t wait(uint32_t waiting)
{
    const uint64_t now = hal_time_ns();
    const uint64_t passed = now - joined(block->waiting_at_lo, block->waiting_at_hi);
    add(&block->waiting_sum_lo, &block->waiting_sum_hi, block->waiting * passed);
    add(&block->waiting_at_lo, &block->waiting_at_hi, passed);
    if (block->waiting != 0)
        add(&block->short_lo, &block->short_hi, passed);
    block->waiting = waiting;
    if (block->most_waiting < waiting)
        block->most_waiting = waiting;
    return now;
}

uint64_t statistics_wait_begun(void)
{
    return wait(block->waiting + 1);
}

void statistics_wait_ended(uint64_t begun)
{
    const uint64_t waited = wait(block->waiting - 1) - begun;
    if (block->longest_wait < waited)
        block->longest_wait = waited > 0xFFFFFFFFu ? 0xFFFFFFFFu : (uint32_t)waited;
}
