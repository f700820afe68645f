/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/software_units.h"

#include "firmware/drivers/flash.h"
#include "firmware/drivers/unit_lists.h"

#define NOTHING UINT32_MAX

/* --- queues ------------------------------------------------------------------------------------------------------- */

static void put(struct software_units* units, struct software_queue* queue, uint32_t number)
{
    units->chip[number].next = NOTHING;
    if (queue->head == NOTHING)
        queue->head = number;
    else
        units->chip[queue->tail].next = number;
    queue->tail = number;
}

static uint32_t take(struct software_units* units, struct software_queue* queue)
{
    const uint32_t number = queue->head;
    if (number != NOTHING)
        queue->head = units->chip[number].next;
    return number;
}

/* --- a chip's share of a page --------------------------------------------------------------------------------------
 */

/* A chip's share of the part of a superpage that the descriptor covers: sectors `first` … of its page. Sector i of the
 * share is sector `index` + i * b of the descriptor. */
struct share {
    uint32_t first, sectors; /* 0: none */
    uint32_t index;
};

/* Sectors of the descriptor in a row of the superblock (rows of all superpages counted), as [from, until). */
struct row_run {
    uint32_t from, until;
};

static struct row_run run_of(const struct software_units* units, const struct flash_descriptor* d, uint32_t row)
{
    const uint32_t base = row * units->row_sectors;
    const uint32_t end = d->start_sector + d->sectors;
    struct row_run run = {base, base + units->row_sectors};
    if (run.from < d->start_sector)
        run.from = d->start_sector;
    if (run.until > end)
        run.until = end;
    return run;
}

static struct share share_of(const struct software_units* units, const struct flash_descriptor* d, uint32_t row,
                             uint32_t bus)
{
    const uint32_t b = units->degrees.bus;
    const struct row_run run = run_of(units, d, row);
    struct share share = {0, 0, 0};
    if (run.from >= run.until)
        return share;
    const uint32_t within = run.from - row * units->row_sectors;
    const uint32_t offset = (bus + b - within % b) % b; /* to the first sector on this bus */
    if (run.from + offset >= run.until)
        return share;
    share.first = (within + offset) / b;
    share.sectors = (run.until - run.from - offset + b - 1) / b;
    share.index = run.from + offset - d->start_sector;
    return share;
}

/* The index of the page among the descriptor's pages, in the order of spare records: by row, in a row by bus. */
static uint32_t page_number(const struct software_units* units, const struct flash_descriptor* d, uint32_t row,
                            uint32_t bus)
{
    const uint32_t first_row = d->start_sector / units->row_sectors;
    uint32_t number = 0;
    if (row != first_row) {
        for (uint32_t i = 0; i < units->degrees.bus; ++i)
            number += share_of(units, d, first_row, i).sectors != 0;
        number += (row - first_row - 1) * units->degrees.bus;
    }
    for (uint32_t i = 0; i < bus; ++i)
        number += share_of(units, d, row, i).sectors != 0;
    return number;
}

/* --- low-level operations ----------------------------------------------------------------------------------------- */

/* Copies the page's words of the sector table into a table of the chip; returns how many of its sectors are buffered.
 */
static uint32_t gather(struct software_units* units, uint32_t number, const uint32_t* table, const struct share* share)
{
    uint32_t* words = units->words + number * units->page_sectors;
    uint32_t buffered = 0;
    for (uint32_t i = 0; i < share->sectors; ++i, table += units->degrees.bus) {
        words[i] = *table;
        buffered += *table != 0;
    }
    HAL_COST_TIMES(unit_word, share->sectors);
    return buffered;
}

static void use_table(struct software_units* units, uint32_t number)
{
    struct flash_descriptor* low = &units->low[number];
    low->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    low->spare_address = units->words_at + number * units->page_sectors * 4;
}

static void use_buffer(const struct software_units* units, const struct flash_descriptor* d,
                       const struct software_chip* chip, const struct share* share, struct flash_descriptor* low)
{
    low->buffer = d->buffer + share->index * SECTOR_BYTES;
    low->control |= (units->degrees.bus > 1 ? units->degrees.bus : 0) << FLASH_DESCRIPTOR_CONTROL_STEP_SHIFT;
    const bool has_records = (d->control & FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK) == 0 && d->spare_address != 0;
    if (has_records)
        low->spare_address =
            d->spare_address + (uint32_t)sizeof(struct flash_spare) *
                                   page_number(units, d, chip->page * units->degrees.chip + chip->row, chip->bus);
}

/* Composes the low-level descriptor for the chip's page; false: the page needs no operation. */
static bool compose(struct software_units* units, uint32_t number)
{
    const struct software_unit* unit = &units->unit[number / units->chips];
    const struct software_chip* chip = &units->chip[number];
    const struct flash_descriptor* d = unit->descriptor;
    struct flash_descriptor* low = &units->low[number];
    const uint32_t opcode = d->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK;
    const uint32_t place = chip->row * units->degrees.bus + chip->bus;
    const uint32_t kept = FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK | FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK |
                          FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    low->control = (d->control & kept) | FLASH_DESCRIPTOR_CONTROL_REPORT_MASK | FLASH_DESCRIPTOR_CONTROL_ONE_CHIP_MASK |
                   FLASH_DESCRIPTOR_CONTROL_STEPPED_MASK;
    low->superchip = chip->die;
    low->blocks = 0;
    low->start_sector = 0;
    low->sectors = 0;
    low->spare_address = 0;
    if (unit->blocks != NULL) {
        low->control |= FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK;
        low->blocks = unit->blocks[place];
    }
    if (opcode == FLASH_ERASE)
        return true;
    const struct share share = share_of(units, d, chip->page * units->degrees.chip + chip->row, chip->bus);
    if (share.sectors == 0)
        return false;
    const uint32_t buffered = unit->table != NULL ? gather(units, number, unit->table + share.index, &share) : 0;
    low->start_sector = chip->page * units->page_sectors + share.first;
    low->sectors = share.sectors;
    low->spare0 = d->spare0;
    low->spare1 = d->spare1;
    low->spare2 = d->spare2;
    low->spare3 = d->spare3;
    if (buffered != 0 || (unit->table != NULL && opcode == FLASH_READ))
        use_table(units, number);
    if (opcode == FLASH_COPYBACK && buffered == share.sectors) { /* nothing of the source is left */
        low->control = (low->control & ~FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) | FLASH_PROGRAM;
    } else if (opcode == FLASH_COPYBACK) {
        low->source_blocks = unit->source_blocks[place];
        low->source_sector = (unit->source_page + chip->page - unit->first_page) * units->page_sectors + share.first;
    } else if (opcode == FLASH_READ || unit->table == NULL) {
        use_buffer(units, d, chip, &share, low);
    } else if (buffered == 0) {
        return false; /* a page without buffered sectors stays blank */
    }
    return true;
}

/* The primitive after the one issued last, of an operation that is suspended. A copy-back that changes nothing of the
 * page is one command with one array time. */
static uint16_t following(const struct flash_descriptor* low, uint32_t last)
{
    const uint32_t in_halves = FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK | FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    switch (low->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) {
    case FLASH_READ: return FLASH_DATA_OUT;
    case FLASH_COPYBACK:
        if ((low->control & in_halves) == 0 || last == FLASH_TRANSFER)
            return FLASH_STATUS_READ;
        return last == FLASH_RECORD_OUT ? FLASH_TRANSFER : FLASH_RECORD_OUT;
    default: return FLASH_STATUS_READ;
    }
}

/* --- a unit ------------------------------------------------------------------------------------------------------- */

static bool is_supported(const struct flash_descriptor* d)
{
    const uint32_t opcode = d->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK;
    if (opcode < FLASH_READ || opcode > FLASH_COPYBACK)
        return false;
    if (opcode == FLASH_ERASE)
        return true;
    return d->sectors != 0 && (d->control & FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK) == 0 &&
           !(opcode == FLASH_READ && d->buffer == HOST_BUFFER);
}

static const uint32_t* list_at(const struct software_units* units, const struct flash_descriptor* d,
                               const uint32_t* word)
{
    if ((d->control & FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK) != 0)
        return word;
    return *word == 0 ? NULL : hal_memory(*word, units->chips * 4);
}

static void start_chips(struct software_units* units, uint32_t first_number, const struct software_unit* unit)
{
    for (uint32_t i = 0; i < units->chips; ++i) {
        struct software_chip* chip = &units->chip[first_number + i];
        chip->die = superchip_die(&units->degrees, unit->descriptor->superchip, i);
        chip->page = unit->first_page;
        chip->next_primitive = 0;
        put(units, &units->ready, first_number + i);
    }
}

static void begin(struct software_units* units, uint32_t number, bus_address at)
{
    struct software_unit* unit = &units->unit[number];
    struct flash_descriptor* d = hal_memory(at, sizeof *d);
    const uint32_t opcode = d->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK;
    HAL_COST(unit_start);
    *unit = (struct software_unit){.descriptor = d, .open = units->chips, .status = FLASH_OK};
    if (!is_supported(d))
        unit_list_refuse(d, FLASH_MALFORMED);
    unit->blocks = list_at(units, d, &d->blocks);
    if (opcode != FLASH_ERASE) {
        unit->first_page = d->start_sector / units->superpage_sectors;
        unit->last_page = (d->start_sector + d->sectors - 1) / units->superpage_sectors;
        if ((d->control & FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK) != 0)
            unit->table = hal_memory(d->spare_address, d->sectors * 4);
    }
    if (opcode == FLASH_COPYBACK) {
        unit->source_blocks = list_at(units, d, &d->source_blocks);
        unit->source_page = d->source_sector / units->superpage_sectors;
    }
    start_chips(units, number * units->chips, unit);
}

static void retire(struct software_units* units, uint32_t number)
{
    struct software_unit* unit = &units->unit[number];
    struct flash_descriptor* d = unit->descriptor;
    const bool reports = (d->control & FLASH_DESCRIPTOR_CONTROL_REPORT_MASK) != 0 ||
                         (unit->status & FLASH_DESCRIPTOR_STATUS_CODE_MASK) != FLASH_OK;
    const uint32_t status = d->status = unit->status;
    unit->descriptor = NULL;
    if (d->next != 0)
        begin(units, number, d->next);
    if (reports)
        units->on_done(units->context, d, status);
}

static void chip_is_done(struct software_units* units, uint32_t number)
{
    struct software_unit* unit = &units->unit[number / units->chips];
    if (--unit->open == 0)
        retire(units, number / units->chips);
}

static void go_on(struct software_units* units, uint32_t number)
{
    const struct software_unit* unit = &units->unit[number / units->chips];
    const bool has_failed = (unit->status & FLASH_DESCRIPTOR_STATUS_CODE_MASK) != FLASH_OK;
    if (has_failed || units->chip[number].page > unit->last_page)
        chip_is_done(units, number);
    else
        put(units, &units->ready, number);
}

/* The die takes an operation more: the chip that has waited longest for that becomes ready. */
static void admit(struct software_units* units, struct software_die* die)
{
    const uint32_t waiting = die->under_way < units->die_limit ? take(units, &die->waiting) : NOTHING;
    if (waiting != NOTHING)
        put(units, &units->ready, waiting);
}

static void issue(struct software_chip* chip)
{
    HAL_COST(unit_primitive);
    reg_write(FLASH_PRIMITIVE + FLASH_PRIMITIVE_STEP * chip->die, chip->next_primitive);
    chip->last_primitive = chip->next_primitive;
    chip->next_primitive = 0;
}

bool software_units_step(struct software_units* units)
{
    if (!software_units_are_ready(units))
        return false;
    const uint32_t number = take(units, &units->ready);
    struct software_chip* chip = &units->chip[number];
    if (chip->next_primitive != 0) {
        issue(chip);
        return true;
    }
    struct software_die* die = &units->die[chip->die];
    const struct software_unit* unit = &units->unit[number / units->chips];
    if ((unit->status & FLASH_DESCRIPTOR_STATUS_CODE_MASK) != FLASH_OK) { /* of another chip, since it became ready */
        chip_is_done(units, number);
        admit(units, die);
        return true;
    }
    if (die->under_way == units->die_limit) {
        put(units, &die->waiting, number);
        return true;
    }
    HAL_COST(unit_page);
    const bool has_work = compose(units, number);
    ++chip->page;
    chip->last_primitive = 0;
    if (has_work) {
        ++die->under_way;
        unit_list_start(chip->die, units->low_at + number * (uint32_t)sizeof(struct flash_descriptor));
    } else {
        go_on(units, number);
        admit(units, die); /* the turn that the chip did not need */
    }
    return true;
}

static void note(struct software_unit* unit, uint32_t place, uint32_t page, uint32_t status)
{
    unit->status |= status & FLASH_DESCRIPTOR_STATUS_BLANK_MASK;
    const uint32_t code = status & FLASH_DESCRIPTOR_STATUS_CODE_MASK;
    if (code == FLASH_OK || (unit->status & FLASH_DESCRIPTOR_STATUS_CODE_MASK) != FLASH_OK)
        return;
    unit->status = (unit->status & FLASH_DESCRIPTOR_STATUS_BLANK_MASK) | code |
                   place << FLASH_DESCRIPTOR_STATUS_CHIP_SHIFT |
                   (page << FLASH_DESCRIPTOR_STATUS_PAGE_SHIFT & FLASH_DESCRIPTOR_STATUS_PAGE_MASK);
}

static void end(struct software_units* units, uint32_t number, uint32_t status)
{
    const struct software_chip* chip = &units->chip[number];
    struct software_die* die = &units->die[chip->die];
    const uint32_t code = status & FLASH_DESCRIPTOR_STATUS_CODE_MASK;
    if (code == FLASH_ILLEGAL || code == FLASH_MALFORMED)
        unit_list_refuse(&units->low[number], code);
    --die->under_way;
    admit(units, die);
    note(&units->unit[number / units->chips], chip->row * units->degrees.bus + chip->bus, chip->page - 1, status);
    go_on(units, number);
}

void software_units_event(struct software_units* units, uint32_t number, uint32_t status)
{
    struct software_chip* chip = &units->chip[number];
    if ((status & FLASH_EVENT_STATUS_CODE_MASK) == FLASH_SUSPENDED) {
        chip->next_primitive = following(&units->low[number], chip->last_primitive);
        put(units, &units->ready, number);
    } else {
        end(units, number, status);
    }
}

void software_units_submit(struct software_units* units, uint32_t unit, bus_address head)
{
    if (units->unit[unit].descriptor != NULL)
        hal_panic("software unit: a second list arrived while one is in progress");
    begin(units, unit, head);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void init_low_level(struct software_units* units, struct arena* arena, uint32_t first_cookie)
{
    const uint32_t numbers = units->units * units->chips;
    const uint32_t bytes = (uint32_t)sizeof(struct flash_descriptor);
    units->low_at = arena_take(arena, numbers, bytes, 64, "low-level flash descriptors");
    units->low = hal_memory(units->low_at, numbers * bytes);
    units->words_at = arena_take(arena, (uint64_t)numbers * units->page_sectors, 4, 64, "low-level flash descriptors");
    units->words = hal_memory(units->words_at, numbers * units->page_sectors * 4);
    for (uint32_t number = 0; number < numbers; ++number) {
        units->chip[number].row = (uint16_t)(number % units->chips / units->degrees.bus);
        units->chip[number].bus = (uint16_t)(number % units->chips % units->degrees.bus);
        units->low[number].cookie = first_cookie + number;
    }
}

void software_units_init(struct software_units* units, struct arena* arena, const struct boot_block* boot,
                         uint32_t first_cookie, software_handler on_done, void* context)
{
    const uint32_t dies = boot->channels * boot->ways * boot->luns;
    *units = (struct software_units){.units = boot->units, .on_done = on_done, .context = context};
    units->ready = (struct software_queue){NOTHING, NOTHING};
    units->degrees = (struct superchip_degrees){boot->superchip_bus, boot->superchip_chip, boot->ways * boot->luns};
    units->chips = boot->superchip_bus * boot->superchip_chip;
    units->page_sectors = boot->page_bytes / SECTOR_BYTES;
    units->row_sectors = units->page_sectors * boot->superchip_bus;
    units->superpage_sectors = units->row_sectors * boot->superchip_chip;
    units->die_limit = boot->unit_depth + 1;
    units->unit = arena_array(arena, units->units, sizeof *units->unit, "the software units");
    units->chip = arena_array(arena, (uint64_t)units->units * units->chips, sizeof *units->chip, "the software units");
    units->die = arena_array(arena, dies, sizeof *units->die, "the software units");
    for (uint32_t i = 0; i < dies; ++i)
        units->die[i].waiting = (struct software_queue){NOTHING, NOTHING};
    init_low_level(units, arena, first_cookie);
}
