#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The studies that `strobe reproduce` has, in their order: scenarios/papers/studies.json lists them. A study is data in
// the folder of its name, beside that file. Keys of a study: "name", "summary" (its line in --help), "examples"
// (command lines) and "figures", the help text of --figure, without which a text for any study is used.

#include <string>
#include <vector>

namespace strobe::platform {

struct StudyEntry {
    std::string name;
    std::string summary;
    std::string figures;
    std::vector<std::string> examples;
};

// Empty if the directory has no such file. Throws ConfigError with the place of a mistake in it.
std::vector<StudyEntry> studyIndex(const std::string& scenariosDirectory);

} // namespace strobe::platform
