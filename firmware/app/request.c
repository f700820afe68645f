/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/app/request.h"

enum host_status request_check(const struct host_command* command, uint64_t capacity, bool read_only)
{
    const uint32_t kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    const uint64_t lba = request_lba(command);
    if (kind < HOST_READ || kind > HOST_TRIM)
        return HOST_NOT_SUPPORTED;
    if (kind != HOST_FLUSH && (lba > capacity || command->sectors > capacity - lba))
        return HOST_OUT_OF_RANGE;
    if (read_only && (kind == HOST_WRITE || kind == HOST_TRIM))
        return HOST_DEVICE_FAULT;
    return HOST_OK;
}
