# SPDX-License-Identifier: Apache-2.0
# How the project's libraries are made. Linking enforces the boundary of docs/architecture.md: a domain library never
# uses SystemC, a module library may.

add_library(strobe_headers INTERFACE) # where headers are, here and when installed
target_include_directories(strobe_headers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/strobe>)
target_compile_features(strobe_headers INTERFACE cxx_std_17)
strobe_install_library(strobe_headers)

# Programs are linked for fixed addresses, which needs fewer instructions: bench takes up to 5 % less time. Programs that link the
# installed libraries are, too; libraries that fit everywhere need -DCMAKE_POSITION_INDEPENDENT_CODE=ON.
include(CheckLinkerFlag)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_POSITION_INDEPENDENT_CODE)
    check_linker_flag(CXX -no-pie STROBE_LINKS_FIXED)
endif()
if(STROBE_LINKS_FIXED AND NOT CMAKE_POSITION_INDEPENDENT_CODE)
    string(APPEND CMAKE_CXX_FLAGS " -fno-pie") # before what CMake adds for shared objects
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
    target_link_options(strobe_headers INTERFACE $<INSTALL_INTERFACE:$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>>)
endif()

add_library(strobe_options INTERFACE) # how the project's own code is compiled; not installed
target_link_libraries(strobe_options INTERFACE strobe_headers)
target_compile_options(strobe_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${STROBE_WERROR}>:-Werror>)
# Objects carry both forms, so that test programs link as fast as without. strobe_link_optimised() is for what ships.
if(STROBE_LTO)
    target_compile_options(strobe_options INTERFACE
        "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:STROBE_IS_COUNTED>>>:-flto=auto;-ffat-lto-objects>")
endif()
function(strobe_link_optimised name)
    if(STROBE_LTO AND NOT STROBE_TRAIN)
        target_link_options(${name} PRIVATE -flto=auto)
    endif()
endfunction()
# strobe_order_functions(target): what each page operation executes, some 270 functions, is placed together, so that more of it
# stays in the instruction cache: bench takes up to 3 % less time. Without optimisation across files, which places functions too.
# The list comes from scripts/order-functions; a name in it that no longer exists has no effect. Sources whose functions may be
# in it are compiled with strobe_separate_functions().
set(STROBE_HOT_FUNCTIONS ${PROJECT_SOURCE_DIR}/cmake/hot_functions.ld)
set(STROBE_ORDER_FUNCTIONS OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_BUILD_TYPE STREQUAL RelWithDebInfo AND NOT STROBE_LTO AND NOT STROBE_SANITIZE)
    unset(STROBE_LINKER_ORDERS_FUNCTIONS CACHE) # the linker or the list may be another one
    check_linker_flag(CXX "-Wl,-T,${STROBE_HOT_FUNCTIONS}" STROBE_LINKER_ORDERS_FUNCTIONS)
    set(STROBE_ORDER_FUNCTIONS ${STROBE_LINKER_ORDERS_FUNCTIONS})
endif()
macro(strobe_separate_functions)
    if(STROBE_ORDER_FUNCTIONS)
        string(APPEND CMAKE_CXX_FLAGS " -ffunction-sections")
    endif()
endmacro()
function(strobe_order_functions name)
    if(STROBE_ORDER_FUNCTIONS)
        target_link_options(${name} PRIVATE "-Wl,-T,${STROBE_HOT_FUNCTIONS}")
        set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${STROBE_HOT_FUNCTIONS})
    endif()
endfunction()
if(STROBE_SANITIZE)
    target_compile_options(strobe_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(strobe_options INTERFACE -fsanitize=address,undefined)
endif()
if(STROBE_FUZZ)
    target_compile_options(strobe_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(strobe_options INTERFACE -fsanitize=address,undefined)
endif()
if(STROBE_COVERAGE)
    target_compile_options(strobe_options INTERFACE --coverage)
    target_link_options(strobe_options INTERFACE --coverage)
endif()

# strobe_compile_together(): from here on in this directory and below, sixteen sources make one compilation (STROBE_UNITY). Most of
# their compile time goes into headers and templates that every source needs: this saves a third of the CPU time. Names in
# anonymous namespaces must differ between sources of a target. Not for counts of training, which belong to single sources.
macro(strobe_compile_together)
    set(CMAKE_UNITY_BUILD ${STROBE_UNITY})
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
    if(STROBE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>) # a source that is included is no main file, where g++ would not warn
    endif()
endmacro()

# Each directory says which precompiled headers its libraries use: STROBE_DOMAIN_HEADERS, STROBE_MODULE_HEADERS.

# strobe_domain_library(nand die.cpp … DEPENDS base): plain C++17, no kernel.
function(strobe_domain_library name)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
    add_library(strobe_${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
    strobe_follow_profile(strobe_${name})
    strobe_use_precompiled(strobe_${name} "${STROBE_DOMAIN_HEADERS}")
    target_link_libraries(strobe_${name} PUBLIC $<BUILD_INTERFACE:strobe_options> strobe_headers PRIVATE ${ARG_LIBRARIES})
    strobe_install_library(strobe_${name})
    foreach(dependency ${ARG_DEPENDS})
        target_link_libraries(strobe_${name} PUBLIC strobe_${dependency})
    endforeach()
endfunction()

# strobe_module_library(nand die_module.cpp … DEPENDS nand tlm): strobe_nand_module, SystemC allowed.
function(strobe_module_library name)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
    add_library(strobe_${name}_module STATIC ${ARG_UNPARSED_ARGUMENTS})
    strobe_follow_profile(strobe_${name}_module)
    strobe_use_precompiled(strobe_${name}_module "${STROBE_MODULE_HEADERS}")
    target_link_libraries(strobe_${name}_module PUBLIC $<BUILD_INTERFACE:strobe_options> strobe_headers strobe_systemc
        PRIVATE ${ARG_LIBRARIES})
    strobe_install_library(strobe_${name}_module)
    foreach(dependency ${ARG_DEPENDS})
        target_link_libraries(strobe_${name}_module PUBLIC strobe_${dependency})
    endforeach()
endfunction()

add_library(strobe_systemc INTERFACE)
strobe_install_library(strobe_systemc)
target_link_libraries(strobe_systemc INTERFACE SystemC::systemc)
target_compile_definitions(strobe_systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
# SystemC's own headers are outside this project.
get_target_property(_systemc_real SystemC::systemc ALIASED_TARGET)
if(NOT _systemc_real)
    set(_systemc_real SystemC::systemc)
endif()
get_target_property(_systemc_includes ${_systemc_real} INTERFACE_INCLUDE_DIRECTORIES)
if(_systemc_includes)
    target_include_directories(strobe_systemc SYSTEM INTERFACE $<BUILD_INTERFACE:${_systemc_includes}>)
endif()
