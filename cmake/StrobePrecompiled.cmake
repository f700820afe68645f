# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: the standard library, SystemC, nlohmann/json and Catch2 are parsed once per kind of source instead of
# once per file. There are several small ones because loading a large one costs more than parsing what a file needs
# (measured with g++ 12: 1.5 s for one with everything, 0.05 s for the standard library alone).
#
# Sources include what they use nevertheless: the preset dev compiles each alone. Profile-guided builds do
# without precompiled headers (STROBE_TRAIN, STROBE_LTO), as their options differ from library to library.
option(STROBE_PCH "Use precompiled headers" ON)
if(STROBE_LTO OR STROBE_TRAIN)
    set(STROBE_PCH OFF)
endif()

set(STROBE_STANDARD_HEADERS <algorithm> <array> <chrono> <cstddef> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <optional> <sstream> <stdexcept> <string> <string_view> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)

# strobe_precompiled(NAME HEADERS <x> … [LIBRARIES …]): for targets with the options of the current directory.
function(strobe_precompiled name)
    cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES" ${ARGN})
    if(NOT STROBE_PCH)
        return()
    endif()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/strobe_pch_${name}.cpp)
    file(GENERATE OUTPUT ${source} CONTENT "")
    add_library(strobe_pch_${name} OBJECT ${source})
    target_link_libraries(strobe_pch_${name} PRIVATE strobe_options ${ARG_LIBRARIES})
    target_precompile_headers(strobe_pch_${name} PRIVATE ${ARG_HEADERS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(strobe_pch_${name} PRIVATE -fpch-preprocess) # ccache needs it
    endif()
endfunction()

# strobe_use_precompiled(TARGET NAME): nothing if NAME is empty or precompiled headers are off.
function(strobe_use_precompiled target name)
    if(NOT STROBE_PCH OR name STREQUAL "")
        return()
    endif()
    target_precompile_headers(${target} REUSE_FROM strobe_pch_${name})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
endfunction()
