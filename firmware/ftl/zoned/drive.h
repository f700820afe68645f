/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation layer of a drive with zones: what its files share. Writes begin at the write pointer of their zone,
 * so data lies in the flash in the order of its addresses, and there is neither a map of pages nor garbage collection.
 *
 *   shape, capacity  where sectors are, how many zones there are
 *   states           the state machine that the host sees
 *   blocks           free and bad blocks
 *   units            buffers, each of one unit of a zone, and the programs that empty them
 *   writes, reads    data from and to the host
 *   manage           open, close, finish and reset of zones, and erases
 *   save, image, recover  what outlives a power loss
 *   request          commands as they come and go
 *
 * A write completes when its data is in the buffer, which capacitors protect. Not modelled: data of a zone is not moved
 * when a block fails; the zone becomes read-only, and what is not in the flash stays in its buffers.
 *
 * Owner of: struct zoned_drive, passed to every function; the one instance of an image is in request.c.
 */
#ifndef STROBE_ZONED_DRIVE_H
#define STROBE_ZONED_DRIVE_H

#include "firmware/app/request.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/zoned/blocks.h"
#include "firmware/ftl/zoned/shape.h"
#include "firmware/ftl/zoned/states.h"

#define ZONED_NONE 0xFFFFFFFFu

enum zone_job { ZONE_JOB_NONE, ZONE_JOB_FINISH, ZONE_JOB_RESET };

struct zone {
    uint32_t expected;  /* sectors accepted that are not in the buffer yet */
    uint32_t assigned;  /* sectors that have a place in a unit; all of them are data */
    uint32_t submitted; /* units whose programs have begun, with those that finish pads */
    uint32_t programs;  /* in progress */
    uint32_t filling;   /* unit buffer that takes the next sector, or none */
    uint32_t buffers;   /* first of its unit buffers, or none */
    uint32_t erasing;   /* blocks that are not erased yet, though they must be */
    uint32_t cursor;    /* blocks considered for an erase */
    uint32_t cleared;   /* by the reset in progress: 4 KiB of its data */
    uint32_t next;      /* zone that waits for erases */
    uint32_t next_job;  /* zone with a job */
    uint32_t slot;      /* of the command of the job */
    uint8_t job;
    bool has_begun; /* the job */
    bool has_blocks;
    bool has_failed; /* it is read-only; nothing more is programmed */
};

struct unit {      /* a buffer for the data of one unit */
    uint32_t zone; /* none: the zone was reset since */
    uint32_t number;
    uint32_t next;              /* of its zone, or free ones */
    uint32_t assigned, arrived; /* sectors, from the first one of the unit on */
    uint32_t programs;          /* in progress */
    uint32_t reads;             /* transfers from it in progress */
    bool is_used, is_submitted, is_padding, has_failed;
};

struct piece { /* of a read: part of one page. Its number is that of its flash operation and of its buffer page */
    uint32_t slot, first, sectors;
    uint32_t unit;   /* buffer that it is read from, or none */
    uint32_t column; /* sector of the page */
    uint32_t next;   /* free ones */
};

struct command { /* of a slot of the host port */
    enum host_status status;
    uint32_t zone;
    uint32_t sector; /* of the zone */
    uint32_t sectors;
    uint32_t cursor; /* sectors whose transfers have been ordered, or whose pieces have begun */
    uint32_t open;   /* pieces, transfers of a write in progress, or jobs of zones */
    uint32_t next;   /* commands that wait */
};

struct command_list {
    uint32_t head, tail;
};

enum save_phase { SAVE_RESTS, SAVE_DRAINS, SAVE_WRITES, SAVE_ENDED, SAVE_RECOVERS };

struct saved_unit {
    uint32_t zone, number;
    uint32_t sectors; /* of its data, from the first one on */
    uint32_t buffer;  /* that held it */
};

struct zone_save { /* save.h */
    enum save_phase phase;
    uint32_t blocks;       /* of each plane, in each of the two sets */
    uint32_t* block;       /* of the whole die; by set, plane and number */
    uint32_t record_bytes; /* what one program takes */
    uint32_t chunks;       /* records of the image */
    bus_address image;
    struct saved_unit* unit; /* and how many */
    uint32_t units;
    uint32_t set, generation; /* of the next save */
    uint32_t* row;            /* by plane of the drive: the next word line */
    uint32_t* record;         /* by plane: that is being programmed or read, or none */
    uint32_t in_progress;     /* operations */
    uint32_t records, next;   /* of the save, and the first one that was not begun */
    uint32_t* failed;         /* records to write again, and how many; recovery: by plane, the last operation */
    uint32_t failures;
    uint32_t* where; /* recovery: plane and word line of each record, or none */
    bool has_failed; /* recovery: a read */
};

struct zoned_drive {
    const struct boot_block* boot;
    struct host_if host;
    struct flash flash;
    struct zone_shape shape;
    struct zone_states states;
    struct zone_blocks blocks;
    uint32_t zones;
    struct zone* zone;
    uint32_t* members; /* blocks of zones: shape.members for each */
    uint64_t capacity;

    bus_address zeros; /* data buffer: the pages of one program, never written */
    bus_address unit_data, piece_data;
    struct unit* unit;
    uint32_t units, free_unit;
    struct piece* piece;
    uint32_t pieces, free_piece;

    struct command* command;
    struct command_list writes, reads; /* that wait for buffers */

    uint32_t jobs;                   /* first zone with a job, or none */
    bool is_clearing;                /* a reset has work that waits for no event */
    uint32_t erase_head, erase_tail; /* zones with blocks to erase */
    uint32_t* erased_for;            /* by plane of the drive: zone whose block is being erased, or none */

    struct zone_save save;
};

/* Numbers of flash operations: pieces, then programs of units, then erases and those of saves, by plane of the drive.
 */
static inline uint32_t op_of_unit(const struct zoned_drive* d, uint32_t unit, uint32_t plane)
{
    return d->pieces + unit * d->shape.planes + plane;
}
static inline uint32_t op_of_erase(const struct zoned_drive* d, uint32_t plane)
{
    return d->pieces + d->units * d->shape.planes + plane;
}

static inline uint32_t* zone_member(const struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    return &d->members[zone * d->shape.members + member];
}
static inline uint32_t plane_of_member(const struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    return zone_die(&d->shape, zone, member) * d->shape.planes + member % d->shape.planes;
}

static inline void command_list_add(struct zoned_drive* d, struct command_list* list, uint32_t slot)
{
    d->command[slot].next = ZONED_NONE;
    if (list->head == ZONED_NONE)
        list->head = slot;
    else
        d->command[list->tail].next = slot;
    list->tail = slot;
}

/* For tests: the instance of the image (request.c). */
struct zoned_drive* zoned_instance(void);

#endif
