// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/policy_bench.h"

#include <utility>

namespace {

strobe::test::PolicyBench* current = nullptr;

} // namespace

namespace strobe::test {

PolicyBench::PolicyBench(const std::function<void(boot_block&)>& change) : memory(memoryBytes / 4, 0)
{
    current = this;
    boot.channels = boot.ways = 2;
    boot.luns = boot.planes = 1;
    boot.blocks_per_plane = 28;
    boot.spare_blocks = 2;
    boot.pages_per_block = 2;
    boot.page_bytes = 4 * 512;
    boot.units = units;
    boot.unit_depth = 1;
    boot.foreground_unit = units;
    boot.superchip_bus = 2;
    boot.superchip_chip = 1;
    boot.host_slots = hostSlots;
    boot.sector_buffer = ringSectors;
    boot.buffer_base = 0x40000000;
    boot.buffer_size = 2 * ringSectors * 512;
    boot.checkpoint_records = 40;
    boot.implicit_wear = 1;
    boot.cores = 1;
    if (change)
        change(boot);
    arena arena{};
    arena_init(&arena, memoryAt, memoryBytes);
    boot.bad_block_table = arena_take(&arena, 64, 1, 4, "bad blocks");
    sbm.boot = &boot;
    sbm.layout = layout_of(&boot);
    const auto onDone = [](void* context, std::uint32_t slot, units_result result) {
        jobs_done(&static_cast<superblock_map*>(context)->jobs, slot, result);
    };
    const units_client client{onDone, nullptr, &sbm};
    units_init(&sbm.units, &arena, &boot, units + 2, client);
    jobs_init(&sbm.jobs, &arena, units, &sbm.units, &sbm.superblocks, &sbm);
    superblocks_init(&sbm.superblocks, &sbm.layout, &sbm.read_progress, &boot, &arena);
    journal_init(&sbm, &arena);
    parking_init(&sbm, &arena, boot.parking_superblocks);
    sbm.logicals = 8;
    sbm.capacity = std::uint64_t{sbm.logicals} * sbm.layout.sectors;
    sbm.map_at = arena_take(&arena, sbm.logicals, 4, 64, "map");
    sbm.map = static_cast<bus_address*>(hal_memory(sbm.map_at, sbm.logicals * 4));
    const sector_buffer_size size{boot.buffer_base, ringSectors, entries, sbm.logicals};
    sector_buffer_init(&sbm.buffer, &sbm.layout, &sbm.read_progress, &arena, &size, false);
    sbm.merging.limit = 2;
    sbm.merging.high_water = 0;
    reads_init(&sbm, &arena, units, 2);
    sbm.commands.slot = static_cast<command*>(arena_array(&arena, hostSlots, sizeof(command), "commands"));
    sbm.writes.pieces = static_cast<piece*>(arena_array(&arena, 8, sizeof(piece), "pieces"));
    sbm.feed.flying = static_cast<piece*>(arena_array(&arena, 8, sizeof(piece), "pieces"));
    sbm.writes.mask = sbm.feed.mask = 7;
    sbm.flushes.head = sbm.trims.head = sbm.feed.line.head = NONE;
    host_if_init(
        &sbm.host, &arena, hostSlots, 16, [](std::uint32_t, const host_command*) {},
        [](std::uint32_t, std::uint32_t) {});
    recovery_init(&sbm, &arena);
    rescue_init(&sbm, &arena);
    statistics_start(0, ringSectors);
    ringAt_ = written(FLASH_RING_BASE);
    ringEntries_ = written(FLASH_RING_ENTRIES);
    writes.clear();
}

void PolicyBench::completeOne(const flash_descriptor& descriptor)
{
    auto* entry = static_cast<std::uint32_t*>(hal_memory(ringAt_ + events_ % ringEntries_ * RING_ENTRY_BYTES, 16));
    const bool isOddRound = events_ / ringEntries_ % 2 != 0;
    entry[2] = descriptor.cookie;
    entry[0] = static_cast<std::uint32_t>(flash_ ? flash_(descriptor) : FLASH_OK) | (isOddRound ? 0U : RING_PHASE);
    ++events_;
}

void PolicyBench::completeOperations(std::function<flash_status(const flash_descriptor&)> flash)
{
    flash_ = std::move(flash);
    onWait = [this] {
        for (; completed_ < writes.size(); ++completed_) {
            const auto [address, value] = writes[completed_];
            const std::uint32_t unit = (address - FLASH_UNIT_HEAD) / FLASH_UNIT_HEAD_STEP;
            if (address >= FLASH_UNIT_HEAD && unit <= units)
                completeOne(*static_cast<flash_descriptor*>(hal_memory(value, sizeof(flash_descriptor))));
        }
    };
}

std::uint32_t PolicyBench::opcode(std::uint32_t unit) const
{
    return operation(unit).control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK;
}

void PolicyBench::end(std::uint32_t unit, flash_status status, std::uint32_t chip)
{
    jobs_done(&sbm.jobs, unit, {status, chip});
}

std::uint32_t PolicyBench::write(std::uint32_t logical, std::uint32_t first, std::uint32_t count)
{
    const std::uint32_t entry = entry_open(&sbm.buffer, logical);
    ++sbm.buffer.stamp;
    const std::uint32_t number = sbm.buffer.head;
    buffer_arrived(&sbm.buffer, number, count);
    buffer_put(&sbm.buffer, entry, first, number, count);
    return entry;
}

std::uint32_t PolicyBench::map(std::uint32_t logical)
{
    const std::uint32_t number = superblocks_take(&sbm.superblocks, logical % sbm.layout.groups);
    change_mapped_superblock(&sbm, logical, number, NONE);
    return number;
}

void PolicyBench::putCommand(std::uint32_t slot, std::uint32_t kind, std::uint64_t lba, std::uint32_t count, bool fua)
{
    auto& record = const_cast<host_command&>(sbm.host.commands[slot]);
    record = {};
    record.kind = kind | (fua ? HOST_COMMAND_KIND_FUA_MASK : 0U);
    record.lba_lo = static_cast<std::uint32_t>(lba);
    record.lba_hi = static_cast<std::uint32_t>(lba >> 32U);
    record.sectors = count;
}

std::uint32_t PolicyBench::written(std::uint32_t address) const
{
    for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
        if (write->first == address)
            return write->second;
    }
    throw std::runtime_error("the register was not written");
}

} // namespace strobe::test

extern "C" {

std::uint32_t reg_read(bus_address address)
{
    const auto found = current->registers.find(address);
    return found == current->registers.end() ? 0 : found->second;
}

void reg_write(bus_address address, std::uint32_t value)
{
    current->writes.emplace_back(address, value);
}

void* hal_memory(bus_address address, std::uint32_t)
{
    return &current->memory.at((address - strobe::test::PolicyBench::memoryAt) / 4);
}

void hal_cost(hal_cost_point, std::uint32_t) {}
void hal_set_handler(hal_line, hal_handler) {}
bool hal_interrupts_disable()
{
    return false;
}
void hal_interrupts_restore(bool) {}
void hal_wait_for_interrupt()
{
    if (!current->onWait)
        throw std::runtime_error("the firmware sleeps");
    current->onWait();
}
std::uint32_t hal_core()
{
    return 0;
}
std::uint64_t hal_time_ns()
{
    return 1000;
}
void hal_log(const char* text)
{
    current->console.emplace_back(text);
}
void hal_panic(const char* text)
{
    throw strobe::test::Panic(text);
}
}
