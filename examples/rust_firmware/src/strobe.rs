// SPDX-License-Identifier: Apache-2.0
//! Registers, console, timer and the end of a run.
use core::arch::asm;

#[allow(dead_code, non_camel_case_types)]
pub mod registers {
    include!(concat!(env!("OUT_DIR"), "/registers.rs"));
}
use registers::*;

pub fn read(register: u32) -> u32 {
    // SAFETY: an address of the register map.
    unsafe { core::ptr::read_volatile(register as *const u32) }
}

pub fn write(register: u32, value: u32) {
    // SAFETY: an address of the register map.
    unsafe { core::ptr::write_volatile(register as *mut u32, value) }
}

/// A line on the console.
pub fn say(text: &str) {
    for byte in text.bytes().chain([b'\n']) {
        while read(UART_STATUS) & UART_STATUS_FREE_MASK == 0 {}
        write(UART_DATA, u32::from(byte));
    }
}

pub fn sleep_until(ns: u64) {
    write(TIMER_COMPARE_LO, ns as u32);
    write(TIMER_COMPARE_HI, (ns >> 32) as u32);
    write(TIMER_CONTROL, TIMER_CONTROL_ENABLE_MASK);
    while read(INTC_PENDING) & INTC_PENDING_TIMER_MASK == 0 {
        // SAFETY: the timer's line ends the sleep.
        unsafe { asm!("wfi") }
    }
}

/// Ends the run by semihosting (SYS_EXIT): regularly with code 0, else with an error.
pub fn end(code: u32) -> ! {
    let reason: u32 = if code == 0 { 0x20026 } else { 0x20023 };
    loop {
        // SAFETY: a semihosting call; the platform ends the run.
        unsafe {
            asm!(
                ".balign 16", ".option push", ".option norvc", "slli zero, zero, 0x1f", "ebreak", "srai zero, zero, 7",
                ".option pop", inout("a0") 0x18 => _, in("a1") reason,
            )
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    say("panic");
    end(1)
}
