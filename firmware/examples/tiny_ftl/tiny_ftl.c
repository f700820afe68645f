/* SPDX-License-Identifier: Apache-2.0
 *
 * A translation layer that fits on a few screens: page mapping, write-through, one host command and one flash operation
 * at a time, garbage collection when a die runs out of blocks. It uses only the generated register map. A product needs
 * more, as in firmware/ftl: parallel work on many dies, a write buffer, wear levelling, blocks that become bad in use,
 * uncorrectable data. Here any flash operation that fails is reported as a device fault of its command.
 *
 *   strobe run --firmware build/release/firmware/example_tiny_ftl.elf workloads/random-read
 *
 * Control memory holds the two maps, the block table, the rings and one descriptor. The data buffer has three pages:
 * page 0 for host data, page 1 for moves, page 2 stays zero. Physical pages are numbered die by die, block by block.
 */
#include "firmware/hal/spare_layout.h"
#include "firmware/regs/strobe_regs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define SECTOR_BYTES 512u
#define NONE 0xFFFFFFFFu
#define PHASE FLASH_EVENT_STATUS_PHASE_MASK

enum { BUFFER_DATA = 0, BUFFER_MOVE = 1, BUFFER_ZEROS = 2 };
enum { RESERVE = 2 }; /* with fewer free blocks, garbage collection starts on a die */

/* For the debugger: word 0 of a spare record is the logical page + 1. */
STROBE_SPARE_LAYOUT = {
    .version = STROBE_SPARE_LAYOUT_VERSION,
    .logical = {.word = 0, .mask = 0xFFFFFFFF},
    .logical_offset = 1,
};

struct block {
    uint16_t valid; /* pages that the map refers to */
    uint16_t taken; /* pages that were programmed */
    bool bad, free;
};

struct die {
    uint32_t open; /* block that is being filled, or NONE */
    uint32_t free; /* blocks */
};

struct ring {
    volatile uint32_t (*entry)[4];
    uint32_t mask, taken;
};

static const struct boot_block* boot;
static uint32_t dies, blocks_per_die, pages_per_die, sectors_per_page, exported;
static uint32_t* physical_of; /* by logical page */
static uint32_t* logical_of;  /* by physical page */
static struct block* blocks;
static struct die* die_table;
static uint32_t next_die;
static uintptr_t memory_end, memory_next;

static struct ring host_ring, flash_ring;
static struct host_command* commands;
static struct flash_descriptor* descriptor;
static uint16_t* waiting; /* slots with a new command, in order of arrival */
static uint32_t first_waiting, waiting_count;

/* --- memory and rings --------------------------------------------------------------------------------------------- */

static void* take(uint32_t count, uint32_t size)
{
    const uintptr_t at = (memory_next + 63u) & ~(uintptr_t)63u;
    memory_next = at + (uintptr_t)count * size;
    if (memory_next > memory_end || memory_next < at)
        __asm__ volatile("ebreak"); /* control memory is too small */
    uint32_t* words = (uint32_t*)at;
    for (uint32_t i = 0; i < (count * size + 3) / 4; ++i)
        words[i] = 0;
    return words;
}

static void ring_init(struct ring* ring, uint32_t at_least, uint32_t base, uint32_t size)
{
    uint32_t entries = 16;
    while (entries < at_least)
        entries *= 2;
    ring->entry = take(entries, 16);
    ring->mask = entries - 1;
    REGISTER(base) = (uint32_t)(uintptr_t)ring->entry;
    REGISTER(size) = entries;
}

/* An entry is new if its phase bit matches the current pass over the ring (1 in the first pass). */
static bool ring_take(struct ring* ring, uint32_t consumer, uint32_t words[3])
{
    volatile uint32_t* entry = ring->entry[ring->taken & ring->mask];
    const uint32_t phase = (ring->taken & (ring->mask + 1)) == 0 ? PHASE : 0;
    if ((entry[0] & PHASE) != phase)
        return false;
    for (uint32_t i = 0; i < 3; ++i)
        words[i] = entry[i];
    REGISTER(consumer) = ++ring->taken;
    return true;
}

/* --- host --------------------------------------------------------------------------------------------------------- */

/* Takes all host events. Returns true if the transfer in progress has ended. */
static bool serve_host(void)
{
    uint32_t event[3];
    bool transferred = false;
    while (ring_take(&host_ring, HOST_RING_CONSUMER, event)) {
        if ((event[0] & HOST_EVENT_KIND_KIND_MASK) != HOST_EVENT_COMMAND) {
            transferred = true;
            continue;
        }
        waiting[(first_waiting + waiting_count++) % boot->host_slots] = (uint16_t)event[1];
    }
    return transferred;
}

static uint32_t buffer_address(uint32_t page, uint32_t sector)
{
    return boot->buffer_base + page * boot->page_bytes + sector * SECTOR_BYTES;
}

static void transfer(uint32_t slot, bool to_host, uint32_t first, uint32_t sectors, uint32_t address)
{
    REGISTER(HOST_XFER_RANGE) = first | (sectors - 1) << HOST_XFER_RANGE_MORE_SHIFT;
    REGISTER(HOST_XFER_BUFFER) = address;
    REGISTER(HOST_XFER_START) = slot | (to_host ? HOST_XFER_START_TO_HOST_MASK : 0) | HOST_XFER_START_NOTIFY_MASK;
    while (!serve_host())
        __asm__ volatile("wfi");
}

/* --- flash -------------------------------------------------------------------------------------------------------- */

/* Executes one operation and waits for it. Returns false if it failed. */
static bool flash(uint32_t opcode, uint32_t page, uint32_t sector, uint32_t sectors, uint32_t address)
{
    const uint32_t die = page / pages_per_die;
    const uint32_t in_block = page % boot->pages_per_block;
    descriptor->next = 0;
    descriptor->control = opcode | FLASH_DESCRIPTOR_CONTROL_REPORT_MASK | FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK |
                          FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK;
    descriptor->superchip = die;
    descriptor->blocks = page % pages_per_die / boot->pages_per_block;
    descriptor->start_sector = opcode == FLASH_ERASE ? 0 : in_block * sectors_per_page + sector;
    descriptor->sectors = sectors;
    descriptor->buffer = address;
    descriptor->spare0 = opcode == FLASH_PROGRAM ? logical_of[page] + 1 : 0; /* 0 would mark a bad block */
    REGISTER(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * (die % boot->units)) = (uint32_t)(uintptr_t)descriptor;
    uint32_t event[3];
    while (!ring_take(&flash_ring, FLASH_RING_CONSUMER, event)) {
        serve_host(); /* otherwise its interrupt line would end each sleep */
        __asm__ volatile("wfi");
    }
    return (event[0] & FLASH_EVENT_STATUS_CODE_MASK) == 1;
}

/* --- blocks and garbage collection -------------------------------------------------------------------------------- */

static struct block* block_of(uint32_t page)
{
    return &blocks[page / boot->pages_per_block];
}

static void forget(uint32_t logical)
{
    const uint32_t page = physical_of[logical];
    if (page == NONE)
        return;
    --block_of(page)->valid;
    logical_of[page] = NONE;
    physical_of[logical] = NONE;
}

/* Claims the next page of the die's open block for this logical page. NONE: the die has no free block. */
static uint32_t claim(uint32_t die, uint32_t logical)
{
    struct die* d = &die_table[die];
    const uint32_t first = die * blocks_per_die;
    if (d->open == NONE || blocks[d->open].taken == boot->pages_per_block) {
        d->open = NONE;
        for (uint32_t block = first; d->free != 0 && block < first + blocks_per_die; ++block) {
            if (blocks[block].free) {
                blocks[block].free = false;
                --d->free;
                d->open = block;
                break;
            }
        }
        if (d->open == NONE)
            return NONE;
    }
    const uint32_t page = d->open * boot->pages_per_block + blocks[d->open].taken++;
    logical_of[page] = logical;
    return page;
}

/* The page that was claimed holds the newest data of its logical page. */
static void publish(uint32_t page)
{
    const uint32_t logical = logical_of[page];
    forget(logical);
    logical_of[page] = logical;
    physical_of[logical] = page;
    ++block_of(page)->valid;
}

static uint32_t victim(uint32_t die)
{
    uint32_t best = NONE;
    for (uint32_t block = die * blocks_per_die; block < (die + 1) * blocks_per_die; ++block) {
        const struct block* b = &blocks[block];
        if (b->taken == boot->pages_per_block && !b->bad && (best == NONE || b->valid < blocks[best].valid))
            best = block;
    }
    return best;
}

/* Empties full blocks until the die has its reserve again. Returns false if that is impossible. */
static bool collect(uint32_t die)
{
    while (die_table[die].free < RESERVE) {
        const uint32_t block = victim(die);
        if (block == NONE || blocks[block].valid == boot->pages_per_block)
            return false;
        const uint32_t first = block * boot->pages_per_block;
        for (uint32_t from = first; from < first + boot->pages_per_block; ++from) {
            if (logical_of[from] == NONE)
                continue;
            const uint32_t to = claim(die, logical_of[from]);
            if (to == NONE || !flash(FLASH_READ, from, 0, sectors_per_page, buffer_address(BUFFER_MOVE, 0)) ||
                !flash(FLASH_PROGRAM, to, 0, sectors_per_page, buffer_address(BUFFER_MOVE, 0)))
                return false;
            publish(to);
        }
        if (!flash(FLASH_ERASE, first, 0, 0, 0))
            return false;
        if (die_table[die].open == block)
            die_table[die].open = NONE;
        blocks[block].taken = 0;
        blocks[block].free = true;
        ++die_table[die].free;
    }
    return true;
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static bool read_page(uint32_t slot, uint32_t logical, uint32_t column, uint32_t first, uint32_t sectors)
{
    const uint32_t page = physical_of[logical];
    const uint32_t buffer = page == NONE ? BUFFER_ZEROS : BUFFER_DATA;
    if (page != NONE && !flash(FLASH_READ, page, column, sectors, buffer_address(buffer, column)))
        return false;
    transfer(slot, true, first, sectors, buffer_address(buffer, column));
    return true;
}

/* The buffer holds a whole page: programs it on the next die with a free page. */
static bool program_page(uint32_t logical, uint32_t buffer)
{
    for (uint32_t tries = 0; tries < dies; ++tries) {
        const uint32_t die = next_die;
        next_die = next_die + 1 == dies ? 0 : next_die + 1;
        if (!collect(die))
            continue;
        const uint32_t page = claim(die, logical);
        if (page == NONE || !flash(FLASH_PROGRAM, page, 0, sectors_per_page, buffer_address(buffer, 0)))
            return false;
        publish(page);
        return true;
    }
    return false;
}

static bool write_page(uint32_t slot, uint32_t logical, uint32_t column, uint32_t first, uint32_t sectors)
{
    if (sectors != sectors_per_page) { /* the rest of the page keeps its data, or zeros */
        if (physical_of[logical] == NONE && !program_page(logical, BUFFER_ZEROS))
            return false;
        if (!flash(FLASH_READ, physical_of[logical], 0, sectors_per_page, buffer_address(BUFFER_DATA, 0)))
            return false;
    }
    transfer(slot, false, first, sectors, buffer_address(BUFFER_DATA, column));
    return program_page(logical, BUFFER_DATA);
}

static uint32_t execute(uint32_t slot)
{
    const struct host_command* command = &commands[slot];
    const uint32_t kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    const uint64_t lba = (uint64_t)command->lba_hi << 32 | command->lba_lo;
    if (kind < HOST_READ || kind > HOST_TRIM)
        return HOST_NOT_SUPPORTED;
    if (kind != HOST_FLUSH && lba + command->sectors > (uint64_t)exported * sectors_per_page)
        return HOST_OUT_OF_RANGE;
    for (uint32_t done = 0; kind != HOST_FLUSH && done < command->sectors;) { /* a flush has nothing to do */
        const uint32_t logical = (uint32_t)((lba + done) / sectors_per_page);
        const uint32_t column = (uint32_t)((lba + done) % sectors_per_page);
        uint32_t sectors = sectors_per_page - column;
        if (sectors > command->sectors - done)
            sectors = command->sectors - done;
        bool ok = true;
        if (kind == HOST_READ)
            ok = read_page(slot, logical, column, done, sectors);
        else if (kind == HOST_WRITE)
            ok = write_page(slot, logical, column, done, sectors);
        else if (sectors == sectors_per_page) /* a partly trimmed page keeps its data */
            forget(logical);
        if (!ok)
            return HOST_DEVICE_FAULT;
        done += sectors;
    }
    return HOST_OK;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void find_bad_blocks(void)
{
    const uint32_t* table = (const uint32_t*)(uintptr_t)boot->bad_block_table;
    for (uint32_t block = 0; block < dies * blocks_per_die; ++block) {
        blocks[block].bad = table != NULL && (table[block / 32] >> block % 32 & 1u) != 0;
        blocks[block].free = !blocks[block].bad;
        die_table[block / blocks_per_die].free += blocks[block].free ? 1u : 0;
    }
}

static void init(void)
{
    boot = (const struct boot_block*)BOOT_BLOCK_BASE;
    dies = boot->channels * boot->ways * boot->luns;
    blocks_per_die = boot->planes * boot->blocks_per_plane;
    pages_per_die = blocks_per_die * boot->pages_per_block;
    sectors_per_page = boot->page_bytes / SECTOR_BYTES;
    memory_next = boot->memory_base;
    memory_end = boot->memory_base + boot->memory_size;

    descriptor = take(1, sizeof *descriptor);
    commands = take(boot->host_slots, sizeof *commands);
    waiting = take(boot->host_slots, sizeof *waiting);
    blocks = take(dies * blocks_per_die, sizeof *blocks);
    die_table = take(dies, sizeof *die_table);
    logical_of = take(dies * pages_per_die, sizeof *logical_of);
    find_bad_blocks();

    uint32_t least = NONE; /* good blocks of the die with the fewest, because pages go to the dies in turn */
    for (uint32_t die = 0; die < dies; ++die) {
        die_table[die].open = NONE;
        least = die_table[die].free < least ? die_table[die].free : least;
    }
    /* A tenth, and the reserve, is for garbage collection. */
    exported = (least - least / 10 - RESERVE - 2) * boot->pages_per_block * dies;
    physical_of = take(exported, sizeof *physical_of);
    for (uint32_t page = 0; page < exported; ++page)
        physical_of[page] = NONE;
    for (uint32_t page = 0; page < dies * pages_per_die; ++page)
        logical_of[page] = NONE;

    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);
    ring_init(&host_ring, boot->host_slots + 16, HOST_RING_BASE, HOST_RING_ENTRIES);
    REGISTER(HOST_COMMANDS) = (uint32_t)(uintptr_t)commands;
    REGISTER(HOST_CAPACITY_LO) = exported * sectors_per_page;
    REGISTER(HOST_CAPACITY_HI) = 0;
    REGISTER(INTC_ENABLE) = INTC_PENDING_HOST_MASK | INTC_PENDING_FLASH_MASK;
    REGISTER(HOST_CONTROL) = HOST_CONTROL_ENABLE_MASK;
}

_Noreturn void firmware_main(void);

_Noreturn void firmware_main(void)
{
    init();
    for (;;) {
        serve_host();
        if (waiting_count == 0) {
            __asm__ volatile("wfi");
            continue;
        }
        const uint32_t slot = waiting[first_waiting];
        first_waiting = (first_waiting + 1) % boot->host_slots;
        --waiting_count;
        REGISTER(HOST_COMPLETE) = slot | execute(slot) << HOST_COMPLETE_STATUS_SHIFT;
    }
}
