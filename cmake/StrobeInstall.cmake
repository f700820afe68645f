# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, below one prefix that can be moved as a whole:
#   bin/strobe                     the program; it finds the next three relative to itself
#   share/strobe/scenarios         scenarios, devices, parts, traces, the JSON Schema
#   share/strobe/python            the Python package: strobe report, compare, explore, torture
#   share/strobe/scripts           what strobe linux and strobe qemu need: scripts of their guests, and those that build them
#   lib/strobe/nbdkit              the plugin of strobe serve nbd
#   lib/strobe/firmware            firmware images: shared objects for the native CPU, ELF files for the RV32 core
#   share/bash-completion          completion of the command line
#   include/strobe                 headers of models, platform and firmware, with the paths of the source tree
#   lib/strobe                     static libraries
#   lib/cmake/strobe               find_package(strobe): targets strobe::<library>
#   lib/cmake/strobe-sdk           find_package(strobe-sdk): firmware images of your own
#   share/strobe/sdk               linker script, start-up code, HAL, toolchain file, make variables, register map
#   share/strobe/examples          projects that build against the above
include(CMakePackageConfigHelpers)

# strobe_install_library(strobe_nand): installed as strobe::nand.
function(strobe_install_library name)
    string(REGEX REPLACE "^strobe_" "" short ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    install(TARGETS ${name} EXPORT strobe ARCHIVE DESTINATION lib/strobe)
    set_property(GLOBAL APPEND PROPERTY STROBE_INSTALLED ${name})
endfunction()

# Images that ship; those that are built with a deliberate fault, for tests, do not.
set(STROBE_SHIPPED_IMAGES
    strobe_firmware_page_map strobe_firmware_page_map_marked
    strobe_firmware_superblock_map strobe_firmware_superblock_map_marked
    strobe_firmware_start_gap
    strobe_firmware_zoned
    example_blink example_tiny_ftl example_durable_ftl example_hello)

function(_strobe_install_firmware)
    foreach(image ${STROBE_SHIPPED_IMAGES})
        if(TARGET ${image})
            install(TARGETS ${image} LIBRARY DESTINATION lib/strobe/firmware)
            set_property(GLOBAL APPEND PROPERTY STROBE_INSTALLED ${image})
        endif()
        if(TARGET ${image}_rv32)
            install(FILES ${PROJECT_BINARY_DIR}/firmware/${image}.elf DESTINATION lib/strobe/firmware)
            set_property(GLOBAL APPEND PROPERTY STROBE_INSTALLED ${image}_rv32)
        endif()
    endforeach()
endfunction()

function(_strobe_install_sdk)
    set(sdk share/strobe/sdk)
    install(FILES firmware/hal/rv32/link.ld firmware/examples/start.S cmake/sdk/toolchain.cmake cmake/sdk/strobe.mk DESTINATION ${sdk})
    install(FILES firmware/hal/rv32/start.S firmware/hal/rv32/hal_rv32.c firmware/hal/rv32/memory.c
        firmware/hal/rv32/stdio_uart.c firmware/hal/text.c DESTINATION ${sdk}/hal)
    install(DIRECTORY firmware/regs/ DESTINATION ${sdk}/registers
        FILES_MATCHING PATTERN "*.rdl" PATTERN "*.svd" PATTERN "*.xml" PATTERN "*.html" PATTERN "*.css" PATTERN "*.js")
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/strobe-sdk-config-version.cmake
        COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
    install(FILES cmake/sdk/strobe-sdk-config.cmake ${PROJECT_BINARY_DIR}/strobe-sdk-config-version.cmake
        DESTINATION lib/cmake/strobe-sdk)
endfunction()

# strobe_install_project(): when all targets are known.
function(strobe_install_project)
    install(TARGETS strobe RUNTIME DESTINATION bin)
    install(TARGETS strobe_nbdkit LIBRARY DESTINATION lib/strobe/nbdkit)
    install(DIRECTORY scenarios DESTINATION share/strobe)
    install(DIRECTORY scripts/python DESTINATION share/strobe PATTERN __pycache__ EXCLUDE)
    install(PROGRAMS scripts/build-linux-kernel scripts/build-qemu-guest DESTINATION share/strobe/scripts)
    install(FILES scripts/lib/setup.sh DESTINATION share/strobe/scripts/lib)
    install(DIRECTORY scripts/lib/linux scripts/lib/qemu DESTINATION share/strobe/scripts/lib)
    install(DIRECTORY models platform firmware DESTINATION include/strobe
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
    install(DIRECTORY examples DESTINATION share/strobe)
    install(FILES firmware/examples/blink/blink.c firmware/examples/tiny_ftl/tiny_ftl.c
        firmware/examples/durable_ftl/durable_ftl.c firmware/examples/hello/hello.c
        DESTINATION share/strobe/examples/firmware)
    install(FILES cmake/bash-completion DESTINATION share/bash-completion/completions RENAME strobe)
    install(FILES LICENSE DESTINATION share/doc/strobe RENAME copyright)
    install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION share/doc/strobe) # pages link each other
    install(DIRECTORY docs DESTINATION share/doc/strobe)
    _strobe_install_firmware()
    _strobe_install_sdk()

    set(STROBE_SYSTEMC_PACKAGE ${SystemCLanguage_FOUND})
    install(EXPORT strobe NAMESPACE strobe:: FILE strobe-targets.cmake DESTINATION lib/cmake/strobe)
    configure_package_config_file(cmake/strobe-config.cmake.in ${PROJECT_BINARY_DIR}/strobe-config.cmake
        INSTALL_DESTINATION lib/cmake/strobe)
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/strobe-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/strobe-config.cmake ${PROJECT_BINARY_DIR}/strobe-config-version.cmake
        DESTINATION lib/cmake/strobe)

    # With --strip, libraries lose their debug information too; CMake strips programs and shared objects only.
    install(CODE [[
        if(CMAKE_INSTALL_DO_STRIP)
            file(GLOB archives $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/strobe/*.a)
            execute_process(COMMAND strip --strip-debug ${archives} COMMAND_ERROR_IS_FATAL ANY)
        endif()]])

    get_property(installed GLOBAL PROPERTY STROBE_INSTALLED)
    add_custom_target(installed DEPENDS strobe ${installed}) # what `cmake --install` needs: all but the tests
endfunction()
