# SPDX-License-Identifier: Apache-2.0
# find_package(strobe-sdk): strobe_firmware() makes an image for the RV32 core. Use it with the SDK's toolchain file.
# The register map is "firmware/regs/strobe_regs.h"; share/strobe/sdk/registers has the same map in other formats.
get_filename_component(_strobe_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(STROBE_SDK ${_strobe_prefix}/share/strobe/sdk)
set(STROBE_SDK_INCLUDE ${_strobe_prefix}/include/strobe)

if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL riscv32)
    set(strobe-sdk_FOUND FALSE)
    set(strobe-sdk_NOT_FOUND_MESSAGE "the compiler is not one for RV32; configure with --toolchain ${STROBE_SDK}/toolchain.cmake")
    return()
endif()

# strobe_firmware(name source.c … [HAL] [PRINTF UART|SEMIHOSTING] [START file.S]): name.elf, with the SDK's start-up code
# unless START names another. HAL links firmware/hal/hal.h with a start-up code of its own. PRINTF links the HAL and gives
# picolibc's stdout, by the UART or by semihosting. The project must enable C and ASM. Entry: _Noreturn void
# firmware_main(void). The stack is 8 KiB; to change it: target_link_options(name PRIVATE -Wl,--defsym=__stack_size=4096).
function(strobe_firmware name)
    cmake_parse_arguments(ARG "HAL" "START;PRINTF" "" ${ARGN})
    foreach(keyword IN LISTS ARG_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "strobe_firmware(${name}): ${keyword} needs a value")
    endforeach()
    if(DEFINED ARG_PRINTF AND NOT ARG_PRINTF MATCHES "^(UART|SEMIHOSTING)$")
        message(FATAL_ERROR "strobe_firmware(${name}): PRINTF is \"${ARG_PRINTF}\"; must be UART or SEMIHOSTING")
    endif()
    if(DEFINED ARG_PRINTF)
        set(ARG_HAL ON)
    endif()
    set(hal)
    if(ARG_HAL)
        set(hal ${STROBE_SDK}/hal/hal_rv32.c ${STROBE_SDK}/hal/memory.c ${STROBE_SDK}/hal/text.c)
        if("${ARG_PRINTF}" STREQUAL UART)
            list(APPEND hal ${STROBE_SDK}/hal/stdio_uart.c)
        endif()
    endif()
    if(NOT ARG_START AND ARG_HAL)
        set(ARG_START ${STROBE_SDK}/hal/start.S)
    elseif(NOT ARG_START)
        set(ARG_START ${STROBE_SDK}/start.S)
    endif()
    add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${hal} ${ARG_START})
    target_include_directories(${name} PRIVATE ${STROBE_SDK_INCLUDE})
    target_link_options(${name} PRIVATE -nostartfiles -Wl,--gc-sections -Wl,-z,max-page-size=16 -T ${STROBE_SDK}/link.ld)
    if("${ARG_PRINTF}" STREQUAL SEMIHOSTING)
        target_link_options(${name} PRIVATE --oslib=semihost)
    endif()
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${STROBE_SDK}/link.ld)
endfunction()
