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

# strobe_firmware(name source.c … [START file.S]): name.elf, with the SDK's start-up code unless START names another.
# The project must enable C and ASM. Entry: _Noreturn void firmware_main(void). The stack is 8 KiB; to change it:
# target_link_options(name PRIVATE -Wl,--defsym=__stack_size=4096).
function(strobe_firmware name)
    cmake_parse_arguments(ARG "" "START" "" ${ARGN})
    if(NOT ARG_START)
        set(ARG_START ${STROBE_SDK}/start.S)
    endif()
    add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${ARG_START})
    target_include_directories(${name} PRIVATE ${STROBE_SDK_INCLUDE})
    target_link_options(${name} PRIVATE -nostartfiles -Wl,--gc-sections -Wl,-z,max-page-size=16 -T ${STROBE_SDK}/link.ld)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${STROBE_SDK}/link.ld)
endfunction()
