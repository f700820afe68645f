# SPDX-License-Identifier: Apache-2.0
# Toolchain for firmware of the RV32 core: RV32IMAC with picolibc.
#   cmake -S <project> -B build --toolchain <prefix>/share/strobe/sdk/toolchain.cmake
# Debian packages: gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # an executable needs the linker script

# gcc 12 counts csr instructions as a separate extension unless it follows the older specification. That would select
# the wrong build of the C library.
set(_strobe_machine "-march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mcmodel=medlow --specs=picolibc.specs")
set(CMAKE_C_FLAGS_INIT "${_strobe_machine} -ffunction-sections -fdata-sections -fno-common")
set(CMAKE_ASM_FLAGS_INIT "${_strobe_machine}")
set(CMAKE_EXECUTABLE_SUFFIX_C .elf)
set(CMAKE_EXECUTABLE_SUFFIX_ASM .elf)

# With debug information, which diagnoses, the debugger and coverage need.
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "type of build")
endif()

# This package is found without further settings.
get_filename_component(strobe-sdk_DIR ${CMAKE_CURRENT_LIST_DIR}/../../../lib/cmake/strobe-sdk ABSOLUTE)
