/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of hal.h that are a few instructions on the RV32 core: registers are volatile words at their bus address,
 * memory is at its bus address, work costs the instructions it takes. An image built with STROBE_COST_MARKERS marks
 * each cost point for an observer of the core (`strobe calibrate`): slti x0, rs1, point is one of the hints that the
 * instruction set reserves for such uses and does nothing; rs1 holds how many times, x0 means once.
 */
#ifndef STROBE_HAL_RV32_H
#define STROBE_HAL_RV32_H

static inline uint32_t reg_read(bus_address address)
{
    return *(const volatile uint32_t*)address;
}

static inline void reg_write(bus_address address, uint32_t value)
{
    *(volatile uint32_t*)address = value;
}

static inline void* hal_memory(bus_address address, uint32_t bytes)
{
    (void)bytes; /* an access outside memory traps */
    return (void*)address;
}

static inline uint32_t hal_core(void)
{
    uint32_t hart;
    __asm__("csrr %0, mhartid" : "=r"(hart));
    return hart;
}

static inline void hal_fence(void)
{
    __asm__ volatile("fence rw, rw" : : : "memory");
}

/* Time always passes. */
#define HAL_CAN_STORE false
static inline bool hal_can_store(void)
{
    return false;
}
static inline uint32_t hal_store(const struct hal_strip* strip)
{
    (void)strip;
    return 0;
}
static inline bool hal_arrive(void)
{
    return false;
}

#ifdef STROBE_COST_MARKERS
#define HAL_COST(point) __asm__ volatile("slti x0, x0, %0" : : "i"(HAL_COST_##point) : "memory")
#define HAL_COST_TIMES(point, times)                                                                                   \
    __asm__ volatile("slti x0, %1, %0" : : "i"(HAL_COST_##point), "r"((uint32_t)(times)) : "memory")
#else
#define HAL_COST(point) ((void)0)
#define HAL_COST_TIMES(point, times) ((void)(times))
#endif
#define HAL_COST_EXTRA(point) ((void)0)
#define HAL_COST_EXTRA_TIMES(point, times) ((void)(times))

#endif
