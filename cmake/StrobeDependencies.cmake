# SPDX-License-Identifier: Apache-2.0
# All dependencies come from the distribution. Configuring never downloads.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    # Without this sloppiness it does not store what is compiled with precompiled headers. With the base directory, clones and
    # work trees share what they compile, at the price of debug information that may name another tree's path. It makes paths
    # relative, so that images for the RV32 core (STROBE_CCACHE), whose tools find sources by their names below the project's
    # folder, are compiled without it, also if the user's configuration has one.
    set(STROBE_CCACHE ${CMAKE_COMMAND} -E env --unset=CCACHE_NOHASHDIR CCACHE_HASHDIR=1 CCACHE_BASEDIR= ${CCACHE_PROGRAM})
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        ${CCACHE_PROGRAM})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

# SystemC: a CMake package where there is one (source builds, vcpkg, Conan), else pkg-config (Debian, Ubuntu).
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
    add_library(SystemC::systemc ALIAS PkgConfig::SYSTEMC)
endif()

find_package(nlohmann_json 3.11 REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS iostreams context)
find_package(CLI11 2.1 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw) # line tables of firmware images
find_package(fmt 9 REQUIRED)
find_path(XBYAK_INCLUDE xbyak/xbyak.h) # headers only; on x86-64
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT XBYAK_INCLUDE)
    message(FATAL_ERROR "xbyak/xbyak.h is missing: install libxbyak-dev")
endif()
find_path(NBDKIT_INCLUDE nbdkit-plugin.h REQUIRED) # for the plugin of strobe serve nbd
find_path(PROTOZERO_INCLUDE protozero/pbf_builder.hpp REQUIRED) # headers only; Debian's package has no CMake file

if(STROBE_TESTS)
    find_package(Catch2 3 QUIET)
    if(NOT Catch2_FOUND)
        find_package(Catch2 2.13 REQUIRED)
    endif()
endif()
