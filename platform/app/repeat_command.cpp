// SPDX-License-Identifier: Apache-2.0
#include "platform/app/repeat_command.h"

namespace strobe::platform {

std::vector<std::string> cutsAt(const std::string& instants)
{
    return {"power.maxCuts=null", "power.meanCutInterval=never", "power.cuts=[" + instants + "]"};
}

std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string repeatCommand(const std::string& start, const LoadOptions& load, const std::vector<std::string>& more)
{
    std::string line = start;
    for (const Override& set : load.sets)
        line += " --set " + quoted(set.assignment);
    for (const std::string& set : more)
        line += " --set " + quoted(set);
    return line + "\n";
}

} // namespace strobe::platform
