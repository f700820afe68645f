# SPDX-License-Identifier: Apache-2.0
# Compiling with a profile: execution counts show the compiler which paths are hot, what to inline and what to place
# together. scripts/train makes a build directory with STROBE_TRAIN, runs its program and rebuilds this one with the
# counts (STROBE_PROFILE). Only what a simulation goes through is counted. A function that has changed since its counts
# were taken is compiled as if there were none; results are the same with and without. Both builds inline other calls than
# usual, and the compiler warns of paths that cannot be taken: their presets do not treat warnings as errors.
option(STROBE_TRAIN "Count what runs, for another build directory's STROBE_PROFILE" OFF)
set(STROBE_PROFILE "" CACHE PATH "Build directory with counts (scripts/train); none there: compile without")

# strobe_follow_profile(target): call it when all sources are known.
function(strobe_follow_profile name)
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT place MATCHES "^(models|firmware|platform/assembly)(/|$)")
        return()
    endif()
    if(STROBE_TRAIN)
        set_target_properties(${name} PROPERTIES STROBE_IS_COUNTED ON) # counts are per file: no optimisation across files
        target_compile_options(${name} PRIVATE -fprofile-generate -fprofile-update=single)
        target_link_options(${name} PUBLIC $<BUILD_INTERFACE:-fprofile-generate>)
        return()
    endif()
    if(NOT STROBE_PROFILE)
        return()
    endif()
    # Beside the objects, where the compiler looks for them.
    set(objects CMakeFiles/${name}.dir)
    file(GLOB_RECURSE counts RELATIVE ${STROBE_PROFILE}/${place}/${objects} ${STROBE_PROFILE}/${place}/${objects}/*.gcda)
    foreach(file ${counts})
        set(copy ${CMAKE_CURRENT_BINARY_DIR}/${objects}/${file})
        get_filename_component(directory ${copy} DIRECTORY)
        file(MAKE_DIRECTORY ${directory})
        file(COPY_FILE ${STROBE_PROFILE}/${place}/${objects}/${file} ${copy} ONLY_IF_DIFFERENT)
        string(REGEX REPLACE "\\.gcda$" "" source ${file})
        set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${copy})
    endforeach()
    if(counts)
        target_compile_options(${name} PRIVATE -fprofile-use -fprofile-partial-training -fprofile-correction
            -Wno-coverage-mismatch -Wno-missing-profile)
        target_link_options(${name} PUBLIC $<BUILD_INTERFACE:-fprofile-use>)
    endif()
endfunction()
