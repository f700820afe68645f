#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The commands that are written in Python: `strobe report`, `compare`, `explore` and `torture` (scripts/python;
// installed: share/strobe/python). This program is replaced by `python3 -m strobe COMMAND …`, with its own path in
// STROBE.
//
// The interpreter is, in this order: STROBE_PYTHON; build/python of the source tree (made by scripts/strobe);
// $XDG_DATA_HOME/strobe/python (~/.local/share/strobe/python); python3 on the PATH. STROBE_PYTHON=no refuses Python.
// Missing packages are requested like RV32 images (platform/assembly/firmware_image.h): with STROBE_NEEDS.

#include <string>
#include <vector>

namespace strobe::platform {

struct PythonCommand {
    const char* name;
    const char* packages; // the group of packages that it needs (scripts/python/pyproject.toml)
    const char* description;
};
const std::vector<PythonCommand>& pythonCommands();
const PythonCommand* findPythonCommand(const std::string& name); // null: there is none of that name

// Replaces this process; arguments without the name of the command. Throws ConfigError if that is not possible.
[[noreturn]] void becomePython(const PythonCommand& command, const std::vector<std::string>& arguments);

// Before work whose result Python shows: throws ConfigError if the packages of the group are missing.
void requirePython(const std::string& packages);

// What `python3 -m strobe ARGUMENTS` prints. Needs no packages. Throws ConfigError without Python, and if it fails.
std::string pythonOutput(const std::vector<std::string>& arguments);

// Runs a command and waits; returns its exit code.
int runPython(const PythonCommand& command, const std::vector<std::string>& arguments);

} // namespace strobe::platform
