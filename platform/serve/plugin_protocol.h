#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Messages between nbdkit's plugin (nbdkit_plugin.c) and Strobe, over stream connections of a private Unix socket, in
// the byte order of the machine. C and C++. A connection carries one request at a time:
//
//   plugin   strobe_nbd_request, then `bytes` bytes of a write
//   Strobe   strobe_nbd_reply, then, if there was no error, `bytes` bytes of a read, or `extents` times
//            strobe_nbd_extent that together cover a part of the range from its start on, at least one
//
// A request that Strobe cannot have been sent by its plugin ends the connection.

#include <stdint.h>

enum strobe_nbd_operation {
    STROBE_NBD_OPEN = 1, // a client has connected
    STROBE_NBD_READ,
    STROBE_NBD_WRITE,
    STROBE_NBD_TRIM,
    STROBE_NBD_ZERO,
    STROBE_NBD_FLUSH,
    STROBE_NBD_EXTENTS
};

enum strobe_nbd_flag {
    STROBE_NBD_FUA = 1,
    STROBE_NBD_MAY_TRIM = 2, // of a zero
    STROBE_NBD_ONE = 4       // of extents: the first one is enough
};

// The longest request with data: nbdkit's longest, and a block before and after.
enum { STROBE_NBD_MOST_BYTES = 64 * 1024 * 1024 + 2 * 65536, STROBE_NBD_MOST_EXTENTS = 4096 };

struct strobe_nbd_request {
    uint32_t operation;
    uint32_t flags;
    uint64_t offset;
    uint64_t bytes;
};

struct strobe_nbd_reply {
    uint32_t error; // of errno.h; 0: none
    uint32_t extents;
};

struct strobe_nbd_extent {
    uint64_t bytes;
    uint32_t is_hole; // unwritten or trimmed: it reads as zeros
    uint32_t unused;
};
