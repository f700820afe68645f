#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Locations of the files of an installed Strobe. The layout below the prefix is fixed
// (cmake/StrobeInstall.cmake), so a prefix can be moved as a whole.

#include <optional>
#include <string>

namespace strobe::platform {

struct Installation {
    std::string scenarios; // directory of parts/, devices/, workloads/
    std::string firmware;  // directory of the firmware images
    std::string python;    // directory of the Python package
    std::string nbdkit;    // the plugin for `strobe serve nbd`
    std::string guest;     // directory of what `strobe linux` needs besides its kernel
};

// Of the program at this path: <prefix>/bin/strobe. Empty if its scenarios are not there, as in a build directory.
std::optional<Installation> installationOf(const std::string& program);

std::string runningProgram(); // its path

} // namespace strobe::platform
