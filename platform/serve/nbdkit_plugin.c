// SPDX-License-Identifier: Apache-2.0
//
// nbdkit's plugin: passes the requests of NBD clients to Strobe, which started nbdkit (plugin_protocol.h). It has no
// state besides its connections to Strobe: each of a client's threads takes an idle one, or makes another. Clients may
// use ranges that are no whole blocks, though they are told of the size: such reads are widened, such writes read the
// block first and exclude other writes meanwhile, such trims leave out what is not whole.
//
//   socket=PATH  of Strobe      size=BYTES  of the drive      block=BYTES  smallest request
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "platform/serve/plugin_protocol.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
#define MOST_IDLE 64
#define SECTOR 512

static struct {
    struct sockaddr_un address;
    int64_t size;
    int64_t block;    // of the drive's: reads and writes of it are whole ones
    int64_t smallest; // request, as clients are told
} config;

// Exclusive: a block is changed in part. Such writes go before others that wait, or they could wait for ever.
static pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

struct client {
    pthread_mutex_t lock;
    unsigned idle_count;
    int idle[MOST_IDLE];
};

// --- configuration ---------------------------------------------------------------------------------------------------

static int strobe_config(const char* key, const char* value)
{
    if (strcmp(key, "socket") == 0) {
        if (strlen(value) >= sizeof config.address.sun_path) {
            nbdkit_error("socket: the path is too long");
            return -1;
        }
        config.address.sun_family = AF_UNIX;
        strcpy(config.address.sun_path, value);
        return 0;
    }
    int64_t* number = strcmp(key, "size") == 0 ? &config.size : strcmp(key, "block") == 0 ? &config.block : NULL;
    if (number == NULL) {
        nbdkit_error("unknown parameter %s; there are socket, size, block", key);
        return -1;
    }
    *number = nbdkit_parse_size(value);
    return *number < 0 ? -1 : 0;
}

static int strobe_config_complete(void)
{
    if (config.address.sun_family == AF_UNIX && config.size > 0 && config.block > 0) {
        config.smallest = config.block;
        if (config.block < SECTOR)
            config.block = SECTOR;
        return 0;
    }
    nbdkit_error("socket, size and block are needed: this plugin is started by `strobe serve nbd`");
    return -1;
}

// --- connections to Strobe -------------------------------------------------------------------------------------------

static int send_all(int socket, const void* source, size_t bytes)
{
    const char* next = source;
    while (bytes != 0) {
        const ssize_t sent = send(socket, next, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -1;
        next += sent;
        bytes -= (size_t)sent;
    }
    return 0;
}

static int receive_all(int socket, void* destination, size_t bytes)
{
    char* next = destination;
    while (bytes != 0) {
        const ssize_t got = recv(socket, next, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        next += got;
        bytes -= (size_t)got;
    }
    return 0;
}

static int take_connection(struct client* client)
{
    int connection = -1;
    pthread_mutex_lock(&client->lock);
    if (client->idle_count != 0)
        connection = client->idle[--client->idle_count];
    pthread_mutex_unlock(&client->lock);
    if (connection >= 0)
        return connection;
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection >= 0 && connect(connection, (const struct sockaddr*)&config.address, sizeof config.address) != 0) {
        close(connection);
        connection = -1;
    }
    return connection;
}

static void return_connection(struct client* client, int connection)
{
    pthread_mutex_lock(&client->lock);
    const int is_kept = client->idle_count < MOST_IDLE;
    if (is_kept)
        client->idle[client->idle_count++] = connection;
    pthread_mutex_unlock(&client->lock);
    if (!is_kept)
        close(connection);
}

// One exchange. -1: failed, and nbdkit has the reason. `extents`: STROBE_NBD_MOST_EXTENTS of them, or null.
static int exchange(struct client* client, const struct strobe_nbd_request* request, const void* written, void* read,
                    struct strobe_nbd_extent* extents, uint32_t* extent_count)
{
    struct strobe_nbd_reply reply;
    const int connection = take_connection(client);
    int is_broken = connection < 0 || send_all(connection, request, sizeof *request) != 0 ||
                    (written != NULL && send_all(connection, written, request->bytes) != 0) ||
                    receive_all(connection, &reply, sizeof reply) != 0;
    if (!is_broken && reply.error == 0 && read != NULL)
        is_broken = receive_all(connection, read, request->bytes) != 0;
    if (!is_broken && reply.error == 0 && extents != NULL) {
        is_broken = reply.extents > STROBE_NBD_MOST_EXTENTS ||
                    receive_all(connection, extents, reply.extents * sizeof *extents) != 0;
        *extent_count = reply.extents;
    }
    if (is_broken) { // Strobe has gone, or is about to
        if (connection >= 0)
            close(connection);
        nbdkit_set_error(ESHUTDOWN);
        return -1;
    }
    return_connection(client, connection);
    if (reply.error == 0)
        return 0;
    nbdkit_set_error((int)reply.error);
    return -1;
}

static int transfer(void* handle, uint32_t operation, uint32_t flags, uint64_t offset, uint64_t bytes,
                    const void* written, void* read)
{
    const struct strobe_nbd_request request = {operation,
                                               ((flags & NBDKIT_FLAG_FUA) != 0 ? STROBE_NBD_FUA : 0U) |
                                                   ((flags & NBDKIT_FLAG_MAY_TRIM) != 0 ? STROBE_NBD_MAY_TRIM : 0U),
                                               offset, bytes};
    return exchange(handle, &request, written, read, NULL, NULL);
}

// --- what nbdkit calls -----------------------------------------------------------------------------------------------

static void strobe_close(void* handle)
{
    struct client* client = handle;
    for (unsigned i = 0; i < client->idle_count; ++i)
        close(client->idle[i]);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

static void* strobe_open(int readonly)
{
    (void)readonly;
    struct client* client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    pthread_mutex_init(&client->lock, NULL);
    if (transfer(client, STROBE_NBD_OPEN, 0, 0, 0, NULL, NULL) != 0) {
        strobe_close(client);
        return NULL;
    }
    return client;
}

static int64_t strobe_get_size(void* handle)
{
    (void)handle;
    return config.size;
}

static int strobe_block_size(void* handle, uint32_t* minimum, uint32_t* preferred, uint32_t* maximum)
{
    (void)handle;
    *minimum = (uint32_t)config.smallest;
    *preferred = config.block > 4096 ? (uint32_t)config.block : 4096;
    *maximum = 32 * 1024 * 1024;
    return 0;
}

static int yes(void* handle)
{
    (void)handle;
    return 1;
}

static int strobe_can_fua(void* handle)
{
    (void)handle;
    return NBDKIT_FUA_NATIVE;
}

static uint64_t block_begin(uint64_t offset)
{
    return offset - offset % (uint64_t)config.block;
}

// The size of the drive is a multiple of the block.
static uint64_t block_end(uint64_t offset)
{
    return block_begin(offset + (uint64_t)config.block - 1);
}

static int is_whole(uint64_t offset, uint64_t bytes)
{
    return block_begin(offset) == offset && block_begin(bytes) == bytes;
}

static int strobe_pread(void* handle, void* buffer, uint32_t bytes, uint64_t offset, uint32_t flags)
{
    if (is_whole(offset, bytes))
        return transfer(handle, STROBE_NBD_READ, flags, offset, bytes, NULL, buffer);
    const uint64_t begin = block_begin(offset);
    const uint64_t span = block_end(offset + bytes) - begin;
    char* widened = malloc(span);
    if (widened == NULL) {
        nbdkit_set_error(ENOMEM);
        return -1;
    }
    const int result = transfer(handle, STROBE_NBD_READ, flags, begin, span, NULL, widened);
    if (result == 0)
        memcpy(buffer, widened + (offset - begin), bytes);
    free(widened);
    return result;
}

// `bytes` of one block. `data`: null for zeros.
static int write_within_block(void* handle, const char* data, uint64_t bytes, uint64_t offset, uint32_t flags)
{
    const uint64_t begin = block_begin(offset);
    char* block = malloc((size_t)config.block);
    if (block == NULL) {
        nbdkit_set_error(ENOMEM);
        return -1;
    }
    int result = transfer(handle, STROBE_NBD_READ, 0, begin, (uint64_t)config.block, NULL, block);
    if (result == 0) {
        if (data != NULL)
            memcpy(block + (offset - begin), data, bytes);
        else
            memset(block + (offset - begin), 0, bytes);
        result =
            transfer(handle, STROBE_NBD_WRITE, flags & NBDKIT_FLAG_FUA, begin, (uint64_t)config.block, block, NULL);
    }
    free(block);
    return result;
}

// A write, or a zero if there is no data.
static int write_range(void* handle, const char* data, uint64_t bytes, uint64_t offset, uint32_t flags)
{
    const uint32_t operation = data != NULL ? STROBE_NBD_WRITE : STROBE_NBD_ZERO;
    int result = 0;
    if (is_whole(offset, bytes)) {
        pthread_rwlock_rdlock(&writers);
        result = transfer(handle, operation, flags, offset, bytes, data, NULL);
        pthread_rwlock_unlock(&writers);
        return result;
    }
    pthread_rwlock_wrlock(&writers);
    while (bytes != 0 && result == 0) {
        const uint64_t block = (uint64_t)config.block;
        const uint64_t inside = offset % block;
        uint64_t part = bytes - bytes % block;
        if (inside == 0 && part != 0) {
            result = transfer(handle, operation, flags, offset, part, data, NULL);
        } else {
            part = bytes < block - inside ? bytes : block - inside;
            result = write_within_block(handle, data, part, offset, flags);
        }
        data = data == NULL ? NULL : data + part;
        offset += part;
        bytes -= part;
    }
    pthread_rwlock_unlock(&writers);
    return result;
}

static int strobe_pwrite(void* handle, const void* buffer, uint32_t bytes, uint64_t offset, uint32_t flags)
{
    return write_range(handle, buffer, bytes, offset, flags);
}

static int strobe_zero(void* handle, uint32_t bytes, uint64_t offset, uint32_t flags)
{
    return write_range(handle, NULL, bytes, offset, flags);
}

static int strobe_trim(void* handle, uint32_t bytes, uint64_t offset, uint32_t flags)
{
    const uint64_t begin = block_end(offset);
    const uint64_t end = block_begin(offset + bytes);
    if (begin < end)
        return transfer(handle, STROBE_NBD_TRIM, flags, begin, end - begin, NULL, NULL);
    return (flags & NBDKIT_FLAG_FUA) == 0 ? 0 : transfer(handle, STROBE_NBD_FLUSH, 0, 0, 0, NULL, NULL);
}

static int strobe_flush(void* handle, uint32_t flags)
{
    return transfer(handle, STROBE_NBD_FLUSH, flags, 0, 0, NULL, NULL);
}

static int strobe_extents(void* handle, uint32_t bytes, uint64_t offset, uint32_t flags, struct nbdkit_extents* answer)
{
    uint64_t at = block_begin(offset);
    const struct strobe_nbd_request request = {STROBE_NBD_EXTENTS,
                                               (flags & NBDKIT_FLAG_REQ_ONE) != 0 ? STROBE_NBD_ONE : 0U, at,
                                               block_end(offset + bytes) - at};
    struct strobe_nbd_extent* extents = calloc(STROBE_NBD_MOST_EXTENTS, sizeof *extents);
    uint32_t count = 0;
    int result = extents == NULL ? -1 : exchange(handle, &request, NULL, NULL, extents, &count);
    for (uint32_t i = 0; result == 0 && i < count; ++i) {
        const uint32_t kind = extents[i].is_hole != 0 ? NBDKIT_EXTENT_HOLE | NBDKIT_EXTENT_ZERO : 0;
        result = nbdkit_add_extent(answer, at, extents[i].bytes, kind);
        at += extents[i].bytes;
    }
    free(extents);
    return result;
}

static struct nbdkit_plugin plugin = {
    .name = "strobe",
    .longname = "Strobe",
    .description = "the modelled drive of `strobe serve nbd`, which starts nbdkit with this plugin",
    .config = strobe_config,
    .config_complete = strobe_config_complete,
    .config_help = "socket=<PATH>  size=<BYTES>  block=<BYTES>   (from `strobe serve nbd`)",
    .open = strobe_open,
    .close = strobe_close,
    .get_size = strobe_get_size,
    .block_size = strobe_block_size,
    .can_write = yes,
    .can_flush = yes,
    .can_trim = yes,
    .can_zero = yes,
    .can_fua = strobe_can_fua,
    .can_multi_conn = yes, // a flush covers what all clients have been told
    .can_extents = yes,
    .pread = strobe_pread,
    .pwrite = strobe_pwrite,
    .trim = strobe_trim,
    .zero = strobe_zero,
    .flush = strobe_flush,
    .extents = strobe_extents,
};

NBDKIT_REGISTER_PLUGIN(plugin)
