# SPDX-License-Identifier: Apache-2.0
# Firmware images for the RV32 core, built together with the rest by a second compiler that CMake does not manage: one
# rule per source, with the dependencies that the compiler reports, and one rule to link. Without that compiler there are
# no images, and a scenario that needs one ends with a message.

find_program(STROBE_RV32_CC riscv64-unknown-elf-gcc DOC "C compiler for the RV32 core's firmware")
mark_as_advanced(STROBE_RV32_CC)

set(STROBE_RV32 OFF)
if(STROBE_RV32_CC)
    execute_process(COMMAND ${STROBE_RV32_CC} -print-file-name=picolibc.specs
        OUTPUT_VARIABLE _specs OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(IS_ABSOLUTE "${_specs}")
        set(STROBE_RV32 ON)
    endif()
endif()
if(NOT STROBE_RV32)
    message(STATUS "No firmware images for the RV32 core: gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf are needed")
endif()

# gcc 12 counts csr instructions as a separate extension unless it follows the older specification. That would select
# the wrong build of the C library (another multilib).
set(_rv32_machine -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mcmodel=medlow)
set(_rv32_compile ${_rv32_machine} --specs=picolibc.specs -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes
    $<$<BOOL:${STROBE_WERROR}>:-Werror>)

# strobe_rv32_image(NAME SOURCES a.c … [DEFINITIONS X …] [OPTIONS -flto …]): firmware/NAME.elf in the build directory.
# Linked with hal/rv32/link.ld; sources are relative to the current directory, options are for compiler and linker.
function(strobe_rv32_image name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEFINITIONS;OPTIONS" ${ARGN})
    if(NOT STROBE_RV32)
        return()
    endif()
    list(TRANSFORM ARG_DEFINITIONS PREPEND -D)
    set(script ${PROJECT_SOURCE_DIR}/firmware/hal/rv32/link.ld)
    set(objects)
    foreach(source ${ARG_SOURCES})
        get_filename_component(path ${source} ABSOLUTE)
        file(RELATIVE_PATH inside ${PROJECT_SOURCE_DIR} ${path})
        string(REPLACE "/" "_" flat ${inside})
        set(object ${CMAKE_CURRENT_BINARY_DIR}/rv32/${name}/${flat}.o)
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${STROBE_CCACHE} ${STROBE_RV32_CC} ${_rv32_compile} ${ARG_OPTIONS} -I${PROJECT_SOURCE_DIR}
                ${ARG_DEFINITIONS} -MD -MF ${object}.d -c ${path} -o ${object}
            DEPENDS ${path}
            DEPFILE ${object}.d
            COMMENT "Building RV32 object ${inside} for ${name}"
            COMMAND_EXPAND_LISTS VERBATIM)
        list(APPEND objects ${object})
    endforeach()
    set(image ${CMAKE_BINARY_DIR}/firmware/${name}.elf)
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${STROBE_RV32_CC} ${_rv32_machine} --specs=picolibc.specs -O2 ${ARG_OPTIONS} -nostartfiles -Wl,--gc-sections
            -Wl,-z,max-page-size=16 -Wl,--fatal-warnings -T ${script} ${objects} -o ${image}
        DEPENDS ${objects} ${script}
        COMMENT "Linking RV32 image firmware/${name}.elf"
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}_rv32 ALL DEPENDS ${image})
endfunction()
