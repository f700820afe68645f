#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The request layer on the drive of LayerBench, with the host's side in the test's hands: commands are put into a slot
// without an event, transfers and completions are read from the register writes, and a transfer ends when the test
// says so.

#include "tests/firmware/ftl/page_map/layer_bench.h"

namespace strobe::test {

struct RequestBench {
    struct Transfer {
        std::uint32_t slot, first, sectors, buffer, cookie;
        bool toHost, completes;
    };
    using Completion = std::pair<std::uint32_t, host_status>; // slot, status

    FakeHal hal;
    boot_block boot;
    FakeFlash flash;
    ::app& app = *request_app();
    std::vector<Transfer> transfers; // ordered and not ended
    std::vector<Completion> completions;

    explicit RequestBench(const LayerBench::Change& change = {})
        : boot(LayerBench::bootOf(hal, change, {})), flash(hal, boot.page_bytes)
    {
        request_init(&boot, &hal.arena);
        hal.writes.clear();
    }
    RequestBench(const RequestBench&) = delete;
    RequestBench& operator=(const RequestBench&) = delete;

    // A command in a slot, as it is when it has been checked.
    request& put(std::uint32_t slot, host_command_kind kind, std::uint64_t lba, std::uint32_t sectors,
                 bool through = false)
    {
        request& r = app.requests[slot];
        r = {};
        r.kind = kind;
        r.lba = lba;
        r.sectors = sectors;
        r.first_unit = unit_of_lba(&app, lba);
        r.first_column = static_cast<std::uint32_t>(lba) - r.first_unit * app.ftl.geometry.sectors_per_unit;
        r.through = through;
        r.active = true;
        ++app.active;
        return r;
    }
    void read(std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors)
    {
        put(slot, HOST_READ, lba, sectors);
        read_start(&app, slot);
        look();
    }
    void write(std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors, bool through = false)
    {
        put(slot, HOST_WRITE, lba, sectors, through);
        write_start(&app, slot);
        look();
    }
    // Units from `logical` on are in flash: those of the next pages of the plane's open block.
    void fill(std::uint32_t logical, std::uint32_t pages = 8)
    {
        ftl& layer = app.ftl;
        for (std::uint32_t page = 0; page < pages; ++page) {
            const std::uint32_t unit = blocks_take_page(&layer.blocks, 0, STREAM_HOST, 0);
            for (std::uint32_t i = 0; i < layer.geometry.units_per_page; ++i)
                map_write(&layer.map, logical++, unit + i);
            blocks_program_ended(&layer.blocks, block_of_unit(&layer.geometry, unit));
        }
    }
    void endFlash(flash_status status = FLASH_OK)
    {
        flash.end(status);
        flash_poll(&app.ftl.flash);
        look();
    }
    // Ends transfer `i`; one that completes its command does so.
    void endTransfer(std::size_t i = 0)
    {
        const Transfer ended = transfers.at(i);
        transfers.erase(transfers.begin() + static_cast<std::ptrdiff_t>(i));
        if (ended.completes)
            completions.emplace_back(ended.slot, HOST_OK);
        if (ended.toHost)
            read_transfer_done(&app, ended.slot, ended.cookie);
        else
            write_transfer_done(&app, ended.slot, ended.cookie);
        look();
    }
    void endTransfers()
    {
        while (!transfers.empty())
            endTransfer();
    }
    // Takes over what was written to the host port's registers since the last time.
    void look()
    {
        for (const auto& [address, value] : hal.writes) {
            if (address == HOST_XFER_RANGE) {
                next_.first = value & HOST_XFER_RANGE_FIRST_MASK;
                next_.sectors = (value >> HOST_XFER_RANGE_MORE_SHIFT) + 1;
            } else if (address == HOST_XFER_BUFFER) {
                next_.buffer = value;
            } else if (address == HOST_XFER_COOKIE) {
                next_.cookie = value;
            } else if (address == HOST_XFER_START) {
                next_.slot = value & HOST_XFER_START_SLOT_MASK;
                next_.toHost = (value & HOST_XFER_START_TO_HOST_MASK) != 0;
                next_.completes = (value & HOST_XFER_START_COMPLETE_MASK) != 0;
                transfers.push_back(next_);
            } else if (address == HOST_COMPLETE) {
                completions.emplace_back(value & HOST_COMPLETE_SLOT_MASK,
                                         static_cast<host_status>(value >> HOST_COMPLETE_STATUS_SHIFT));
            }
        }
        hal.writes.clear();
    }
    const flash_descriptor& started(std::size_t i) const { return *flash.pending.at(i); }
    slot& slotOf(std::uint32_t number) { return app.ftl.buffer.slot[number]; }
    std::uint32_t used(slot_use use) const { return app.ftl.buffer.used[use]; }

private:
    Transfer next_{};
};

} // namespace strobe::test
