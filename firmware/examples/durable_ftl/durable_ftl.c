/* SPDX-License-Identifier: Apache-2.0
 *
 * A translation layer that survives power losses, on the HAL: page mapping, write-through, one host command and one
 * flash operation at a time. A page's spare record holds its logical page and a sequence number, so recovery reads
 * every page and keeps the newest version of each logical page. This is right for three reasons. A trim programs a page
 * of zeros, because a map in memory would lose it. A block is erased when it is opened, because it may hold pages that
 * look blank and refuse a program. A block that was open at the loss is not continued.
 *
 * Not done: fewer reads at start (checkpoints), parallel work, blocks that fail in use, uncorrectable data.
 *
 *   strobe powercut --set firmware.mode=rv32 --set firmware.image=durable_ftl.elf my-drive
 *
 * Physical pages are numbered block by block, and blocks die by die.
 */
#include "firmware/hal/hal.h"
#include "firmware/hal/spare_layout.h"
#include "firmware/regs/strobe_regs.h"

#define SECTOR_BYTES 512u
#define NONE 0xFFFFFFFFu
#define PHASE FLASH_EVENT_STATUS_PHASE_MASK

enum { BUFFER_DATA = 0, BUFFER_MOVE = 1, BUFFER_ZEROS = 2 }; /* pages of the data buffer */
enum { RESERVE = 4 }; /* free blocks; each power loss may cost one until garbage collection has run */

/* For the debugger: word 0 of a spare record is the logical page + 1, word 1 grows with each program. */
STROBE_SPARE_LAYOUT = {
    .version = STROBE_SPARE_LAYOUT_VERSION,
    .logical = {.word = 0, .mask = 0xFFFFFFFF},
    .logical_offset = 1,
    .sequence = {.word = 1, .mask = 0xFFFFFFFF},
};

struct block {
    uint16_t valid; /* pages that the map refers to */
    uint16_t taken; /* pages that were programmed */
    bool bad, free, erased;
};

struct ring {
    volatile uint32_t (*entry)[4];
    uint32_t mask, taken;
};

static const struct boot_block* boot;
static uint32_t block_count, sectors_per_page, exported;
static uint32_t* physical_of; /* by logical page */
static uint32_t* logical_of;  /* by physical page */
static struct block* blocks;
static uint32_t open_block, free_blocks;
static uint32_t sequence; /* of the newest page */
static uint32_t purpose;  /* of the operations that follow */
static bus_address memory_next;

static struct ring host_ring, flash_ring;
static struct host_command* commands;
static struct flash_descriptor* descriptor;
static uint32_t* waiting; /* slots with a new command, in order of arrival */
static uint32_t first_waiting, waiting_count;

/* --- memory and rings --------------------------------------------------------------------------------------------- */

static void* take(uint32_t count, uint32_t size)
{
    const bus_address at = (memory_next + 63u) & ~63u;
    memory_next = at + count * size;
    if (memory_next > boot->memory_base + boot->memory_size)
        hal_panic("control memory is too small");
    uint32_t* words = hal_memory(at, count * size);
    for (uint32_t i = 0; i < (count * size + 3) / 4; ++i)
        words[i] = 0;
    return words;
}

static void ring_init(struct ring* ring, uint32_t at_least, bus_address base, bus_address size)
{
    uint32_t entries = 16;
    while (entries < at_least)
        entries *= 2;
    ring->entry = take(entries, 16);
    ring->mask = entries - 1;
    reg_write(base, (uint32_t)(uintptr_t)ring->entry);
    reg_write(size, entries);
}

/* An entry is new if its phase bit matches the current pass over the ring (1 in the first pass). */
static bool ring_take(struct ring* ring, bus_address consumer, uint32_t words[3])
{
    volatile uint32_t* entry = ring->entry[ring->taken & ring->mask];
    const uint32_t phase = (ring->taken & (ring->mask + 1)) == 0 ? PHASE : 0;
    if ((entry[0] & PHASE) != phase)
        return false;
    for (uint32_t i = 0; i < 3; ++i)
        words[i] = entry[i];
    reg_write(consumer, ++ring->taken);
    return true;
}

/* --- host --------------------------------------------------------------------------------------------------------- */

/* Takes all host events. Returns true if the transfer in progress has ended. */
static bool serve_host(void)
{
    uint32_t event[3];
    bool transferred = false;
    while (ring_take(&host_ring, HOST_RING_CONSUMER, event)) {
        if ((event[0] & HOST_EVENT_KIND_KIND_MASK) == HOST_EVENT_COMMAND)
            waiting[(first_waiting + waiting_count++) % boot->host_slots] = event[1];
        else
            transferred = true;
    }
    return transferred;
}

static uint32_t buffer_address(uint32_t page, uint32_t sector)
{
    return boot->buffer_base + page * boot->page_bytes + sector * SECTOR_BYTES;
}

static void transfer(uint32_t slot, bool to_host, uint32_t first, uint32_t sectors, uint32_t address)
{
    reg_write(HOST_XFER_RANGE, first | (sectors - 1) << HOST_XFER_RANGE_MORE_SHIFT);
    reg_write(HOST_XFER_BUFFER, address);
    reg_write(HOST_XFER_START, slot | (to_host ? HOST_XFER_START_TO_HOST_MASK : 0) | HOST_XFER_START_NOTIFY_MASK);
    while (!serve_host())
        hal_wait_for_interrupt();
}

/* --- flash -------------------------------------------------------------------------------------------------------- */

/* Executes one operation and waits for it. Returns the status word of its event. */
static uint32_t flash(uint32_t opcode, uint32_t page, uint32_t sector, uint32_t sectors, uint32_t address)
{
    const uint32_t block = page / boot->pages_per_block;
    const uint32_t blocks_per_die = boot->planes * boot->blocks_per_plane;
    const uint32_t die = block / blocks_per_die;
    descriptor->next = 0;
    descriptor->control = opcode | FLASH_DESCRIPTOR_CONTROL_REPORT_MASK | FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK |
                          FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK |
                          purpose << FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT;
    descriptor->superchip = die;
    descriptor->blocks = block % blocks_per_die;
    descriptor->start_sector = page % boot->pages_per_block * sectors_per_page + sector;
    descriptor->sectors = sectors;
    descriptor->buffer = address;
    descriptor->spare0 = opcode == FLASH_PROGRAM ? logical_of[page] + 1 : 0; /* 0 would mark a bad block */
    descriptor->spare1 = sequence;
    reg_write(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * (die % boot->units), (uint32_t)(uintptr_t)descriptor);
    uint32_t event[3];
    while (!ring_take(&flash_ring, FLASH_RING_CONSUMER, event)) {
        serve_host(); /* otherwise its interrupt line would end each sleep */
        hal_wait_for_interrupt();
    }
    return event[0];
}

static bool flash_ok(uint32_t opcode, uint32_t page, uint32_t sector, uint32_t sectors, uint32_t address)
{
    return (flash(opcode, page, sector, sectors, address) & FLASH_EVENT_STATUS_CODE_MASK) == FLASH_OK;
}

/* --- map and blocks ----------------------------------------------------------------------------------------------- */

static void forget(uint32_t logical)
{
    const uint32_t page = physical_of[logical];
    if (page == NONE)
        return;
    --blocks[page / boot->pages_per_block].valid;
    logical_of[page] = NONE;
    physical_of[logical] = NONE;
}

static void map(uint32_t logical, uint32_t page)
{
    forget(logical);
    logical_of[page] = logical;
    physical_of[logical] = page;
    ++blocks[page / boot->pages_per_block].valid;
}

static bool open_next_block(void)
{
    for (uint32_t block = 0; block < block_count; ++block) {
        if (!blocks[block].free)
            continue;
        if (!blocks[block].erased && !flash_ok(FLASH_ERASE, block * boot->pages_per_block, 0, 0, 0))
            return false;
        blocks[block].free = blocks[block].erased = false;
        blocks[block].taken = 0;
        --free_blocks;
        open_block = block;
        return true;
    }
    return false;
}

/* Programs a page of the buffer as the newest version of a logical page. The map changes when it is in flash. */
static bool append(uint32_t logical, uint32_t buffer)
{
    if ((open_block == NONE || blocks[open_block].taken == boot->pages_per_block) && !open_next_block())
        return false;
    const uint32_t page = open_block * boot->pages_per_block + blocks[open_block].taken++;
    ++sequence;
    logical_of[page] = logical;
    const bool ok = flash_ok(FLASH_PROGRAM, page, 0, sectors_per_page, buffer_address(buffer, 0));
    logical_of[page] = NONE;
    if (ok)
        map(logical, page);
    return ok;
}

/* Empties the blocks with the fewest valid pages until the reserve is free. */
static bool collect(void)
{
    while (free_blocks < RESERVE) {
        uint32_t victim = NONE;
        for (uint32_t block = 0; block < block_count; ++block) {
            if (blocks[block].taken == boot->pages_per_block && !blocks[block].free &&
                (victim == NONE || blocks[block].valid < blocks[victim].valid))
                victim = block;
        }
        if (victim == NONE || blocks[victim].valid == boot->pages_per_block)
            return false;
        const uint32_t first = victim * boot->pages_per_block;
        for (uint32_t from = first; from < first + boot->pages_per_block; ++from) {
            if (logical_of[from] == NONE)
                continue;
            if (!flash_ok(FLASH_READ, from, 0, sectors_per_page, buffer_address(BUFFER_MOVE, 0)) ||
                !append(logical_of[from], BUFFER_MOVE))
                return false;
        }
        blocks[victim].free = true;
        ++free_blocks;
    }
    return true;
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static bool program_page(uint32_t logical, uint32_t buffer)
{
    purpose = FLASH_FOR_COLLECTION;
    const bool has_room = collect();
    purpose = FLASH_FOR_HOST;
    return has_room && append(logical, buffer);
}

static bool read_page(uint32_t slot, uint32_t logical, uint32_t column, uint32_t first, uint32_t sectors)
{
    const uint32_t page = physical_of[logical];
    const uint32_t address = buffer_address(page == NONE ? BUFFER_ZEROS : BUFFER_DATA, column);
    if (page != NONE && !flash_ok(FLASH_READ, page, column, sectors, address))
        return false;
    transfer(slot, true, first, sectors, address);
    return true;
}

static bool write_page(uint32_t slot, uint32_t logical, uint32_t column, uint32_t first, uint32_t sectors)
{
    if (sectors != sectors_per_page) { /* the rest of the page keeps its data, or zeros */
        if (physical_of[logical] == NONE && !program_page(logical, BUFFER_ZEROS))
            return false;
        if (!flash_ok(FLASH_READ, physical_of[logical], 0, sectors_per_page, buffer_address(BUFFER_DATA, 0)))
            return false;
    }
    transfer(slot, false, first, sectors, buffer_address(BUFFER_DATA, column));
    return program_page(logical, BUFFER_DATA);
}

static uint32_t execute(uint32_t slot)
{
    const struct host_command* command = &commands[slot];
    const uint32_t kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    const uint32_t lba = command->lba_lo; /* a small drive: the capacity fits in a word */
    if (kind < HOST_READ || kind > HOST_TRIM)
        return HOST_NOT_SUPPORTED;
    if (kind == HOST_FLUSH)
        return HOST_OK; /* every write that was completed is in flash */
    if (command->lba_hi != 0 || (uint64_t)lba + command->sectors > exported * sectors_per_page)
        return HOST_OUT_OF_RANGE;
    for (uint32_t done = 0; done < command->sectors;) {
        const uint32_t logical = (lba + done) / sectors_per_page;
        const uint32_t column = (lba + done) % sectors_per_page;
        uint32_t sectors = sectors_per_page - column;
        if (sectors > command->sectors - done)
            sectors = command->sectors - done;
        bool ok = true;
        if (kind == HOST_READ)
            ok = read_page(slot, logical, column, done, sectors);
        else if (kind == HOST_WRITE)
            ok = write_page(slot, logical, column, done, sectors);
        else if (sectors == sectors_per_page && physical_of[logical] != NONE) /* a partly trimmed page keeps its data */
            ok = program_page(logical, BUFFER_ZEROS);
        if (!ok)
            return HOST_DEVICE_FAULT;
        done += sectors;
    }
    return HOST_OK;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

/* Reads every page. Torn pages are uncorrectable, the others are whole: the newest of a logical page counts. */
static void recover(void)
{
    uint32_t* newest = take(exported, sizeof *newest); /* sequence number by logical page, 0: none */
    purpose = FLASH_FOR_METADATA;
    for (uint32_t page = 0; page < block_count * boot->pages_per_block; ++page) {
        struct block* block = &blocks[page / boot->pages_per_block];
        if (block->bad)
            continue;
        const uint32_t status = flash(FLASH_READ, page, 0, 1, buffer_address(BUFFER_DATA, 0));
        const uint32_t logical = descriptor->spare0 - 1;
        if ((status & FLASH_EVENT_STATUS_CODE_MASK) != FLASH_OK || (status & FLASH_EVENT_STATUS_BLANK_MASK) != 0 ||
            logical >= exported)
            continue;
        if (descriptor->spare1 > newest[logical]) {
            newest[logical] = descriptor->spare1;
            map(logical, page);
        }
        if (descriptor->spare1 > sequence)
            sequence = descriptor->spare1;
    }
    purpose = FLASH_FOR_HOST;
    for (uint32_t i = 0; i < block_count; ++i) {
        if (blocks[i].valid != 0) {
            blocks[i].free = false;
            blocks[i].taken = (uint16_t)boot->pages_per_block; /* whatever follows its last page is not used */
            --free_blocks;
        }
        blocks[i].erased = false;
    }
}

static void init(void)
{
    boot = hal_memory(BOOT_BLOCK_BASE, sizeof *boot);
    block_count = boot->channels * boot->ways * boot->luns * boot->planes * boot->blocks_per_plane;
    sectors_per_page = boot->page_bytes / SECTOR_BYTES;
    memory_next = boot->memory_base;
    open_block = NONE;

    descriptor = take(1, sizeof *descriptor);
    commands = take(boot->host_slots, sizeof *commands);
    waiting = take(boot->host_slots, sizeof *waiting);
    blocks = take(block_count, sizeof *blocks);
    const uint32_t* bad = boot->bad_block_table == 0 ? NULL : hal_memory(boot->bad_block_table, (block_count + 7) / 8);
    for (uint32_t block = 0; block < block_count; ++block) {
        blocks[block].bad = bad != NULL && (bad[block / 32] >> block % 32 & 1u) != 0;
        blocks[block].free = blocks[block].erased = !blocks[block].bad;
        free_blocks += blocks[block].free ? 1u : 0;
    }
    exported = (free_blocks - free_blocks / 10 - RESERVE - 1) * boot->pages_per_block; /* the rest is for collection */
    physical_of = take(exported, sizeof *physical_of);
    for (uint32_t page = 0; page < exported; ++page)
        physical_of[page] = NONE;
    logical_of = take(block_count * boot->pages_per_block, sizeof *logical_of);
    for (uint32_t page = 0; page < block_count * boot->pages_per_block; ++page)
        logical_of[page] = NONE;

    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);
    ring_init(&host_ring, boot->host_slots + 16, HOST_RING_BASE, HOST_RING_ENTRIES);
    reg_write(INTC_ENABLE, INTC_PENDING_HOST_MASK | INTC_PENDING_FLASH_MASK);
    if (boot->recover != 0)
        recover();
    reg_write(HOST_COMMANDS, (uint32_t)(uintptr_t)commands);
    reg_write(HOST_CAPACITY_LO, exported * sectors_per_page);
    reg_write(HOST_CAPACITY_HI, 0);
    reg_write(HOST_CONTROL, HOST_CONTROL_ENABLE_MASK);
}

_Noreturn void firmware_main(void)
{
    init();
    for (;;) {
        serve_host();
        if (waiting_count == 0) {
            hal_wait_for_interrupt();
            continue;
        }
        const uint32_t slot = waiting[first_waiting];
        first_waiting = (first_waiting + 1) % boot->host_slots;
        --waiting_count;
        reg_write(HOST_COMPLETE, slot | execute(slot) << HOST_COMPLETE_STATUS_SHIFT);
    }
}
