/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from firmware/regs/strobe.rdl by scripts/generate-registers (a882d654b6099deb). Do not edit. */
#ifndef STROBE_REGS_H
#define STROBE_REGS_H

#include <stdint.h>

#ifdef __cplusplus
#define STROBE_REGS_ASSERT static_assert
#else
#define STROBE_REGS_ASSERT _Static_assert
#endif

enum host_status {
    HOST_OK = 0, /* ok: done */
    HOST_UNCORRECTABLE = 1, /* uncorrectable: data cannot be corrected */
    HOST_OUT_OF_RANGE = 2, /* out of range: the address is beyond the capacity */
    HOST_NOT_SUPPORTED = 3, /* not supported: the drive does not know the command */
    HOST_DEVICE_FAULT = 4, /* device fault: the drive cannot do it */
    HOST_ZONE_BOUNDARY = 5, /* zone boundary: the sectors leave their zone, or its capacity */
    HOST_ZONE_FULL = 6, /* zone full: a write to a zone that is full */
    HOST_ZONE_READ_ONLY = 7, /* zone read-only: a write to a zone that takes no more data */
    HOST_ZONE_OFFLINE = 8, /* zone offline: the zone cannot be read or written */
    HOST_ZONE_INVALID_WRITE = 9, /* zone invalid write: a write that does not begin at the write pointer */
    HOST_ZONE_TOO_MANY_ACTIVE = 10, /* too many active zones: another zone would be active */
    HOST_ZONE_TOO_MANY_OPEN = 11, /* too many open zones: another zone would be open, and none can be closed for it */
    HOST_ZONE_INVALID_TRANSITION = 12, /* invalid zone transition: the zone cannot go from its state to the one that was requested */
};

enum placement_isolation {
    PLACEMENT_ISOLATION_INITIALLY = 0, /* initially-isolated: collection moves the data of all handles to the same blocks */
    PLACEMENT_ISOLATION_PERSISTENTLY = 1, /* persistently-isolated: data that collection moves stays with that of its handle */
};

enum flash_primitive {
    FLASH_DATA_OUT = 1, /* data out: of a read, after the array: the page to memory */
    FLASH_RECORD_OUT = 2, /* record out: of a copy-back, after the array: the spare record of the source */
    FLASH_TRANSFER = 3, /* transfer: of a copy-back, after the spare record: what is replaced goes into the page register, then the array programs it */
    FLASH_STATUS_READ = 4, /* status read: of an erase, a program or a copy-back, after the array */
};

enum dimension {
    DIMENSION_CHANNEL = 0, /* channel: next channel */
    DIMENSION_WAY = 1, /* way: next chip enable of the channel */
    DIMENSION_LUN = 2, /* lun: next die of the chip enable */
    DIMENSION_PLANE = 3, /* plane: next plane of the die */
};

enum gc_policy {
    GC_POLICY_GREEDY = 0, /* greedy: the block with the fewest valid pages */
    GC_POLICY_COST_BENEFIT = 1, /* cost-benefit: few valid pages weighed against age */
};

enum completion {
    COMPLETION_WRITE_BACK = 0, /* write-back: a write completes when its data is in the buffer */
    COMPLETION_WRITE_THROUGH = 1, /* write-through: a write completes when its data is in flash */
};

enum command_placement {
    COMMAND_PLACEMENT_STRIPED = 0, /* striped: pages of a command go to all dies in allocation order */
    COMMAND_PLACEMENT_CHANNEL = 1, /* channel: the pages of a command stay on one channel */
};

enum flush_handling {
    FLUSH_HANDLING_MERGE = 0, /* merge: everything that is buffered is merged into its superblocks */
    FLUSH_HANDLING_PARK = 1, /* park: buffered sectors are written to a known place in flash, and merged later */
    FLUSH_HANDLING_IGNORE = 2, /* ignore: a flush completes at once and does nothing */
};

enum background_units {
    BACKGROUND_UNITS_HARDWARE = 0, /* hardware: flash units */
    BACKGROUND_UNITS_SOFTWARE = 1, /* software: firmware, page by page and chip by chip */
};

enum gc_erase {
    GC_ERASE_AT_ONCE = 0, /* at-once: as soon as it is empty */
    GC_ERASE_WHEN_IDLE = 1, /* when-idle: while nothing else waits for its die, or when host data has no room without it */
};

enum pslc_cache_mode {
    PSLC_CACHE_MODE_NONE = 0, /* none: host data goes to blocks with all their bits per cell */
    PSLC_CACHE_MODE_STATIC = 1, /* static: in blocks that are reserved for it */
    PSLC_CACHE_MODE_DYNAMIC = 2, /* dynamic: in free blocks, as long as there are enough */
};

enum write_cache {
    WRITE_CACHE_VOLATILE = 0, /* volatile: a power loss loses it: a flush and FUA wait for the flash */
    WRITE_CACHE_PROTECTED = 1, /* protected: capacitors supply the drive until firmware has written the buffer to flash: what is in the buffer is durable */
};

enum gc_pacing {
    GC_PACING_NONE = 0, /* none: host data takes every page that it finds; collection starts at lowBlocks free blocks */
    GC_PACING_FREE_SPACE = 1, /* free-space: collection is the faster the less space there is, and host data takes at most the pages that it gains */
};

enum host_streams {
    HOST_STREAMS_ONE = 0, /* one: all data of the host goes to the same blocks */
    HOST_STREAMS_HOT_COLD = 1, /* hot-cold: data that is written again before collection has moved it goes to blocks of its own */
};

enum zone_erase {
    ZONE_ERASE_AT_RESET = 0, /* at-reset: by the reset of the zone, which completes when they are erased */
    ZONE_ERASE_WHEN_OPENED = 1, /* when-opened: when a zone takes them again; a reset completes at once */
};

enum flash_opcode {
    FLASH_READ = 1, /* read: sectors of pages into memory or to the host */
    FLASH_PROGRAM = 2, /* program: pages from memory */
    FLASH_ERASE = 3, /* erase: a superblock */
    FLASH_COPYBACK = 4, /* copy-back: pages from one superblock to another */
};

enum flash_purpose {
    FLASH_FOR_HOST = 0, /* host: what the host requested */
    FLASH_FOR_MERGE = 1, /* merge: fills a page of which the host wrote a part */
    FLASH_FOR_COLLECTION = 2, /* garbage collection: moves valid pages out of a block and erases it */
    FLASH_FOR_WEAR = 3, /* wear levelling: moves cold data into worn blocks */
    FLASH_FOR_REPLACEMENT = 4, /* block replacement: rescues the pages of a block that failed */
    FLASH_FOR_METADATA = 5, /* metadata: bad block marks, tables, logs */
    FLASH_FOR_REFRESH = 6, /* refresh: moves data before it can no longer be corrected; scrub reads */
};

enum flash_status {
    FLASH_PENDING = 0, /* pending: has not ended */
    FLASH_OK = 1, /* ok: done */
    FLASH_PROGRAM_FAILED = 2, /* program failed: the die reports it; the block is bad */
    FLASH_ERASE_FAILED = 3, /* erase failed: the die reports it; the block is bad */
    FLASH_UNCORRECTABLE = 4, /* uncorrectable: more bit errors than the ECC corrects */
    FLASH_ILLEGAL = 5, /* illegal: the operation breaks a rule of the flash */
    FLASH_MALFORMED = 6, /* malformed: the descriptor breaks a rule of its fields */
    FLASH_SUSPENDED = 7, /* suspended: events only: a primitive of a stepped operation has ended, PRIMITIVE issues the next one */
};

enum host_command_kind {
    HOST_READ = 1, /* read: sectors from flash to the host */
    HOST_WRITE = 2, /* write: sectors from the host to flash */
    HOST_FLUSH = 3, /* flush: completes when everything acknowledged before it survives a power loss */
    HOST_TRIM = 4, /* trim: the sectors read as zeros from now on */
    HOST_APPEND = 5, /* append: sectors from the host to the write pointer of the zone that begins at the address; firmware says where that is (PLACE) */
    HOST_ZONE_OPEN = 6, /* open zone: the zone becomes explicitly open */
    HOST_ZONE_CLOSE = 7, /* close zone: the open zone becomes closed */
    HOST_ZONE_FINISH = 8, /* finish zone: the zone becomes full; what it has no data for reads as zeros */
    HOST_ZONE_RESET = 9, /* reset zone: the zone becomes empty; it reads as zeros */
    HOST_PLACEMENT_UPDATE = 10, /* update placement: the placement handle gets a new reclaim unit with its next data */
};

enum host_event_kind {
    HOST_EVENT_COMMAND = 1, /* command: a command has arrived; its record is in its slot */
    HOST_EVENT_TRANSFER = 2, /* transfer: a transfer with notify has ended */
    HOST_EVENT_FED = 3, /* fed: sectors of a write have been buffered by the inbound feeder */
    HOST_EVENT_SUPPLY_FAILS = 4, /* supply fails: capacitors supply the drive for a while, the host is gone, and no transfer that is in progress will end */
};

enum zone_state {
    ZONE_EMPTY = 1, /* empty: holds no data */
    ZONE_IMPLICITLY_OPEN = 2, /* implicitly open: a write has opened it */
    ZONE_EXPLICITLY_OPEN = 3, /* explicitly open: the host has opened it */
    ZONE_CLOSED = 4, /* closed: active, but takes data only after it has been opened again */
    ZONE_READ_ONLY = 13, /* read-only: takes no more data */
    ZONE_FULL = 14, /* full: the write pointer is invalid */
    ZONE_OFFLINE = 15, /* offline: cannot be read */
};

/* Interrupt controller: Level-sensitive lines. The CPU's external interrupt is the OR of PENDING & ENABLE. A line falls when its source is served, not by a write here. Each CPU has its own interrupt controller, HAL_CORE_STEP (firmware/hal/cores.h) after that of the CPU before it; with two CPUs the line of the flash controller goes to the second one. */
#define INTC_BASE 0x02000000u
#define INTC_SIZE 0x1000u
#define INTC_PENDING 0x02000000u /* ro */
#define INTC_PENDING_HOST_MASK 0x00000001u
#define INTC_PENDING_HOST_SHIFT 0u
#define INTC_PENDING_FLASH_MASK 0x00000002u
#define INTC_PENDING_FLASH_SHIFT 1u
#define INTC_PENDING_TIMER_MASK 0x00000004u
#define INTC_PENDING_TIMER_SHIFT 2u
#define INTC_PENDING_SOFTWARE_MASK 0x00000008u
#define INTC_PENDING_SOFTWARE_SHIFT 3u
#define INTC_PENDING_CAPTURE_MASK 0x00000010u
#define INTC_PENDING_CAPTURE_SHIFT 4u
#define INTC_PENDING_THERMAL_MASK 0x00000020u
#define INTC_PENDING_THERMAL_SHIFT 5u
#define INTC_ENABLE 0x02000004u /* rw */
#define INTC_SOFTWARE 0x02000008u /* rw */
#define INTC_SOFTWARE_SET_MASK 0x00000001u
#define INTC_SOFTWARE_SET_SHIFT 0u

/* Timer: Free-running time since power-on in nanoseconds, and one compare interrupt. Each CPU has its own timer, HAL_CORE_STEP (firmware/hal/cores.h) after that of the CPU before it. */
#define TIMER_BASE 0x02010000u
#define TIMER_SIZE 0x1000u
#define TIMER_TIME_LO 0x02010000u /* ro */
#define TIMER_TIME_HI 0x02010004u /* ro */
#define TIMER_COMPARE_LO 0x02010008u /* rw */
#define TIMER_COMPARE_HI 0x0201000Cu /* rw */
#define TIMER_CONTROL 0x02010010u /* rw */
#define TIMER_CONTROL_ENABLE_MASK 0x00000001u
#define TIMER_CONTROL_ENABLE_SHIFT 0u

/* UART: Console of firmware that runs on the RV32 core: bytes out, no bytes in, no interrupt. A line of text ends with a newline (0x0A). */
#define UART_BASE 0x02020000u
#define UART_SIZE 0x1000u
#define UART_DATA 0x02020000u /* rw */
#define UART_DATA_OCTET_MASK 0x000000FFu
#define UART_DATA_OCTET_SHIFT 0u
#define UART_STATUS 0x02020004u /* ro */
#define UART_STATUS_FREE_MASK 0x0000FFFFu
#define UART_STATUS_FREE_SHIFT 0u
#define UART_LOST 0x02020008u /* ro */

/* Temperature sensor: Samples temperature and power of the drive at fixed intervals. There only with a thermal model (scenario key thermal). With two CPUs its interrupt goes to the second one, which has the flash controller. */
#define THERMAL_BASE 0x02030000u
#define THERMAL_SIZE 0x1000u
#define THERMAL_CONTROL 0x02030000u /* rw */
#define THERMAL_CONTROL_ENABLE_MASK 0x00000001u
#define THERMAL_CONTROL_ENABLE_SHIFT 0u
#define THERMAL_TEMPERATURE 0x02030004u /* ro */
#define THERMAL_LIGHT 0x02030008u /* ro */
#define THERMAL_HEAVY 0x0203000Cu /* ro */
#define THERMAL_POWER 0x02030010u /* ro */
#define THERMAL_POWER_LIMIT 0x02030014u /* ro */
#define THERMAL_THROTTLE 0x02030018u /* rw */
#define THERMAL_THROTTLE_STRENGTH_MASK 0x00000003u
#define THERMAL_THROTTLE_STRENGTH_SHIFT 0u
#define THERMAL_THROTTLE_DIES_MASK 0xFFFF0000u
#define THERMAL_THROTTLE_DIES_SHIFT 16u

/* Host interface: The device side of the host command port, the same for every protocol. Commands arrive as records in memory, events in a ring; firmware orders data transfers and completions. */
#define HOST_BASE 0x03000000u
#define HOST_SIZE 0x1000u
#define HOST_CONTROL 0x03000000u /* rw */
#define HOST_CONTROL_ENABLE_MASK 0x00000001u
#define HOST_CONTROL_ENABLE_SHIFT 0u
#define HOST_CONTROL_SAVED_MASK 0x00000002u
#define HOST_CONTROL_SAVED_SHIFT 1u
#define HOST_SLOTS 0x03000004u /* ro */
#define HOST_SLOTS_SLOTS_MASK 0x0000FFFFu
#define HOST_SLOTS_SLOTS_SHIFT 0u
#define HOST_CAPACITY_LO 0x03000008u /* rw */
#define HOST_CAPACITY_HI 0x0300000Cu /* rw */
#define HOST_COMMANDS 0x03000010u /* rw */
#define HOST_RING_BASE 0x03000014u /* rw */
#define HOST_RING_ENTRIES 0x03000018u /* rw */
#define HOST_RING_CONSUMER 0x0300001Cu /* rw */
#define HOST_RING_PRODUCER 0x03000020u /* ro */
#define HOST_XFER_RANGE 0x03000024u /* rw */
#define HOST_XFER_RANGE_FIRST_MASK 0x0000FFFFu
#define HOST_XFER_RANGE_FIRST_SHIFT 0u
#define HOST_XFER_RANGE_MORE_MASK 0xFFFF0000u
#define HOST_XFER_RANGE_MORE_SHIFT 16u
#define HOST_XFER_BUFFER 0x0300002Cu /* rw */
#define HOST_XFER_COOKIE 0x03000030u /* rw */
#define HOST_XFER_START 0x03000034u /* rw */
#define HOST_XFER_START_SLOT_MASK 0x0000FFFFu
#define HOST_XFER_START_SLOT_SHIFT 0u
#define HOST_XFER_START_TO_HOST_MASK 0x00010000u
#define HOST_XFER_START_TO_HOST_SHIFT 16u
#define HOST_XFER_START_NOTIFY_MASK 0x00020000u
#define HOST_XFER_START_NOTIFY_SHIFT 17u
#define HOST_XFER_START_COMPLETE_MASK 0x00040000u
#define HOST_XFER_START_COMPLETE_SHIFT 18u
#define HOST_COMPLETE 0x03000038u /* rw */
#define HOST_COMPLETE_SLOT_MASK 0x0000FFFFu
#define HOST_COMPLETE_SLOT_SHIFT 0u
#define HOST_COMPLETE_STATUS_MASK 0x00FF0000u
#define HOST_COMPLETE_STATUS_SHIFT 16u
#define HOST_FEED_BASE 0x0300003Cu /* rw */
#define HOST_FEED_SECTORS 0x03000040u /* rw */
#define HOST_FEED_PIECE 0x03000044u /* rw */
#define HOST_FEED_RELEASED 0x03000048u /* rw */
#define HOST_FEED_TAKEN 0x0300004Cu /* ro */
#define HOST_ZONE_SECTORS 0x03000050u /* rw */
#define HOST_ZONE_CAPACITY 0x03000054u /* rw */
#define HOST_ZONE_LIMITS 0x03000058u /* rw */
#define HOST_ZONE_LIMITS_OPEN_MASK 0x0000FFFFu
#define HOST_ZONE_LIMITS_OPEN_SHIFT 0u
#define HOST_ZONE_LIMITS_ACTIVE_MASK 0xFFFF0000u
#define HOST_ZONE_LIMITS_ACTIVE_SHIFT 16u
#define HOST_ZONE_TABLE 0x0300005Cu /* rw */
#define HOST_PLACE_SECTOR 0x03000060u /* rw */
#define HOST_PLACE 0x03000064u /* rw */
#define HOST_PLACE_SLOT_MASK 0x0000FFFFu
#define HOST_PLACE_SLOT_SHIFT 0u
#define HOST_PLACEMENT 0x03000068u /* rw */
#define HOST_PLACEMENT_HANDLES_MASK 0x000000FFu
#define HOST_PLACEMENT_HANDLES_SHIFT 0u
#define HOST_PLACEMENT_ISOLATION_MASK 0x00000100u
#define HOST_PLACEMENT_ISOLATION_SHIFT 8u
#define HOST_PLACEMENT_UNIT 0x0300006Cu /* rw */
#define HOST_PLACEMENT_TABLE 0x03000070u /* rw */

/* Flash controller: Flash units execute linked lists of superchip operations (flash_descriptor) that firmware leaves in memory. */
#define FLASH_BASE 0x04000000u
#define FLASH_SIZE 0x20000u
#define FLASH_UNITS 0x04000000u /* ro */
#define FLASH_UNITS_UNITS_MASK 0x0000FFFFu
#define FLASH_UNITS_UNITS_SHIFT 0u
#define FLASH_UNIT_DEPTH 0x04000004u /* ro */
#define FLASH_UNIT_DEPTH_LISTS_MASK 0x0000FFFFu
#define FLASH_UNIT_DEPTH_LISTS_SHIFT 0u
#define FLASH_SUPERCHIP 0x04000008u /* ro */
#define FLASH_SUPERCHIP_BUS_MASK 0x000000FFu
#define FLASH_SUPERCHIP_BUS_SHIFT 0u
#define FLASH_SUPERCHIP_CHIP_MASK 0x0000FF00u
#define FLASH_SUPERCHIP_CHIP_SHIFT 8u
#define FLASH_FOREGROUND 0x0400000Cu /* ro */
#define FLASH_FOREGROUND_UNIT_MASK 0x0000FFFFu
#define FLASH_FOREGROUND_UNIT_SHIFT 0u
#define FLASH_RING_BASE 0x04000014u /* rw */
#define FLASH_RING_ENTRIES 0x04000018u /* rw */
#define FLASH_RING_CONSUMER 0x0400001Cu /* rw */
#define FLASH_RING_PRODUCER 0x04000020u /* ro */
#define FLASH_SYNTHESIZER 0x04000024u /* rw */
#define FLASH_SYNTHESIZER_PRESENT_MASK 0x00000001u
#define FLASH_SYNTHESIZER_PRESENT_SHIFT 0u
#define FLASH_SYNTHESIZER_ENABLE_MASK 0x00000002u
#define FLASH_SYNTHESIZER_ENABLE_SHIFT 1u
#define FLASH_SYNTH_SUPERBLOCKS 0x04000028u /* rw */
#define FLASH_SYNTH_MAP 0x0400002Cu /* rw */
#define FLASH_SYNTH_BUFFERED 0x04000030u /* rw */
#define FLASH_SYNTH_STARTED 0x04000034u /* ro */
#define FLASH_SYNTH_ENDED 0x04000038u /* ro */
#define FLASH_CAPTURE 0x04000040u /* ro */
#define FLASH_CAPTURE_PRESENT_MASK 0x00000001u
#define FLASH_CAPTURE_PRESENT_SHIFT 0u
#define FLASH_CAPTURE_FINE_STEPS_MASK 0x0000FF00u
#define FLASH_CAPTURE_FINE_STEPS_SHIFT 8u
#define FLASH_CAPTURE_COARSE_MASK 0x00FF0000u
#define FLASH_CAPTURE_COARSE_SHIFT 16u
#define FLASH_CAPTURE_DIVIDERS_MASK 0xFF000000u
#define FLASH_CAPTURE_DIVIDERS_SHIFT 24u
#define FLASH_PATTERN_SETTING 0x04000044u /* rw */
#define FLASH_PATTERN_SETTING_DIVIDER_MASK 0x000000FFu
#define FLASH_PATTERN_SETTING_DIVIDER_SHIFT 0u
#define FLASH_PATTERN_SETTING_COARSE_MASK 0x0000FF00u
#define FLASH_PATTERN_SETTING_COARSE_SHIFT 8u
#define FLASH_PATTERN_SETTING_FINE_MASK 0x000F0000u
#define FLASH_PATTERN_SETTING_FINE_SHIFT 16u
#define FLASH_PATTERN_READ 0x04000048u /* rw */
#define FLASH_PATTERN_READ_DIE_MASK 0x0000FFFFu
#define FLASH_PATTERN_READ_DIE_SHIFT 0u
#define FLASH_PATTERN_READ_LEARN_MASK 0x00010000u
#define FLASH_PATTERN_READ_LEARN_SHIFT 16u
#define FLASH_PATTERN_STATUS 0x0400004Cu /* rw */
#define FLASH_PATTERN_STATUS_BUSY_MASK 0x00000001u
#define FLASH_PATTERN_STATUS_BUSY_SHIFT 0u
#define FLASH_PATTERN_STATUS_DONE_MASK 0x00000002u
#define FLASH_PATTERN_STATUS_DONE_SHIFT 1u
#define FLASH_PATTERN_STATUS_TEMPERATURE_MASK 0x00000004u
#define FLASH_PATTERN_STATUS_TEMPERATURE_SHIFT 2u
#define FLASH_PATTERN_STATUS_BITS_MASK 0x0000FF00u
#define FLASH_PATTERN_STATUS_BITS_SHIFT 8u
#define FLASH_PATTERN_STATUS_MISMATCHES_MASK 0x00FF0000u
#define FLASH_PATTERN_STATUS_MISMATCHES_SHIFT 16u
#define FLASH_TEMPERATURE 0x04000050u /* ro */
#define FLASH_TEMPERATURE_LOW 0x04000054u /* rw */
#define FLASH_TEMPERATURE_HIGH 0x04000058u /* rw */
#define FLASH_UNIT_HEAD 0x04008000u /* rw */
#define FLASH_UNIT_HEAD_COUNT 4096u
#define FLASH_UNIT_HEAD_STEP 8u
#define FLASH_UNIT_STATUS 0x04008004u /* ro */
#define FLASH_UNIT_STATUS_COUNT 4096u
#define FLASH_UNIT_STATUS_STEP 8u
#define FLASH_UNIT_STATUS_BUSY_MASK 0x00000001u
#define FLASH_UNIT_STATUS_BUSY_SHIFT 0u
#define FLASH_UNIT_STATUS_WAITING_MASK 0x0000FF00u
#define FLASH_UNIT_STATUS_WAITING_SHIFT 8u
#define FLASH_DIE_CAPTURE 0x04010000u /* rw */
#define FLASH_DIE_CAPTURE_COUNT 4096u
#define FLASH_DIE_CAPTURE_STEP 4u
#define FLASH_DIE_CAPTURE_DIVIDER_MASK 0x000000FFu
#define FLASH_DIE_CAPTURE_DIVIDER_SHIFT 0u
#define FLASH_DIE_CAPTURE_COARSE_MASK 0x0000FF00u
#define FLASH_DIE_CAPTURE_COARSE_SHIFT 8u
#define FLASH_DIE_CAPTURE_FINE_MASK 0x000F0000u
#define FLASH_DIE_CAPTURE_FINE_SHIFT 16u
#define FLASH_DIE_CAPTURE_MARGIN_MASK 0xFFF00000u
#define FLASH_DIE_CAPTURE_MARGIN_SHIFT 20u
#define FLASH_PRIMITIVE 0x04014000u /* rw */
#define FLASH_PRIMITIVE_COUNT 4096u
#define FLASH_PRIMITIVE_STEP 4u
#define FLASH_PRIMITIVE_NEXT_MASK 0x00000007u
#define FLASH_PRIMITIVE_NEXT_SHIFT 0u

/* Boot block: What the platform passes to firmware at power-on: geometry, memory and policies, so that one image serves every scenario. Firmware refuses a word outside its bounds. */
#define BOOT_BLOCK_BASE 0x00100000u
struct boot_block {
    uint32_t magic;
    uint32_t version;
    uint32_t channels;
    uint32_t ways;
    uint32_t luns;
    uint32_t planes;
    uint32_t blocks_per_plane;
    uint32_t pages_per_block;
    uint32_t page_bytes;
    uint32_t units;
    uint32_t unit_depth;
    uint32_t memory_base;
    uint32_t memory_size;
    uint32_t buffer_base;
    uint32_t buffer_size;
    uint32_t cpu_khz;
    uint32_t host_slots;
    uint32_t overprovision_permille;
    uint32_t allocation_order;
    uint32_t gc_policy;
    uint32_t gc_low_blocks;
    uint32_t gc_idle_blocks;
    uint32_t gc_copyback;
    uint32_t completion;
    uint32_t write_buffer_pages;
    uint32_t wear_threshold;
    uint32_t bad_block_table;
    uint32_t spare_blocks;
    uint32_t capacity_lo;
    uint32_t capacity_hi;
    uint32_t cores;
    uint32_t command_placement;
    uint32_t serial_writes;
    uint32_t read_polls;
    uint32_t statistics;
    uint32_t die_depth;
    uint32_t read_units;
    uint32_t superchip_bus;
    uint32_t superchip_chip;
    uint32_t foreground_unit;
    uint32_t synthesizer;
    uint32_t recover;
    uint32_t checkpoint_pages;
    uint32_t sector_buffer;
    uint32_t flush_watermark;
    uint32_t superblock_limit;
    uint32_t parking_superblocks;
    uint32_t flush_handling;
    uint32_t replicate_tables;
    uint32_t checkpoint_records;
    uint32_t implicit_wear;
    uint32_t software_units;
    uint32_t capture_margin;
    uint32_t capture_temperature;
    uint32_t gc_erase;
    uint32_t start_gap_interval;
    uint32_t mapping_unit;
    uint32_t program_pages;
    uint32_t row_planes;
    uint32_t superblock_dies;
    uint32_t pslc_cache;
    uint32_t pslc_cache_blocks;
    uint32_t pslc_cache_resume;
    uint32_t pslc_cache_fold;
    uint32_t pslc_pages;
    uint32_t write_cache;
    uint32_t read_ahead_streams;
    uint32_t read_ahead_window;
    uint32_t retry_options;
    uint32_t soft_senses;
    uint32_t read_depth;
    uint32_t refresh_reads;
    uint32_t refresh_age;
    uint32_t scrub_interval;
    uint32_t scrub_bits;
    uint32_t gc_pacing;
    uint32_t host_streams;
    uint32_t write_polls;
    uint32_t zone_dies;
    uint32_t open_zones;
    uint32_t active_zones;
    uint32_t zone_erase;
    uint32_t superblock_parity;
    uint32_t placement_handles;
    uint32_t placement_isolation;
    uint32_t thermal_light;
    uint32_t thermal_heavy;
    uint32_t thermal_hysteresis;
    uint32_t thermal_light_dies;
    uint32_t thermal_heavy_dies;
    uint32_t zone_rows;
};
#define BOOT_BLOCK_ALLOCATION_ORDER_FASTEST_MASK 0x0000000Fu
#define BOOT_BLOCK_ALLOCATION_ORDER_FASTEST_SHIFT 0u
#define BOOT_BLOCK_ALLOCATION_ORDER_SECOND_MASK 0x000000F0u
#define BOOT_BLOCK_ALLOCATION_ORDER_SECOND_SHIFT 4u
#define BOOT_BLOCK_ALLOCATION_ORDER_THIRD_MASK 0x00000F00u
#define BOOT_BLOCK_ALLOCATION_ORDER_THIRD_SHIFT 8u
#define BOOT_BLOCK_ALLOCATION_ORDER_SLOWEST_MASK 0x0000F000u
#define BOOT_BLOCK_ALLOCATION_ORDER_SLOWEST_SHIFT 12u
STROBE_REGS_ASSERT(sizeof(struct boot_block) == 364u, "layout of boot_block");
#define BOOT_BLOCK_CHANNELS_MIN 1u
#define BOOT_BLOCK_CHANNELS_MAX 64u
#define BOOT_BLOCK_WAYS_MIN 1u
#define BOOT_BLOCK_WAYS_MAX 64u
#define BOOT_BLOCK_LUNS_MIN 1u
#define BOOT_BLOCK_LUNS_MAX 8u
#define BOOT_BLOCK_PLANES_MIN 1u
#define BOOT_BLOCK_PLANES_MAX 16u
#define BOOT_BLOCK_BLOCKS_PER_PLANE_MIN 1u
#define BOOT_BLOCK_BLOCKS_PER_PLANE_MAX 1048576u
#define BOOT_BLOCK_PAGES_PER_BLOCK_MIN 2u
#define BOOT_BLOCK_PAGES_PER_BLOCK_MAX 65535u
#define BOOT_BLOCK_PAGE_BYTES_MIN 512u
#define BOOT_BLOCK_PAGE_BYTES_MAX 16384u
#define BOOT_BLOCK_UNITS_MIN 1u
#define BOOT_BLOCK_UNITS_MAX 4096u
#define BOOT_BLOCK_HOST_SLOTS_MIN 1u
#define BOOT_BLOCK_HOST_SLOTS_MAX 65535u
#define BOOT_BLOCK_OVERPROVISION_PERMILLE_MAX 900u
#define BOOT_BLOCK_GC_POLICY_MAX 1u
#define BOOT_BLOCK_GC_LOW_BLOCKS_MAX 1000u
#define BOOT_BLOCK_GC_IDLE_BLOCKS_MAX 65535u
#define BOOT_BLOCK_GC_COPYBACK_MAX 1u
#define BOOT_BLOCK_COMPLETION_MAX 1u
#define BOOT_BLOCK_WEAR_THRESHOLD_MAX 1000000u
#define BOOT_BLOCK_SPARE_BLOCKS_MAX 65535u
#define BOOT_BLOCK_CORES_MIN 1u
#define BOOT_BLOCK_CORES_MAX 2u
#define BOOT_BLOCK_COMMAND_PLACEMENT_MAX 1u
#define BOOT_BLOCK_SERIAL_WRITES_MAX 1u
#define BOOT_BLOCK_READ_POLLS_MAX 100u
#define BOOT_BLOCK_READ_UNITS_MAX 4095u
#define BOOT_BLOCK_SUPERCHIP_BUS_MAX 64u
#define BOOT_BLOCK_SUPERCHIP_CHIP_MAX 64u
#define BOOT_BLOCK_FOREGROUND_UNIT_MAX 4095u
#define BOOT_BLOCK_SYNTHESIZER_MAX 1u
#define BOOT_BLOCK_RECOVER_MAX 2u
#define BOOT_BLOCK_SUPERBLOCK_LIMIT_MAX 200u
#define BOOT_BLOCK_PARKING_SUPERBLOCKS_MAX 32u
#define BOOT_BLOCK_FLUSH_HANDLING_MAX 2u
#define BOOT_BLOCK_REPLICATE_TABLES_MAX 1u
#define BOOT_BLOCK_CHECKPOINT_RECORDS_MAX 1000000u
#define BOOT_BLOCK_IMPLICIT_WEAR_MAX 1u
#define BOOT_BLOCK_SOFTWARE_UNITS_MAX 1u
#define BOOT_BLOCK_GC_ERASE_MAX 1u
#define BOOT_BLOCK_START_GAP_INTERVAL_MAX 1000000u
#define BOOT_BLOCK_PROGRAM_PAGES_MIN 1u
#define BOOT_BLOCK_PROGRAM_PAGES_MAX 4u
#define BOOT_BLOCK_ROW_PLANES_MIN 1u
#define BOOT_BLOCK_ROW_PLANES_MAX 16u
#define BOOT_BLOCK_SUPERBLOCK_DIES_MIN 1u
#define BOOT_BLOCK_SUPERBLOCK_DIES_MAX 4096u
#define BOOT_BLOCK_PSLC_CACHE_MAX 2u
#define BOOT_BLOCK_PSLC_CACHE_RESUME_MAX 999u
#define BOOT_BLOCK_PSLC_CACHE_FOLD_MAX 1u
#define BOOT_BLOCK_PSLC_PAGES_MAX 65535u
#define BOOT_BLOCK_WRITE_CACHE_MAX 1u
#define BOOT_BLOCK_READ_AHEAD_STREAMS_MAX 64u
#define BOOT_BLOCK_READ_AHEAD_WINDOW_MIN 1u
#define BOOT_BLOCK_READ_AHEAD_WINDOW_MAX 4096u
#define BOOT_BLOCK_RETRY_OPTIONS_MAX 32u
#define BOOT_BLOCK_SOFT_SENSES_MAX 7u
#define BOOT_BLOCK_READ_DEPTH_MAX 64u
#define BOOT_BLOCK_REFRESH_AGE_MAX 2147483647u
#define BOOT_BLOCK_SCRUB_INTERVAL_MAX 2147483647u
#define BOOT_BLOCK_SCRUB_BITS_MAX 8191u
#define BOOT_BLOCK_GC_PACING_MAX 1u
#define BOOT_BLOCK_HOST_STREAMS_MAX 1u
#define BOOT_BLOCK_WRITE_POLLS_MAX 100u
#define BOOT_BLOCK_ZONE_DIES_MIN 1u
#define BOOT_BLOCK_ZONE_DIES_MAX 4096u
#define BOOT_BLOCK_OPEN_ZONES_MIN 1u
#define BOOT_BLOCK_OPEN_ZONES_MAX 4096u
#define BOOT_BLOCK_ACTIVE_ZONES_MIN 1u
#define BOOT_BLOCK_ACTIVE_ZONES_MAX 4096u
#define BOOT_BLOCK_ZONE_ERASE_MAX 1u
#define BOOT_BLOCK_SUPERBLOCK_PARITY_MAX 1u
#define BOOT_BLOCK_PLACEMENT_HANDLES_MAX 8u
#define BOOT_BLOCK_PLACEMENT_ISOLATION_MAX 1u
#define BOOT_BLOCK_THERMAL_LIGHT_MAX 2400u
#define BOOT_BLOCK_THERMAL_HEAVY_MAX 2400u
#define BOOT_BLOCK_THERMAL_HYSTERESIS_MAX 800u
#define BOOT_BLOCK_THERMAL_LIGHT_DIES_MIN 1u
#define BOOT_BLOCK_THERMAL_LIGHT_DIES_MAX 32768u
#define BOOT_BLOCK_THERMAL_HEAVY_DIES_MIN 1u
#define BOOT_BLOCK_THERMAL_HEAVY_DIES_MAX 32768u
#define BOOT_BLOCK_ZONE_ROWS_MAX 65536u

/* Every word in order, with the value that it has unless the platform sets it: X(member, initial). */
#define BOOT_BLOCK_WORDS(X) \
    X(magic, 0x42525453u) \
    X(version, 0x9u) \
    X(channels, 0x0u) \
    X(ways, 0x0u) \
    X(luns, 0x0u) \
    X(planes, 0x0u) \
    X(blocks_per_plane, 0x0u) \
    X(pages_per_block, 0x0u) \
    X(page_bytes, 0x0u) \
    X(units, 0x0u) \
    X(unit_depth, 0x0u) \
    X(memory_base, 0x0u) \
    X(memory_size, 0x0u) \
    X(buffer_base, 0x0u) \
    X(buffer_size, 0x0u) \
    X(cpu_khz, 0x0u) \
    X(host_slots, 0x0u) \
    X(overprovision_permille, 0x0u) \
    X(allocation_order, 0x3210u) \
    X(gc_policy, 0x0u) \
    X(gc_low_blocks, 0x0u) \
    X(gc_idle_blocks, 0x0u) \
    X(gc_copyback, 0x0u) \
    X(completion, 0x0u) \
    X(write_buffer_pages, 0x0u) \
    X(wear_threshold, 0x0u) \
    X(bad_block_table, 0x0u) \
    X(spare_blocks, 0x0u) \
    X(capacity_lo, 0x0u) \
    X(capacity_hi, 0x0u) \
    X(cores, 0x1u) \
    X(command_placement, 0x0u) \
    X(serial_writes, 0x0u) \
    X(read_polls, 0x0u) \
    X(statistics, 0x0u) \
    X(die_depth, 0x0u) \
    X(read_units, 0x0u) \
    X(superchip_bus, 0x1u) \
    X(superchip_chip, 0x1u) \
    X(foreground_unit, 0x0u) \
    X(synthesizer, 0x0u) \
    X(recover, 0x0u) \
    X(checkpoint_pages, 0x0u) \
    X(sector_buffer, 0x0u) \
    X(flush_watermark, 0x0u) \
    X(superblock_limit, 0x0u) \
    X(parking_superblocks, 0x0u) \
    X(flush_handling, 0x0u) \
    X(replicate_tables, 0x0u) \
    X(checkpoint_records, 0x0u) \
    X(implicit_wear, 0x1u) \
    X(software_units, 0x0u) \
    X(capture_margin, 0x0u) \
    X(capture_temperature, 0x0u) \
    X(gc_erase, 0x0u) \
    X(start_gap_interval, 0x0u) \
    X(mapping_unit, 0x0u) \
    X(program_pages, 0x1u) \
    X(row_planes, 0x1u) \
    X(superblock_dies, 0x1u) \
    X(pslc_cache, 0x0u) \
    X(pslc_cache_blocks, 0x0u) \
    X(pslc_cache_resume, 0x1F4u) \
    X(pslc_cache_fold, 0x0u) \
    X(pslc_pages, 0x0u) \
    X(write_cache, 0x0u) \
    X(read_ahead_streams, 0x0u) \
    X(read_ahead_window, 0x40u) \
    X(retry_options, 0x0u) \
    X(soft_senses, 0x0u) \
    X(read_depth, 0x0u) \
    X(refresh_reads, 0x0u) \
    X(refresh_age, 0x0u) \
    X(scrub_interval, 0x0u) \
    X(scrub_bits, 0x0u) \
    X(gc_pacing, 0x0u) \
    X(host_streams, 0x0u) \
    X(write_polls, 0x0u) \
    X(zone_dies, 0x1u) \
    X(open_zones, 0xEu) \
    X(active_zones, 0xEu) \
    X(zone_erase, 0x0u) \
    X(superblock_parity, 0x0u) \
    X(placement_handles, 0x0u) \
    X(placement_isolation, 0x0u) \
    X(thermal_light, 0x0u) \
    X(thermal_heavy, 0x0u) \
    X(thermal_hysteresis, 0x0u) \
    X(thermal_light_dies, 0x1u) \
    X(thermal_heavy_dies, 0x1u) \
    X(zone_rows, 0x0u)

/* Words with bounds: X(member, minimum, maximum, a divisor of the value, what is allowed). */
#define BOOT_BLOCK_BOUNDS(X) \
    X(channels, 1u, 0x40u, 1u, "boot block: CHANNELS must be 1 to 64") \
    X(ways, 1u, 0x40u, 1u, "boot block: WAYS must be 1 to 64") \
    X(luns, 1u, 0x8u, 1u, "boot block: LUNS must be 1 to 8") \
    X(planes, 1u, 0x10u, 1u, "boot block: PLANES must be 1 to 16") \
    X(blocks_per_plane, 1u, 0x100000u, 1u, "boot block: BLOCKS_PER_PLANE must be 1 to 1048576") \
    X(pages_per_block, 2u, 0xFFFFu, 1u, "boot block: PAGES_PER_BLOCK must be 2 to 65535") \
    X(page_bytes, 512u, 0x4000u, 512u, "boot block: PAGE_BYTES must be 512 to 16384, a multiple of 512") \
    X(units, 1u, 0x1000u, 1u, "boot block: UNITS must be 1 to 4096") \
    X(buffer_base, 0u, 0xFFFFFFFFu, 512u, "boot block: BUFFER_BASE must be a multiple of 512") \
    X(host_slots, 1u, 0xFFFFu, 1u, "boot block: HOST_SLOTS must be 1 to 65535") \
    X(overprovision_permille, 0u, 0x384u, 1u, "boot block: OVERPROVISION_PERMILLE must be 0 to 900") \
    X(gc_policy, 0u, 0x1u, 1u, "boot block: GC_POLICY must be 0 (greedy) or 1 (cost-benefit)") \
    X(gc_low_blocks, 0u, 0x3E8u, 1u, "boot block: GC_LOW_BLOCKS must be 0 to 1000") \
    X(gc_idle_blocks, 0u, 0xFFFFu, 1u, "boot block: GC_IDLE_BLOCKS must be 0 to 65535") \
    X(gc_copyback, 0u, 0x1u, 1u, "boot block: GC_COPYBACK must be 0 or 1") \
    X(completion, 0u, 0x1u, 1u, "boot block: COMPLETION must be 0 (write-back) or 1 (write-through)") \
    X(wear_threshold, 0u, 0xF4240u, 1u, "boot block: WEAR_THRESHOLD must be 0 to 1000000") \
    X(spare_blocks, 0u, 0xFFFFu, 1u, "boot block: SPARE_BLOCKS must be 0 to 65535") \
    X(cores, 1u, 0x2u, 1u, "boot block: CORES must be 1 or 2") \
    X(command_placement, 0u, 0x1u, 1u, "boot block: COMMAND_PLACEMENT must be 0 (striped) or 1 (channel)") \
    X(serial_writes, 0u, 0x1u, 1u, "boot block: SERIAL_WRITES must be 0 or 1") \
    X(read_polls, 0u, 0x64u, 1u, "boot block: READ_POLLS must be 0 to 100") \
    X(read_units, 0u, 0xFFFu, 1u, "boot block: READ_UNITS must be 0 to 4095") \
    X(superchip_bus, 0u, 0x40u, 1u, "boot block: SUPERCHIP_BUS must be 0 to 64") \
    X(superchip_chip, 0u, 0x40u, 1u, "boot block: SUPERCHIP_CHIP must be 0 to 64") \
    X(foreground_unit, 0u, 0xFFFu, 1u, "boot block: FOREGROUND_UNIT must be 0 to 4095") \
    X(synthesizer, 0u, 0x1u, 1u, "boot block: SYNTHESIZER must be 0 or 1") \
    X(recover, 0u, 0x2u, 1u, "boot block: RECOVER must be 0 to 2") \
    X(superblock_limit, 0u, 0xC8u, 1u, "boot block: SUPERBLOCK_LIMIT must be 0 to 200") \
    X(parking_superblocks, 0u, 0x20u, 1u, "boot block: PARKING_SUPERBLOCKS must be 0 to 32") \
    X(flush_handling, 0u, 0x2u, 1u, "boot block: FLUSH_HANDLING must be 0 (merge), 1 (park) or 2 (ignore)") \
    X(replicate_tables, 0u, 0x1u, 1u, "boot block: REPLICATE_TABLES must be 0 or 1") \
    X(checkpoint_records, 0u, 0xF4240u, 1u, "boot block: CHECKPOINT_RECORDS must be 0 to 1000000") \
    X(implicit_wear, 0u, 0x1u, 1u, "boot block: IMPLICIT_WEAR must be 0 or 1") \
    X(software_units, 0u, 0x1u, 1u, "boot block: SOFTWARE_UNITS must be 0 (hardware) or 1 (software)") \
    X(gc_erase, 0u, 0x1u, 1u, "boot block: GC_ERASE must be 0 (at-once) or 1 (when-idle)") \
    X(start_gap_interval, 0u, 0xF4240u, 1u, "boot block: START_GAP_INTERVAL must be 0 to 1000000") \
    X(program_pages, 1u, 0x4u, 1u, "boot block: PROGRAM_PAGES must be 1 to 4") \
    X(row_planes, 1u, 0x10u, 1u, "boot block: ROW_PLANES must be 1 to 16") \
    X(superblock_dies, 1u, 0x1000u, 1u, "boot block: SUPERBLOCK_DIES must be 1 to 4096") \
    X(pslc_cache, 0u, 0x2u, 1u, "boot block: PSLC_CACHE must be 0 (none), 1 (static) or 2 (dynamic)") \
    X(pslc_cache_resume, 0u, 0x3E7u, 1u, "boot block: PSLC_CACHE_RESUME must be 0 to 999") \
    X(pslc_cache_fold, 0u, 0x1u, 1u, "boot block: PSLC_CACHE_FOLD must be 0 or 1") \
    X(pslc_pages, 0u, 0xFFFFu, 1u, "boot block: PSLC_PAGES must be 0 to 65535") \
    X(write_cache, 0u, 0x1u, 1u, "boot block: WRITE_CACHE must be 0 (volatile) or 1 (protected)") \
    X(read_ahead_streams, 0u, 0x40u, 1u, "boot block: READ_AHEAD_STREAMS must be 0 to 64") \
    X(read_ahead_window, 1u, 0x1000u, 1u, "boot block: READ_AHEAD_WINDOW must be 1 to 4096") \
    X(retry_options, 0u, 0x20u, 1u, "boot block: RETRY_OPTIONS must be 0 to 32") \
    X(soft_senses, 0u, 0x7u, 1u, "boot block: SOFT_SENSES must be 0 to 7") \
    X(read_depth, 0u, 0x40u, 1u, "boot block: READ_DEPTH must be 0 to 64") \
    X(refresh_age, 0u, 0x7FFFFFFFu, 1u, "boot block: REFRESH_AGE must be 0 to 2147483647") \
    X(scrub_interval, 0u, 0x7FFFFFFFu, 1u, "boot block: SCRUB_INTERVAL must be 0 to 2147483647") \
    X(scrub_bits, 0u, 0x1FFFu, 1u, "boot block: SCRUB_BITS must be 0 to 8191") \
    X(gc_pacing, 0u, 0x1u, 1u, "boot block: GC_PACING must be 0 (none) or 1 (free-space)") \
    X(host_streams, 0u, 0x1u, 1u, "boot block: HOST_STREAMS must be 0 (one) or 1 (hot-cold)") \
    X(write_polls, 0u, 0x64u, 1u, "boot block: WRITE_POLLS must be 0 to 100") \
    X(zone_dies, 1u, 0x1000u, 1u, "boot block: ZONE_DIES must be 1 to 4096") \
    X(open_zones, 1u, 0x1000u, 1u, "boot block: OPEN_ZONES must be 1 to 4096") \
    X(active_zones, 1u, 0x1000u, 1u, "boot block: ACTIVE_ZONES must be 1 to 4096") \
    X(zone_erase, 0u, 0x1u, 1u, "boot block: ZONE_ERASE must be 0 (at-reset) or 1 (when-opened)") \
    X(superblock_parity, 0u, 0x1u, 1u, "boot block: SUPERBLOCK_PARITY must be 0 or 1") \
    X(placement_handles, 0u, 0x8u, 1u, "boot block: PLACEMENT_HANDLES must be 0 to 8") \
    X(placement_isolation, 0u, 0x1u, 1u, "boot block: PLACEMENT_ISOLATION must be 0 (initially-isolated) or 1 (persistently-isolated)") \
    X(thermal_light, 0u, 0x960u, 1u, "boot block: THERMAL_LIGHT must be 0 to 2400") \
    X(thermal_heavy, 0u, 0x960u, 1u, "boot block: THERMAL_HEAVY must be 0 to 2400") \
    X(thermal_hysteresis, 0u, 0x320u, 1u, "boot block: THERMAL_HYSTERESIS must be 0 to 800") \
    X(thermal_light_dies, 1u, 0x8000u, 1u, "boot block: THERMAL_LIGHT_DIES must be 1 to 32768") \
    X(thermal_heavy_dies, 1u, 0x8000u, 1u, "boot block: THERMAL_HEAVY_DIES must be 1 to 32768") \
    X(zone_rows, 0u, 0x10000u, 1u, "boot block: ZONE_ROWS must be 0 to 65536")

/* Flash descriptor: One superchip operation, 64 bytes, in control memory at a multiple of 64. A sector number counts over the physical superblock. With 1x1 superchips a superblock is a block and the superchip number is the flat die number. From the write to HEAD until its STATUS is written the descriptor belongs to the hardware, and with it the lists, tables and spare records that it names: firmware neither changes it nor queues it again, and does not change a list before its last descriptor has ended. A descriptor that breaks a rule of its fields ends with status 6 and is counted with the reason (malformed descriptor); one whose words before STATUS were changed after the unit had fetched it is executed as it was fetched, and is counted (descriptor changed by firmware); a change between HEAD and the fetch breaks the rule too, but is executed and not noticed. */
struct flash_descriptor {
    uint32_t next;
    uint32_t control;
    uint32_t superchip;
    uint32_t start_sector;
    uint32_t sectors;
    uint32_t buffer;
    uint32_t blocks;
    uint32_t source_blocks;
    uint32_t source_sector;
    uint32_t spare_address;
    uint32_t status;
    uint32_t cookie;
    uint32_t spare0;
    uint32_t spare1;
    uint32_t spare2;
    uint32_t spare3;
};
#define FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK 0x0000007Fu
#define FLASH_DESCRIPTOR_CONTROL_OPCODE_SHIFT 0u
#define FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK 0x00000080u
#define FLASH_DESCRIPTOR_CONTROL_READ_OPTION_SHIFT 7u
#define FLASH_DESCRIPTOR_CONTROL_REPORT_MASK 0x00000100u
#define FLASH_DESCRIPTOR_CONTROL_REPORT_SHIFT 8u
#define FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK 0x00000200u
#define FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_SHIFT 9u
#define FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK 0x00000400u
#define FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_SHIFT 10u
#define FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK 0x00000800u
#define FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_SHIFT 11u
#define FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK 0x00001000u
#define FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_SHIFT 12u
#define FLASH_DESCRIPTOR_CONTROL_ONE_CHIP_MASK 0x00002000u
#define FLASH_DESCRIPTOR_CONTROL_ONE_CHIP_SHIFT 13u
#define FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK 0x00004000u
#define FLASH_DESCRIPTOR_CONTROL_COMPLETE_SHIFT 14u
#define FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK 0x00008000u
#define FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_SHIFT 15u
#define FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK 0x000F0000u
#define FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT 16u
#define FLASH_DESCRIPTOR_CONTROL_STEP_MASK 0x0FF00000u
#define FLASH_DESCRIPTOR_CONTROL_STEP_SHIFT 20u
#define FLASH_DESCRIPTOR_CONTROL_PSLC_MASK 0x10000000u
#define FLASH_DESCRIPTOR_CONTROL_PSLC_SHIFT 28u
#define FLASH_DESCRIPTOR_CONTROL_STEPPED_MASK 0x20000000u
#define FLASH_DESCRIPTOR_CONTROL_STEPPED_SHIFT 29u
#define FLASH_DESCRIPTOR_CONTROL_PARITY_MASK 0x40000000u
#define FLASH_DESCRIPTOR_CONTROL_PARITY_SHIFT 30u
#define FLASH_DESCRIPTOR_STATUS_CODE_MASK 0x000000FFu
#define FLASH_DESCRIPTOR_STATUS_CODE_SHIFT 0u
#define FLASH_DESCRIPTOR_STATUS_CHIP_MASK 0x0000FF00u
#define FLASH_DESCRIPTOR_STATUS_CHIP_SHIFT 8u
#define FLASH_DESCRIPTOR_STATUS_BLANK_MASK 0x00010000u
#define FLASH_DESCRIPTOR_STATUS_BLANK_SHIFT 16u
#define FLASH_DESCRIPTOR_STATUS_PAGE_MASK 0x7FFE0000u
#define FLASH_DESCRIPTOR_STATUS_PAGE_SHIFT 17u
STROBE_REGS_ASSERT(sizeof(struct flash_descriptor) == 64u, "layout of flash_descriptor");

/* Flash event: One entry of the flash controller's event ring, 16 bytes. An entry is new when its phase differs from that of the last round; the hardware writes phase 1 in the first round of the ring. */
struct flash_event {
    uint32_t status;
    uint32_t descriptor;
    uint32_t cookie;
    uint32_t unit;
};
#define FLASH_EVENT_STATUS_CODE_MASK 0x000000FFu
#define FLASH_EVENT_STATUS_CODE_SHIFT 0u
#define FLASH_EVENT_STATUS_CHIP_MASK 0x0000FF00u
#define FLASH_EVENT_STATUS_CHIP_SHIFT 8u
#define FLASH_EVENT_STATUS_BLANK_MASK 0x00010000u
#define FLASH_EVENT_STATUS_BLANK_SHIFT 16u
#define FLASH_EVENT_STATUS_PAGE_MASK 0x7FFE0000u
#define FLASH_EVENT_STATUS_PAGE_SHIFT 17u
#define FLASH_EVENT_STATUS_PHASE_MASK 0x80000000u
#define FLASH_EVENT_STATUS_PHASE_SHIFT 31u
STROBE_REGS_ASSERT(sizeof(struct flash_event) == 16u, "layout of flash_event");

/* Host command record: Written by the host interface to COMMANDS + 32 * slot before the command event, 32 bytes. */
struct host_command {
    uint32_t kind;
    uint32_t lba_lo;
    uint32_t lba_hi;
    uint32_t sectors;
    uint32_t reserved[4];
};
#define HOST_COMMAND_KIND_KIND_MASK 0x000000FFu
#define HOST_COMMAND_KIND_KIND_SHIFT 0u
#define HOST_COMMAND_KIND_FUA_MASK 0x00000100u
#define HOST_COMMAND_KIND_FUA_SHIFT 8u
#define HOST_COMMAND_KIND_PLACEMENT_MASK 0x00FF0000u
#define HOST_COMMAND_KIND_PLACEMENT_SHIFT 16u
STROBE_REGS_ASSERT(sizeof(struct host_command) == 32u, "layout of host_command");

/* Host event: One entry of the host interface's event ring, 16 bytes; phase as in flash_event. */
struct host_event {
    uint32_t kind;
    uint32_t slot;
    uint32_t cookie;
    uint32_t range;
};
#define HOST_EVENT_KIND_KIND_MASK 0x000000FFu
#define HOST_EVENT_KIND_KIND_SHIFT 0u
#define HOST_EVENT_KIND_PHASE_MASK 0x80000000u
#define HOST_EVENT_KIND_PHASE_SHIFT 31u
#define HOST_EVENT_RANGE_FIRST_MASK 0x0000FFFFu
#define HOST_EVENT_RANGE_FIRST_SHIFT 0u
#define HOST_EVENT_RANGE_MORE_MASK 0xFFFF0000u
#define HOST_EVENT_RANGE_MORE_SHIFT 16u
STROBE_REGS_ASSERT(sizeof(struct host_event) == 16u, "layout of host_event");

/* Statistics block: State of firmware's buffers for an observer, 112 bytes. Firmware writes it and reads only its own sums; no other part of the drive reads it. Counts and sums run freely. A sum over time is complete up to the time in the words before it: add the present value times the time since then. The observer may set the two maxima to 0. */
struct statistics {
    uint32_t write_slots;
    uint32_t used;
    uint32_t used_at_lo;
    uint32_t used_at_hi;
    uint32_t used_sum_lo;
    uint32_t used_sum_hi;
    uint32_t taken;
    uint32_t waiting;
    uint32_t waiting_at_lo;
    uint32_t waiting_at_hi;
    uint32_t waiting_sum_lo;
    uint32_t waiting_sum_hi;
    uint32_t short_lo;
    uint32_t short_hi;
    uint32_t most_waiting;
    uint32_t longest_wait;
    uint32_t ahead_read;
    uint32_t ahead_hit;
    uint32_t ahead_missed;
    uint32_t ahead_wasted;
    uint32_t refresh_reads;
    uint32_t refresh_age;
    uint32_t refresh_errors;
    uint32_t refresh_units;
    uint32_t scrub_reads;
    uint32_t parity_stripes;
    uint32_t parity_rebuilt;
    uint32_t parity_lost;
};
STROBE_REGS_ASSERT(sizeof(struct statistics) == 112u, "layout of statistics");

/* Zone entry: One entry of the zone table (ZONE_TABLE), 8 bytes. */
struct zone_entry {
    uint32_t state;
    uint32_t pointer;
};
#define ZONE_ENTRY_STATE_STATE_MASK 0x0000000Fu
#define ZONE_ENTRY_STATE_STATE_SHIFT 0u
STROBE_REGS_ASSERT(sizeof(struct zone_entry) == 8u, "layout of zone_entry");

/* Placement entry: One entry of the placement table (PLACEMENT_TABLE), 8 bytes. */
struct placement_entry {
    uint32_t available;
    uint32_t moved;
};
STROBE_REGS_ASSERT(sizeof(struct placement_entry) == 8u, "layout of placement_entry");

#undef STROBE_REGS_ASSERT
#endif
