#pragma once
// SPDX-License-Identifier: Apache-2.0
// Generated from firmware/regs/strobe.rdl by scripts/generate-registers (a882d654b6099deb). Do not edit.

#include "models/base/register_bank.h"

#include <cstdint>

namespace strobe::regs {

// Interrupt controller: Level-sensitive lines. The CPU's external interrupt is the OR of PENDING & ENABLE. A line falls when its source is served, not by a write here. Each CPU has its own interrupt controller, HAL_CORE_STEP (firmware/hal/cores.h) after that of the CPU before it; with two CPUs the line of the flash controller goes to the second one.
namespace intc {
inline constexpr std::uint32_t base = 0x02000000;
inline constexpr std::uint32_t size = 0x1000;
inline constexpr std::uint32_t PENDING = 0x0;
inline constexpr std::uint32_t PENDING_host_mask = 0x00000001;
inline constexpr std::uint32_t PENDING_host_shift = 0;
inline constexpr std::uint32_t PENDING_flash_mask = 0x00000002;
inline constexpr std::uint32_t PENDING_flash_shift = 1;
inline constexpr std::uint32_t PENDING_timer_mask = 0x00000004;
inline constexpr std::uint32_t PENDING_timer_shift = 2;
inline constexpr std::uint32_t PENDING_software_mask = 0x00000008;
inline constexpr std::uint32_t PENDING_software_shift = 3;
inline constexpr std::uint32_t PENDING_capture_mask = 0x00000010;
inline constexpr std::uint32_t PENDING_capture_shift = 4;
inline constexpr std::uint32_t PENDING_thermal_mask = 0x00000020;
inline constexpr std::uint32_t PENDING_thermal_shift = 5;
inline constexpr std::uint32_t ENABLE = 0x4;
inline constexpr std::uint32_t SOFTWARE = 0x8;
inline constexpr std::uint32_t SOFTWARE_set_mask = 0x00000001;
inline constexpr std::uint32_t SOFTWARE_set_shift = 0;
inline constexpr RegisterInfo table[] = {
    {"PENDING", 0x0, 1, 4, 0x00000000, 0x00000000, 0, "Lines that are asserted now."},
    {"ENABLE", 0x4, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Lines that may interrupt the CPU."},
    {"SOFTWARE", 0x8, 1, 4, 0x00000000, 0x00000001, 0, "Writing sets (1) or clears (0) the software interrupt."},
};
} // namespace intc

// Timer: Free-running time since power-on in nanoseconds, and one compare interrupt. Each CPU has its own timer, HAL_CORE_STEP (firmware/hal/cores.h) after that of the CPU before it.
namespace timer {
inline constexpr std::uint32_t base = 0x02010000;
inline constexpr std::uint32_t size = 0x1000;
inline constexpr std::uint32_t TIME_LO = 0x0;
inline constexpr std::uint32_t TIME_HI = 0x4;
inline constexpr std::uint32_t COMPARE_LO = 0x8;
inline constexpr std::uint32_t COMPARE_HI = 0xC;
inline constexpr std::uint32_t CONTROL = 0x10;
inline constexpr std::uint32_t CONTROL_enable_mask = 0x00000001;
inline constexpr std::uint32_t CONTROL_enable_shift = 0;
inline constexpr RegisterInfo table[] = {
    {"TIME_LO", 0x0, 1, 4, 0x00000000, 0x00000000, 0, "Low half of the time. Reading it latches the high half."},
    {"TIME_HI", 0x4, 1, 4, 0x00000000, 0x00000000, 0, "High half, as latched by the last read of TIME_LO."},
    {"COMPARE_LO", 0x8, 1, 4, 0xFFFFFFFF, 0xFFFFFFFF, 0, "Compare value, low half."},
    {"COMPARE_HI", 0xC, 1, 4, 0xFFFFFFFF, 0xFFFFFFFF, 0, "Compare value, high half; writing it arms the compare."},
    {"CONTROL", 0x10, 1, 4, 0x00000000, 0x00000001, 0, "1: the timer line is asserted while time >= compare."},
};
} // namespace timer

// UART: Console of firmware that runs on the RV32 core: bytes out, no bytes in, no interrupt. A line of text ends with a newline (0x0A).
namespace uart {
inline constexpr std::uint32_t base = 0x02020000;
inline constexpr std::uint32_t size = 0x1000;
inline constexpr std::uint32_t DATA = 0x0;
inline constexpr std::uint32_t DATA_octet_mask = 0x000000FF;
inline constexpr std::uint32_t DATA_octet_shift = 0;
inline constexpr std::uint32_t STATUS = 0x4;
inline constexpr std::uint32_t STATUS_free_mask = 0x0000FFFF;
inline constexpr std::uint32_t STATUS_free_shift = 0;
inline constexpr std::uint32_t LOST = 0x8;
inline constexpr RegisterInfo table[] = {
    {"DATA", 0x0, 1, 4, 0x00000000, 0x000000FF, 0, "Writing puts a byte into the queue. A byte that does not fit is lost and counted."},
    {"STATUS", 0x4, 1, 4, 0x00000000, 0x00000000, 0, "State of the queue."},
    {"LOST", 0x8, 1, 4, 0x00000000, 0x00000000, 0, "Bytes lost."},
};
} // namespace uart

// Temperature sensor: Samples temperature and power of the drive at fixed intervals. There only with a thermal model (scenario key thermal). With two CPUs its interrupt goes to the second one, which has the flash controller.
namespace thermal {
inline constexpr std::uint32_t base = 0x02030000;
inline constexpr std::uint32_t size = 0x1000;
inline constexpr std::uint32_t CONTROL = 0x0;
inline constexpr std::uint32_t CONTROL_enable_mask = 0x00000001;
inline constexpr std::uint32_t CONTROL_enable_shift = 0;
inline constexpr std::uint32_t TEMPERATURE = 0x4;
inline constexpr std::uint32_t LIGHT = 0x8;
inline constexpr std::uint32_t HEAVY = 0xC;
inline constexpr std::uint32_t POWER = 0x10;
inline constexpr std::uint32_t POWER_LIMIT = 0x14;
inline constexpr std::uint32_t THROTTLE = 0x18;
inline constexpr std::uint32_t THROTTLE_strength_mask = 0x00000003;
inline constexpr std::uint32_t THROTTLE_strength_shift = 0;
inline constexpr std::uint32_t THROTTLE_dies_mask = 0xFFFF0000;
inline constexpr std::uint32_t THROTTLE_dies_shift = 16;
inline constexpr RegisterInfo table[] = {
    {"CONTROL", 0x0, 1, 4, 0x00000000, 0x00000001, 0, "Interrupt."},
    {"TEMPERATURE", 0x4, 1, 4, 0x00000000, 0x00000000, 0, "Composite temperature at the last sample, in 1/16 of a degree Celsius, signed. Reading it ends the interrupt."},
    {"LIGHT", 0x8, 1, 4, 0x00000000, 0x00000000, 0, "Temperature at which the host wants light throttling, in the same unit; 0: the host has not set any."},
    {"HEAVY", 0xC, 1, 4, 0x00000000, 0x00000000, 0, "The same for heavy throttling."},
    {"POWER", 0x10, 1, 4, 0x00000000, 0x00000000, 0, "Mean power between the last two samples, mW."},
    {"POWER_LIMIT", 0x14, 1, 4, 0x00000000, 0x00000000, 0, "Most mean power of the power state that the host has selected, mW; 0: no limit."},
    {"THROTTLE", 0x18, 1, 4, 0x00000000, 0xFFFF0003, 0, "What firmware does about it, for health logs and reports."},
};
} // namespace thermal

// Host interface: The device side of the host command port, the same for every protocol. Commands arrive as records in memory, events in a ring; firmware orders data transfers and completions.
namespace host {
inline constexpr std::uint32_t base = 0x03000000;
inline constexpr std::uint32_t size = 0x1000;
inline constexpr std::uint32_t CONTROL = 0x0;
inline constexpr std::uint32_t CONTROL_enable_mask = 0x00000001;
inline constexpr std::uint32_t CONTROL_enable_shift = 0;
inline constexpr std::uint32_t CONTROL_saved_mask = 0x00000002;
inline constexpr std::uint32_t CONTROL_saved_shift = 1;
inline constexpr std::uint32_t SLOTS = 0x4;
inline constexpr std::uint32_t SLOTS_slots_mask = 0x0000FFFF;
inline constexpr std::uint32_t SLOTS_slots_shift = 0;
inline constexpr std::uint32_t CAPACITY_LO = 0x8;
inline constexpr std::uint32_t CAPACITY_HI = 0xC;
inline constexpr std::uint32_t COMMANDS = 0x10;
inline constexpr std::uint32_t RING_BASE = 0x14;
inline constexpr std::uint32_t RING_ENTRIES = 0x18;
inline constexpr std::uint32_t RING_CONSUMER = 0x1C;
inline constexpr std::uint32_t RING_PRODUCER = 0x20;
inline constexpr std::uint32_t XFER_RANGE = 0x24;
inline constexpr std::uint32_t XFER_RANGE_first_mask = 0x0000FFFF;
inline constexpr std::uint32_t XFER_RANGE_first_shift = 0;
inline constexpr std::uint32_t XFER_RANGE_more_mask = 0xFFFF0000;
inline constexpr std::uint32_t XFER_RANGE_more_shift = 16;
inline constexpr std::uint32_t XFER_BUFFER = 0x2C;
inline constexpr std::uint32_t XFER_COOKIE = 0x30;
inline constexpr std::uint32_t XFER_START = 0x34;
inline constexpr std::uint32_t XFER_START_slot_mask = 0x0000FFFF;
inline constexpr std::uint32_t XFER_START_slot_shift = 0;
inline constexpr std::uint32_t XFER_START_to_host_mask = 0x00010000;
inline constexpr std::uint32_t XFER_START_to_host_shift = 16;
inline constexpr std::uint32_t XFER_START_notify_mask = 0x00020000;
inline constexpr std::uint32_t XFER_START_notify_shift = 17;
inline constexpr std::uint32_t XFER_START_complete_mask = 0x00040000;
inline constexpr std::uint32_t XFER_START_complete_shift = 18;
inline constexpr std::uint32_t COMPLETE = 0x38;
inline constexpr std::uint32_t COMPLETE_slot_mask = 0x0000FFFF;
inline constexpr std::uint32_t COMPLETE_slot_shift = 0;
inline constexpr std::uint32_t COMPLETE_status_mask = 0x00FF0000;
inline constexpr std::uint32_t COMPLETE_status_shift = 16;
inline constexpr std::uint32_t FEED_BASE = 0x3C;
inline constexpr std::uint32_t FEED_SECTORS = 0x40;
inline constexpr std::uint32_t FEED_PIECE = 0x44;
inline constexpr std::uint32_t FEED_RELEASED = 0x48;
inline constexpr std::uint32_t FEED_TAKEN = 0x4C;
inline constexpr std::uint32_t ZONE_SECTORS = 0x50;
inline constexpr std::uint32_t ZONE_CAPACITY = 0x54;
inline constexpr std::uint32_t ZONE_LIMITS = 0x58;
inline constexpr std::uint32_t ZONE_LIMITS_open_mask = 0x0000FFFF;
inline constexpr std::uint32_t ZONE_LIMITS_open_shift = 0;
inline constexpr std::uint32_t ZONE_LIMITS_active_mask = 0xFFFF0000;
inline constexpr std::uint32_t ZONE_LIMITS_active_shift = 16;
inline constexpr std::uint32_t ZONE_TABLE = 0x5C;
inline constexpr std::uint32_t PLACE_SECTOR = 0x60;
inline constexpr std::uint32_t PLACE = 0x64;
inline constexpr std::uint32_t PLACE_slot_mask = 0x0000FFFF;
inline constexpr std::uint32_t PLACE_slot_shift = 0;
inline constexpr std::uint32_t PLACEMENT = 0x68;
inline constexpr std::uint32_t PLACEMENT_handles_mask = 0x000000FF;
inline constexpr std::uint32_t PLACEMENT_handles_shift = 0;
inline constexpr std::uint32_t PLACEMENT_isolation_mask = 0x00000100;
inline constexpr std::uint32_t PLACEMENT_isolation_shift = 8;
inline constexpr std::uint32_t PLACEMENT_UNIT = 0x6C;
inline constexpr std::uint32_t PLACEMENT_TABLE = 0x70;
inline constexpr RegisterInfo table[] = {
    {"CONTROL", 0x0, 1, 4, 0x00000000, 0x00000003, 0, "State that firmware announces."},
    {"SLOTS", 0x4, 1, 4, 0x00000000, 0x00000000, 0, "Command slots of the protocol front end (NCQ: 32)."},
    {"CAPACITY_LO", 0x8, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Capacity in sectors that the drive announces, low half."},
    {"CAPACITY_HI", 0xC, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Capacity, high half."},
    {"COMMANDS", 0x10, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Bus address of the array of command records (host_command), one per slot; a multiple of 32 in control memory."},
    {"RING_BASE", 0x14, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Bus address of the event ring (host_event), word-aligned in control memory."},
    {"RING_ENTRIES", 0x18, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Entries of the event ring, a power of two. Writing it resets both indices."},
    {"RING_CONSUMER", 0x1C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Events that firmware has taken (free-running count). The line falls when it equals RING_PRODUCER."},
    {"RING_PRODUCER", 0x20, 1, 4, 0x00000000, 0x00000000, 0, "Events that the hardware has put (free-running count)."},
    {"XFER_RANGE", 0x24, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Transfer: which sectors of the command, in one write."},
    {"XFER_BUFFER", 0x2C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Transfer: bus address of the first sector in the data buffer."},
    {"XFER_COOKIE", 0x30, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Transfer: 32 bits returned in the transfer's event."},
    {"XFER_START", 0x34, 1, 4, 0x00000000, 0x0007FFFF, 0, "Writing starts the transfer described by the XFER registers; transfers are done in order."},
    {"COMPLETE", 0x38, 1, 4, 0x00000000, 0x00FFFFFF, 0, "Writing completes a command."},
    {"FEED_BASE", 0x3C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Inbound feeder: bus address of the circular sector buffer, a multiple of 512."},
    {"FEED_SECTORS", 0x40, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Inbound feeder: sectors of the circular buffer, a power of two; 0: no feeder. Writing it resets both counts; firmware writes it only while no host write is being fed. From then on a host write is fetched into the buffer without firmware: it makes no command event, but for each piece an event \"sectors buffered\" when the piece is in memory. Firmware completes the command."},
    {"FEED_PIECE", 0x44, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Inbound feeder: longest piece in sectors, 1 to FEED_SECTORS. A piece never wraps around the end of the buffer."},
    {"FEED_RELEASED", 0x48, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Inbound feeder: sectors that firmware has freed, from the oldest on (free-running count)."},
    {"FEED_TAKEN", 0x4C, 1, 4, 0x00000000, 0x00000000, 0, "Inbound feeder: sectors given to host writes (free-running count); sector number n lies at FEED_BASE + 512 * (n % FEED_SECTORS)."},
    {"ZONE_SECTORS", 0x50, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Zones: sectors from the start of a zone to that of the next one, a power of two; 0: the drive has no zones. As the other registers of zones, firmware writes it before CONTROL.enable."},
    {"ZONE_CAPACITY", 0x54, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Zones: sectors of each zone that can be written, from its start on."},
    {"ZONE_LIMITS", 0x58, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Zones: how many may have which states at a time."},
    {"ZONE_TABLE", 0x5C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Zones: bus address of the zone table in control memory, an entry (zone_entry) for each zone of the capacity. Firmware keeps it up to date; the protocol front end reads it to report zones."},
    {"PLACE_SECTOR", 0x60, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Append: first sector, from the start of the zone, that the command in PLACE is written to."},
    {"PLACE", 0x64, 1, 4, 0x00000000, 0x0000FFFF, 0, "Append: writing it announces PLACE_SECTOR, before the first transfer of the command."},
    {"PLACEMENT", 0x68, 1, 4, 0x00000000, 0x000001FF, 0, "Data placement. As the other registers of placement, firmware writes it before CONTROL.enable."},
    {"PLACEMENT_UNIT", 0x6C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Data placement: sectors of a reclaim unit."},
    {"PLACEMENT_TABLE", 0x70, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Data placement: bus address of the placement table in control memory, an entry (placement_entry) for each handle. Firmware keeps it up to date; the protocol front end reads it."},
};
} // namespace host

// Flash controller: Flash units execute linked lists of superchip operations (flash_descriptor) that firmware leaves in memory.
namespace flash {
inline constexpr std::uint32_t base = 0x04000000;
inline constexpr std::uint32_t size = 0x20000;
inline constexpr std::uint32_t UNITS = 0x0;
inline constexpr std::uint32_t UNITS_units_mask = 0x0000FFFF;
inline constexpr std::uint32_t UNITS_units_shift = 0;
inline constexpr std::uint32_t UNIT_DEPTH = 0x4;
inline constexpr std::uint32_t UNIT_DEPTH_lists_mask = 0x0000FFFF;
inline constexpr std::uint32_t UNIT_DEPTH_lists_shift = 0;
inline constexpr std::uint32_t SUPERCHIP = 0x8;
inline constexpr std::uint32_t SUPERCHIP_bus_mask = 0x000000FF;
inline constexpr std::uint32_t SUPERCHIP_bus_shift = 0;
inline constexpr std::uint32_t SUPERCHIP_chip_mask = 0x0000FF00;
inline constexpr std::uint32_t SUPERCHIP_chip_shift = 8;
inline constexpr std::uint32_t FOREGROUND = 0xC;
inline constexpr std::uint32_t FOREGROUND_unit_mask = 0x0000FFFF;
inline constexpr std::uint32_t FOREGROUND_unit_shift = 0;
inline constexpr std::uint32_t RING_BASE = 0x14;
inline constexpr std::uint32_t RING_ENTRIES = 0x18;
inline constexpr std::uint32_t RING_CONSUMER = 0x1C;
inline constexpr std::uint32_t RING_PRODUCER = 0x20;
inline constexpr std::uint32_t SYNTHESIZER = 0x24;
inline constexpr std::uint32_t SYNTHESIZER_present_mask = 0x00000001;
inline constexpr std::uint32_t SYNTHESIZER_present_shift = 0;
inline constexpr std::uint32_t SYNTHESIZER_enable_mask = 0x00000002;
inline constexpr std::uint32_t SYNTHESIZER_enable_shift = 1;
inline constexpr std::uint32_t SYNTH_SUPERBLOCKS = 0x28;
inline constexpr std::uint32_t SYNTH_MAP = 0x2C;
inline constexpr std::uint32_t SYNTH_BUFFERED = 0x30;
inline constexpr std::uint32_t SYNTH_STARTED = 0x34;
inline constexpr std::uint32_t SYNTH_ENDED = 0x38;
inline constexpr std::uint32_t CAPTURE = 0x40;
inline constexpr std::uint32_t CAPTURE_present_mask = 0x00000001;
inline constexpr std::uint32_t CAPTURE_present_shift = 0;
inline constexpr std::uint32_t CAPTURE_fine_steps_mask = 0x0000FF00;
inline constexpr std::uint32_t CAPTURE_fine_steps_shift = 8;
inline constexpr std::uint32_t CAPTURE_coarse_mask = 0x00FF0000;
inline constexpr std::uint32_t CAPTURE_coarse_shift = 16;
inline constexpr std::uint32_t CAPTURE_dividers_mask = 0xFF000000;
inline constexpr std::uint32_t CAPTURE_dividers_shift = 24;
inline constexpr std::uint32_t PATTERN_SETTING = 0x44;
inline constexpr std::uint32_t PATTERN_SETTING_divider_mask = 0x000000FF;
inline constexpr std::uint32_t PATTERN_SETTING_divider_shift = 0;
inline constexpr std::uint32_t PATTERN_SETTING_coarse_mask = 0x0000FF00;
inline constexpr std::uint32_t PATTERN_SETTING_coarse_shift = 8;
inline constexpr std::uint32_t PATTERN_SETTING_fine_mask = 0x000F0000;
inline constexpr std::uint32_t PATTERN_SETTING_fine_shift = 16;
inline constexpr std::uint32_t PATTERN_READ = 0x48;
inline constexpr std::uint32_t PATTERN_READ_die_mask = 0x0000FFFF;
inline constexpr std::uint32_t PATTERN_READ_die_shift = 0;
inline constexpr std::uint32_t PATTERN_READ_learn_mask = 0x00010000;
inline constexpr std::uint32_t PATTERN_READ_learn_shift = 16;
inline constexpr std::uint32_t PATTERN_STATUS = 0x4C;
inline constexpr std::uint32_t PATTERN_STATUS_busy_mask = 0x00000001;
inline constexpr std::uint32_t PATTERN_STATUS_busy_shift = 0;
inline constexpr std::uint32_t PATTERN_STATUS_done_mask = 0x00000002;
inline constexpr std::uint32_t PATTERN_STATUS_done_shift = 1;
inline constexpr std::uint32_t PATTERN_STATUS_temperature_mask = 0x00000004;
inline constexpr std::uint32_t PATTERN_STATUS_temperature_shift = 2;
inline constexpr std::uint32_t PATTERN_STATUS_bits_mask = 0x0000FF00;
inline constexpr std::uint32_t PATTERN_STATUS_bits_shift = 8;
inline constexpr std::uint32_t PATTERN_STATUS_mismatches_mask = 0x00FF0000;
inline constexpr std::uint32_t PATTERN_STATUS_mismatches_shift = 16;
inline constexpr std::uint32_t TEMPERATURE = 0x50;
inline constexpr std::uint32_t TEMPERATURE_LOW = 0x54;
inline constexpr std::uint32_t TEMPERATURE_HIGH = 0x58;
inline constexpr std::uint32_t UNIT_HEAD = 0x8000;
inline constexpr std::uint32_t UNIT_HEAD_count = 4096;
inline constexpr std::uint32_t UNIT_HEAD_step = 8;
inline constexpr std::uint32_t UNIT_STATUS = 0x8004;
inline constexpr std::uint32_t UNIT_STATUS_count = 4096;
inline constexpr std::uint32_t UNIT_STATUS_step = 8;
inline constexpr std::uint32_t UNIT_STATUS_busy_mask = 0x00000001;
inline constexpr std::uint32_t UNIT_STATUS_busy_shift = 0;
inline constexpr std::uint32_t UNIT_STATUS_waiting_mask = 0x0000FF00;
inline constexpr std::uint32_t UNIT_STATUS_waiting_shift = 8;
inline constexpr std::uint32_t DIE_CAPTURE = 0x10000;
inline constexpr std::uint32_t DIE_CAPTURE_count = 4096;
inline constexpr std::uint32_t DIE_CAPTURE_step = 4;
inline constexpr std::uint32_t DIE_CAPTURE_divider_mask = 0x000000FF;
inline constexpr std::uint32_t DIE_CAPTURE_divider_shift = 0;
inline constexpr std::uint32_t DIE_CAPTURE_coarse_mask = 0x0000FF00;
inline constexpr std::uint32_t DIE_CAPTURE_coarse_shift = 8;
inline constexpr std::uint32_t DIE_CAPTURE_fine_mask = 0x000F0000;
inline constexpr std::uint32_t DIE_CAPTURE_fine_shift = 16;
inline constexpr std::uint32_t DIE_CAPTURE_margin_mask = 0xFFF00000;
inline constexpr std::uint32_t DIE_CAPTURE_margin_shift = 20;
inline constexpr std::uint32_t PRIMITIVE = 0x14000;
inline constexpr std::uint32_t PRIMITIVE_count = 4096;
inline constexpr std::uint32_t PRIMITIVE_step = 4;
inline constexpr std::uint32_t PRIMITIVE_next_mask = 0x00000007;
inline constexpr std::uint32_t PRIMITIVE_next_shift = 0;
inline constexpr RegisterInfo table[] = {
    {"UNITS", 0x0, 1, 4, 0x00000000, 0x00000000, 0, "Number of background units: UNIT[0] to UNIT[units - 1]; of low-level controllers, one per die, if firmware implements the background units."},
    {"UNIT_DEPTH", 0x4, 1, 4, 0x00000000, 0x00000000, 0, "Lists that a unit accepts ahead of the one it executes."},
    {"SUPERCHIP", 0x8, 1, 4, 0x00000101, 0x00000000, 0, "Superchip degrees."},
    {"FOREGROUND", 0xC, 1, 4, 0x00000000, 0x00000000, 0, "Number of the foreground unit, which has priority over all background units: UNIT[UNITS]; 0: there is none."},
    {"RING_BASE", 0x14, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Bus address of the event ring (flash_event), word-aligned in control memory."},
    {"RING_ENTRIES", 0x18, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Entries of the event ring, a power of two. Writing it resets both indices."},
    {"RING_CONSUMER", 0x1C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Events that firmware has taken (free-running count)."},
    {"RING_PRODUCER", 0x20, 1, 4, 0x00000000, 0x00000000, 0, "Events that the hardware has put (free-running count)."},
    {"SYNTHESIZER", 0x24, 1, 4, 0x00000000, 0x00000002, 0, "Foreground request synthesizer."},
    {"SYNTH_SUPERBLOCKS", 0x28, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Synthesizer: logical superblocks in SYNTH_MAP and SYNTH_BUFFERED."},
    {"SYNTH_MAP", 0x2C, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Synthesizer: bus address of the block mapping table: for each logical superblock the bus address of the b*c block numbers of its physical superblock (as BLOCKS); 0: not mapped, left to firmware."},
    {"SYNTH_BUFFERED", 0x30, 1, 4, 0x00000000, 0xFFFFFFFF, 0, "Synthesizer: bus address of the table of buffered sectors: for each logical superblock the bus address of the sector table of its first sector; 0: no sector is buffered; 0xFFFFFFFF: left to firmware."},
    {"SYNTH_STARTED", 0x34, 1, 4, 0x00000000, 0x00000000, 0, "Synthesizer: reads whose table look-up has begun (free-running count)."},
    {"SYNTH_ENDED", 0x38, 1, 4, 0x00000000, 0x00000000, 0, "Synthesizer: those of them that have ended. Blocks and buffered sectors that the tables named when SYNTH_STARTED was n are no longer needed when SYNTH_ENDED has reached n: reads end in order."},
    {"CAPTURE", 0x40, 1, 4, 0x00000000, 0x00000000, 0, "Read capture: calibrates the clock of data out and the sampling point of its bytes, die by die. A sample is taken a number of whole cycles of the fast clock (coarse) and of its steps (fine) after the edge that requests the byte."},
    {"PATTERN_SETTING", 0x44, 1, 4, 0x00000000, 0x000FFFFF, 0, "Read capture: settings of the next pattern read, which no other read uses."},
    {"PATTERN_READ", 0x48, 1, 4, 0x00000000, 0x0001FFFF, 0, "Read capture: writing reads the identification bytes of a die as a pattern, before its other operations. Refused while one is in progress."},
    {"PATTERN_STATUS", 0x4C, 1, 4, 0x00000000, 0x00000002, 0, "Read capture: the last pattern read. Writing clears done."},
    {"TEMPERATURE", 0x50, 1, 4, 0x00000000, 0x00000000, 0, "Temperature sensor: signed, 1/16 of a degree Celsius."},
    {"TEMPERATURE_LOW", 0x54, 1, 4, 0x80000000, 0xFFFFFFFF, 0, "Below this temperature (signed, 1/16 of a degree) the sensor is outside its limits."},
    {"TEMPERATURE_HIGH", 0x58, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF, 0, "Above this temperature (signed, 1/16 of a degree) the sensor is outside its limits."},
    {"UNIT_HEAD", 0x8000, 4096, 8, 0x00000000, 0xFFFFFFFF, 0, "Writing the bus address of a descriptor, a multiple of 64 in control memory, queues the list that starts there. A write beyond UNIT_DEPTH waiting lists is refused and counted."},
    {"UNIT_STATUS", 0x8004, 4096, 8, 0x00000000, 0x00000000, 0, "State of the unit."},
    {"DIE_CAPTURE", 0x10000, 4096, 4, 0x00000000, 0xFFFFFFFF, 0, "Read capture: settings of a die, by flat die number, for all page data that it puts out."},
    {"PRIMITIVE", 0x14000, 4096, 4, 0x00000000, 0x00000007, 0, "Writing issues the next primitive of the unit's suspended operation (stepped). A write to a unit without one, or of a primitive that does not follow, is refused and counted."},
};
} // namespace flash

// Boot block: What the platform passes to firmware at power-on: geometry, memory and policies, so that one image serves every scenario. Firmware refuses a word outside its bounds.
namespace bootBlock {
inline constexpr std::uint32_t base = 0x00100000;
inline constexpr std::uint32_t size = 0x16C;
inline constexpr std::uint32_t MAGIC = 0x0;
inline constexpr std::uint32_t VERSION = 0x4;
inline constexpr std::uint32_t CHANNELS = 0x8;
inline constexpr std::uint32_t WAYS = 0xC;
inline constexpr std::uint32_t LUNS = 0x10;
inline constexpr std::uint32_t PLANES = 0x14;
inline constexpr std::uint32_t BLOCKS_PER_PLANE = 0x18;
inline constexpr std::uint32_t PAGES_PER_BLOCK = 0x1C;
inline constexpr std::uint32_t PAGE_BYTES = 0x20;
inline constexpr std::uint32_t UNITS = 0x24;
inline constexpr std::uint32_t UNIT_DEPTH = 0x28;
inline constexpr std::uint32_t MEMORY_BASE = 0x2C;
inline constexpr std::uint32_t MEMORY_SIZE = 0x30;
inline constexpr std::uint32_t BUFFER_BASE = 0x34;
inline constexpr std::uint32_t BUFFER_SIZE = 0x38;
inline constexpr std::uint32_t CPU_KHZ = 0x3C;
inline constexpr std::uint32_t HOST_SLOTS = 0x40;
inline constexpr std::uint32_t OVERPROVISION_PERMILLE = 0x44;
inline constexpr std::uint32_t ALLOCATION_ORDER = 0x48;
inline constexpr std::uint32_t ALLOCATION_ORDER_fastest_mask = 0x0000000F;
inline constexpr std::uint32_t ALLOCATION_ORDER_fastest_shift = 0;
inline constexpr std::uint32_t ALLOCATION_ORDER_second_mask = 0x000000F0;
inline constexpr std::uint32_t ALLOCATION_ORDER_second_shift = 4;
inline constexpr std::uint32_t ALLOCATION_ORDER_third_mask = 0x00000F00;
inline constexpr std::uint32_t ALLOCATION_ORDER_third_shift = 8;
inline constexpr std::uint32_t ALLOCATION_ORDER_slowest_mask = 0x0000F000;
inline constexpr std::uint32_t ALLOCATION_ORDER_slowest_shift = 12;
inline constexpr std::uint32_t GC_POLICY = 0x4C;
inline constexpr std::uint32_t GC_LOW_BLOCKS = 0x50;
inline constexpr std::uint32_t GC_IDLE_BLOCKS = 0x54;
inline constexpr std::uint32_t GC_COPYBACK = 0x58;
inline constexpr std::uint32_t COMPLETION = 0x5C;
inline constexpr std::uint32_t WRITE_BUFFER_PAGES = 0x60;
inline constexpr std::uint32_t WEAR_THRESHOLD = 0x64;
inline constexpr std::uint32_t BAD_BLOCK_TABLE = 0x68;
inline constexpr std::uint32_t SPARE_BLOCKS = 0x6C;
inline constexpr std::uint32_t CAPACITY_LO = 0x70;
inline constexpr std::uint32_t CAPACITY_HI = 0x74;
inline constexpr std::uint32_t CORES = 0x78;
inline constexpr std::uint32_t COMMAND_PLACEMENT = 0x7C;
inline constexpr std::uint32_t SERIAL_WRITES = 0x80;
inline constexpr std::uint32_t READ_POLLS = 0x84;
inline constexpr std::uint32_t STATISTICS = 0x88;
inline constexpr std::uint32_t DIE_DEPTH = 0x8C;
inline constexpr std::uint32_t READ_UNITS = 0x90;
inline constexpr std::uint32_t SUPERCHIP_BUS = 0x94;
inline constexpr std::uint32_t SUPERCHIP_CHIP = 0x98;
inline constexpr std::uint32_t FOREGROUND_UNIT = 0x9C;
inline constexpr std::uint32_t SYNTHESIZER = 0xA0;
inline constexpr std::uint32_t RECOVER = 0xA4;
inline constexpr std::uint32_t CHECKPOINT_PAGES = 0xA8;
inline constexpr std::uint32_t SECTOR_BUFFER = 0xAC;
inline constexpr std::uint32_t FLUSH_WATERMARK = 0xB0;
inline constexpr std::uint32_t SUPERBLOCK_LIMIT = 0xB4;
inline constexpr std::uint32_t PARKING_SUPERBLOCKS = 0xB8;
inline constexpr std::uint32_t FLUSH_HANDLING = 0xBC;
inline constexpr std::uint32_t REPLICATE_TABLES = 0xC0;
inline constexpr std::uint32_t CHECKPOINT_RECORDS = 0xC4;
inline constexpr std::uint32_t IMPLICIT_WEAR = 0xC8;
inline constexpr std::uint32_t SOFTWARE_UNITS = 0xCC;
inline constexpr std::uint32_t CAPTURE_MARGIN = 0xD0;
inline constexpr std::uint32_t CAPTURE_TEMPERATURE = 0xD4;
inline constexpr std::uint32_t GC_ERASE = 0xD8;
inline constexpr std::uint32_t START_GAP_INTERVAL = 0xDC;
inline constexpr std::uint32_t MAPPING_UNIT = 0xE0;
inline constexpr std::uint32_t PROGRAM_PAGES = 0xE4;
inline constexpr std::uint32_t ROW_PLANES = 0xE8;
inline constexpr std::uint32_t SUPERBLOCK_DIES = 0xEC;
inline constexpr std::uint32_t PSLC_CACHE = 0xF0;
inline constexpr std::uint32_t PSLC_CACHE_BLOCKS = 0xF4;
inline constexpr std::uint32_t PSLC_CACHE_RESUME = 0xF8;
inline constexpr std::uint32_t PSLC_CACHE_FOLD = 0xFC;
inline constexpr std::uint32_t PSLC_PAGES = 0x100;
inline constexpr std::uint32_t WRITE_CACHE = 0x104;
inline constexpr std::uint32_t READ_AHEAD_STREAMS = 0x108;
inline constexpr std::uint32_t READ_AHEAD_WINDOW = 0x10C;
inline constexpr std::uint32_t RETRY_OPTIONS = 0x110;
inline constexpr std::uint32_t SOFT_SENSES = 0x114;
inline constexpr std::uint32_t READ_DEPTH = 0x118;
inline constexpr std::uint32_t REFRESH_READS = 0x11C;
inline constexpr std::uint32_t REFRESH_AGE = 0x120;
inline constexpr std::uint32_t SCRUB_INTERVAL = 0x124;
inline constexpr std::uint32_t SCRUB_BITS = 0x128;
inline constexpr std::uint32_t GC_PACING = 0x12C;
inline constexpr std::uint32_t HOST_STREAMS = 0x130;
inline constexpr std::uint32_t WRITE_POLLS = 0x134;
inline constexpr std::uint32_t ZONE_DIES = 0x138;
inline constexpr std::uint32_t OPEN_ZONES = 0x13C;
inline constexpr std::uint32_t ACTIVE_ZONES = 0x140;
inline constexpr std::uint32_t ZONE_ERASE = 0x144;
inline constexpr std::uint32_t SUPERBLOCK_PARITY = 0x148;
inline constexpr std::uint32_t PLACEMENT_HANDLES = 0x14C;
inline constexpr std::uint32_t PLACEMENT_ISOLATION = 0x150;
inline constexpr std::uint32_t THERMAL_LIGHT = 0x154;
inline constexpr std::uint32_t THERMAL_HEAVY = 0x158;
inline constexpr std::uint32_t THERMAL_HYSTERESIS = 0x15C;
inline constexpr std::uint32_t THERMAL_LIGHT_DIES = 0x160;
inline constexpr std::uint32_t THERMAL_HEAVY_DIES = 0x164;
inline constexpr std::uint32_t ZONE_ROWS = 0x168;
} // namespace bootBlock

// Flash descriptor: One superchip operation, 64 bytes, in control memory at a multiple of 64. A sector number counts over the physical superblock. With 1x1 superchips a superblock is a block and the superchip number is the flat die number. From the write to HEAD until its STATUS is written the descriptor belongs to the hardware, and with it the lists, tables and spare records that it names: firmware neither changes it nor queues it again, and does not change a list before its last descriptor has ended. A descriptor that breaks a rule of its fields ends with status 6 and is counted with the reason (malformed descriptor); one whose words before STATUS were changed after the unit had fetched it is executed as it was fetched, and is counted (descriptor changed by firmware); a change between HEAD and the fetch breaks the rule too, but is executed and not noticed.
namespace flashDescriptor {
inline constexpr std::uint32_t size = 0x40;
inline constexpr std::uint32_t NEXT = 0x0;
inline constexpr std::uint32_t CONTROL = 0x4;
inline constexpr std::uint32_t CONTROL_opcode_mask = 0x0000007F;
inline constexpr std::uint32_t CONTROL_opcode_shift = 0;
inline constexpr std::uint32_t CONTROL_read_option_mask = 0x00000080;
inline constexpr std::uint32_t CONTROL_read_option_shift = 7;
inline constexpr std::uint32_t CONTROL_report_mask = 0x00000100;
inline constexpr std::uint32_t CONTROL_report_shift = 8;
inline constexpr std::uint32_t CONTROL_inline_blocks_mask = 0x00000200;
inline constexpr std::uint32_t CONTROL_inline_blocks_shift = 9;
inline constexpr std::uint32_t CONTROL_inline_spare_mask = 0x00000400;
inline constexpr std::uint32_t CONTROL_inline_spare_shift = 10;
inline constexpr std::uint32_t CONTROL_common_spare_mask = 0x00000800;
inline constexpr std::uint32_t CONTROL_common_spare_shift = 11;
inline constexpr std::uint32_t CONTROL_sector_table_mask = 0x00001000;
inline constexpr std::uint32_t CONTROL_sector_table_shift = 12;
inline constexpr std::uint32_t CONTROL_one_chip_mask = 0x00002000;
inline constexpr std::uint32_t CONTROL_one_chip_shift = 13;
inline constexpr std::uint32_t CONTROL_complete_mask = 0x00004000;
inline constexpr std::uint32_t CONTROL_complete_shift = 14;
inline constexpr std::uint32_t CONTROL_unit_table_mask = 0x00008000;
inline constexpr std::uint32_t CONTROL_unit_table_shift = 15;
inline constexpr std::uint32_t CONTROL_purpose_mask = 0x000F0000;
inline constexpr std::uint32_t CONTROL_purpose_shift = 16;
inline constexpr std::uint32_t CONTROL_step_mask = 0x0FF00000;
inline constexpr std::uint32_t CONTROL_step_shift = 20;
inline constexpr std::uint32_t CONTROL_pslc_mask = 0x10000000;
inline constexpr std::uint32_t CONTROL_pslc_shift = 28;
inline constexpr std::uint32_t CONTROL_stepped_mask = 0x20000000;
inline constexpr std::uint32_t CONTROL_stepped_shift = 29;
inline constexpr std::uint32_t CONTROL_parity_mask = 0x40000000;
inline constexpr std::uint32_t CONTROL_parity_shift = 30;
inline constexpr std::uint32_t SUPERCHIP = 0x8;
inline constexpr std::uint32_t START_SECTOR = 0xC;
inline constexpr std::uint32_t SECTORS = 0x10;
inline constexpr std::uint32_t BUFFER = 0x14;
inline constexpr std::uint32_t BLOCKS = 0x18;
inline constexpr std::uint32_t SOURCE_BLOCKS = 0x1C;
inline constexpr std::uint32_t SOURCE_SECTOR = 0x20;
inline constexpr std::uint32_t SPARE_ADDRESS = 0x24;
inline constexpr std::uint32_t STATUS = 0x28;
inline constexpr std::uint32_t STATUS_code_mask = 0x000000FF;
inline constexpr std::uint32_t STATUS_code_shift = 0;
inline constexpr std::uint32_t STATUS_chip_mask = 0x0000FF00;
inline constexpr std::uint32_t STATUS_chip_shift = 8;
inline constexpr std::uint32_t STATUS_blank_mask = 0x00010000;
inline constexpr std::uint32_t STATUS_blank_shift = 16;
inline constexpr std::uint32_t STATUS_page_mask = 0x7FFE0000;
inline constexpr std::uint32_t STATUS_page_shift = 17;
inline constexpr std::uint32_t COOKIE = 0x2C;
inline constexpr std::uint32_t SPARE0 = 0x30;
inline constexpr std::uint32_t SPARE1 = 0x34;
inline constexpr std::uint32_t SPARE2 = 0x38;
inline constexpr std::uint32_t SPARE3 = 0x3C;
} // namespace flashDescriptor

// Flash event: One entry of the flash controller's event ring, 16 bytes. An entry is new when its phase differs from that of the last round; the hardware writes phase 1 in the first round of the ring.
namespace flashEvent {
inline constexpr std::uint32_t size = 0x10;
inline constexpr std::uint32_t STATUS = 0x0;
inline constexpr std::uint32_t STATUS_code_mask = 0x000000FF;
inline constexpr std::uint32_t STATUS_code_shift = 0;
inline constexpr std::uint32_t STATUS_chip_mask = 0x0000FF00;
inline constexpr std::uint32_t STATUS_chip_shift = 8;
inline constexpr std::uint32_t STATUS_blank_mask = 0x00010000;
inline constexpr std::uint32_t STATUS_blank_shift = 16;
inline constexpr std::uint32_t STATUS_page_mask = 0x7FFE0000;
inline constexpr std::uint32_t STATUS_page_shift = 17;
inline constexpr std::uint32_t STATUS_phase_mask = 0x80000000;
inline constexpr std::uint32_t STATUS_phase_shift = 31;
inline constexpr std::uint32_t DESCRIPTOR = 0x4;
inline constexpr std::uint32_t COOKIE = 0x8;
inline constexpr std::uint32_t UNIT = 0xC;
} // namespace flashEvent

// Host command record: Written by the host interface to COMMANDS + 32 * slot before the command event, 32 bytes.
namespace hostCommand {
inline constexpr std::uint32_t size = 0x20;
inline constexpr std::uint32_t KIND = 0x0;
inline constexpr std::uint32_t KIND_kind_mask = 0x000000FF;
inline constexpr std::uint32_t KIND_kind_shift = 0;
inline constexpr std::uint32_t KIND_fua_mask = 0x00000100;
inline constexpr std::uint32_t KIND_fua_shift = 8;
inline constexpr std::uint32_t KIND_placement_mask = 0x00FF0000;
inline constexpr std::uint32_t KIND_placement_shift = 16;
inline constexpr std::uint32_t LBA_LO = 0x4;
inline constexpr std::uint32_t LBA_HI = 0x8;
inline constexpr std::uint32_t SECTORS = 0xC;
inline constexpr std::uint32_t RESERVED = 0x10;
inline constexpr std::uint32_t RESERVED_count = 4;
inline constexpr std::uint32_t RESERVED_step = 4;
} // namespace hostCommand

// Host event: One entry of the host interface's event ring, 16 bytes; phase as in flash_event.
namespace hostEvent {
inline constexpr std::uint32_t size = 0x10;
inline constexpr std::uint32_t KIND = 0x0;
inline constexpr std::uint32_t KIND_kind_mask = 0x000000FF;
inline constexpr std::uint32_t KIND_kind_shift = 0;
inline constexpr std::uint32_t KIND_phase_mask = 0x80000000;
inline constexpr std::uint32_t KIND_phase_shift = 31;
inline constexpr std::uint32_t SLOT = 0x4;
inline constexpr std::uint32_t COOKIE = 0x8;
inline constexpr std::uint32_t RANGE = 0xC;
inline constexpr std::uint32_t RANGE_first_mask = 0x0000FFFF;
inline constexpr std::uint32_t RANGE_first_shift = 0;
inline constexpr std::uint32_t RANGE_more_mask = 0xFFFF0000;
inline constexpr std::uint32_t RANGE_more_shift = 16;
} // namespace hostEvent

// Statistics block: State of firmware's buffers for an observer, 112 bytes. Firmware writes it and reads only its own sums; no other part of the drive reads it. Counts and sums run freely. A sum over time is complete up to the time in the words before it: add the present value times the time since then. The observer may set the two maxima to 0.
namespace statistics {
inline constexpr std::uint32_t size = 0x70;
inline constexpr std::uint32_t WRITE_SLOTS = 0x0;
inline constexpr std::uint32_t USED = 0x4;
inline constexpr std::uint32_t USED_AT_LO = 0x8;
inline constexpr std::uint32_t USED_AT_HI = 0xC;
inline constexpr std::uint32_t USED_SUM_LO = 0x10;
inline constexpr std::uint32_t USED_SUM_HI = 0x14;
inline constexpr std::uint32_t TAKEN = 0x18;
inline constexpr std::uint32_t WAITING = 0x1C;
inline constexpr std::uint32_t WAITING_AT_LO = 0x20;
inline constexpr std::uint32_t WAITING_AT_HI = 0x24;
inline constexpr std::uint32_t WAITING_SUM_LO = 0x28;
inline constexpr std::uint32_t WAITING_SUM_HI = 0x2C;
inline constexpr std::uint32_t SHORT_LO = 0x30;
inline constexpr std::uint32_t SHORT_HI = 0x34;
inline constexpr std::uint32_t MOST_WAITING = 0x38;
inline constexpr std::uint32_t LONGEST_WAIT = 0x3C;
inline constexpr std::uint32_t AHEAD_READ = 0x40;
inline constexpr std::uint32_t AHEAD_HIT = 0x44;
inline constexpr std::uint32_t AHEAD_MISSED = 0x48;
inline constexpr std::uint32_t AHEAD_WASTED = 0x4C;
inline constexpr std::uint32_t REFRESH_READS = 0x50;
inline constexpr std::uint32_t REFRESH_AGE = 0x54;
inline constexpr std::uint32_t REFRESH_ERRORS = 0x58;
inline constexpr std::uint32_t REFRESH_UNITS = 0x5C;
inline constexpr std::uint32_t SCRUB_READS = 0x60;
inline constexpr std::uint32_t PARITY_STRIPES = 0x64;
inline constexpr std::uint32_t PARITY_REBUILT = 0x68;
inline constexpr std::uint32_t PARITY_LOST = 0x6C;
} // namespace statistics

// Zone entry: One entry of the zone table (ZONE_TABLE), 8 bytes.
namespace zoneEntry {
inline constexpr std::uint32_t size = 0x8;
inline constexpr std::uint32_t STATE = 0x0;
inline constexpr std::uint32_t STATE_state_mask = 0x0000000F;
inline constexpr std::uint32_t STATE_state_shift = 0;
inline constexpr std::uint32_t POINTER = 0x4;
} // namespace zoneEntry

// Placement entry: One entry of the placement table (PLACEMENT_TABLE), 8 bytes.
namespace placementEntry {
inline constexpr std::uint32_t size = 0x8;
inline constexpr std::uint32_t AVAILABLE = 0x0;
inline constexpr std::uint32_t MOVED = 0x4;
} // namespace placementEntry

} // namespace strobe::regs
