// SPDX-License-Identifier: Apache-2.0
//! A light that blinks (a line on the UART each millisecond), then a page of flash: plain bytes are programmed and read
//! back. Uses only the generated register map.
#![no_std]
#![no_main]

mod strobe;

use core::ptr::{addr_of, addr_of_mut, read_volatile, write_volatile};
use strobe::registers::*;
use strobe::{end, read, say, sleep_until, write};

const WORDS: usize = 4096; // of the largest page

/// What the hardware reads and writes: at the beginning of control memory, which firmware owns. Data is at multiples of
/// 512 bytes, the descriptor at one of 64.
#[repr(C, align(512))]
struct Shared {
    out: [u32; WORDS],
    back: [u32; WORDS],
    descriptor: flash_descriptor,
    ring: [flash_event; 16],
}

/// Plain bytes between memory and the first page of a block of die 0. Returns the code of the event.
///
/// # Safety
/// `shared` is control memory, and no operation is in progress. `taken` counts the operations before.
unsafe fn flash(
    shared: *mut Shared,
    taken: u32,
    opcode: u32,
    block: u32,
    sectors: u32,
    buffer: *mut [u32; WORDS],
) -> u32 {
    let control = opcode
        | FLASH_DESCRIPTOR_CONTROL_REPORT_MASK
        | FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK
        | FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK;
    write_volatile(
        addr_of_mut!((*shared).descriptor),
        flash_descriptor {
            next: 0,
            control,
            superchip: 0,
            start_sector: 0,
            sectors,
            buffer: buffer as u32,
            blocks: block,
            source_blocks: 0,
            source_sector: 0,
            spare_address: 0,
            status: 0,
            cookie: 0,
            spare0: 1,
            spare1: 0,
            spare2: 0,
            spare3: 0,
        },
    );
    write(FLASH_UNIT_HEAD, addr_of!((*shared).descriptor) as u32);
    while read(FLASH_RING_PRODUCER) == taken {
        core::arch::asm!("wfi");
    }
    write(FLASH_RING_CONSUMER, taken + 1);
    read_volatile(addr_of!((*shared).ring[taken as usize % 16].status))
        & FLASH_EVENT_STATUS_CODE_MASK
}

/// The first block of die 0 that is not in the table of factory bad blocks.
unsafe fn good_block(boot: *const boot_block) -> u32 {
    let table = (*boot).bad_block_table as *const u32;
    let is_bad =
        |block: u32| !table.is_null() && *table.add(block as usize / 32) >> (block % 32) & 1 != 0;
    (0..(*boot).blocks_per_plane)
        .find(|block| !is_bad(*block))
        .unwrap_or(0)
}

#[no_mangle]
pub extern "C" fn firmware_main() -> ! {
    write(
        INTC_ENABLE,
        INTC_PENDING_TIMER_MASK | INTC_PENDING_FLASH_MASK,
    );
    for round in 1..=6 {
        sleep_until(round * 1_000_000);
        say(if round % 2 == 1 { "on" } else { "off" });
    }
    write(TIMER_CONTROL, 0);

    // SAFETY: the boot block is there from power-on on; control memory is firmware's.
    let same = unsafe {
        let boot = BOOT_BLOCK_BASE as *const boot_block;
        let shared = (*boot).memory_base as *mut Shared;
        write(FLASH_RING_BASE, addr_of!((*shared).ring) as u32);
        write(FLASH_RING_ENTRIES, 16);
        for i in 0..WORDS {
            (*shared).out[i] = i as u32 * 0x0101_0101;
            (*shared).back[i] = 0;
        }
        let (block, sectors) = (good_block(boot), (*boot).page_bytes / 512); // a program takes a whole page
        let programmed = flash(
            shared,
            0,
            FLASH_PROGRAM,
            block,
            sectors,
            addr_of_mut!((*shared).out),
        );
        let read = flash(
            shared,
            1,
            FLASH_READ,
            block,
            sectors,
            addr_of_mut!((*shared).back),
        );
        let words = (*boot).page_bytes as usize / 4;
        programmed == 1
            && read == 1
            && (0..words).all(|i| read_volatile(addr_of!((*shared).back[i])) == (*shared).out[i])
    };
    say(if same {
        "page read as written"
    } else {
        "page differs"
    });
    end(if same { 0 } else { 1 })
}
