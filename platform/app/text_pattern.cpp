// SPDX-License-Identifier: Apache-2.0
#include "platform/app/text_pattern.h"

#include "models/base/check.h"

namespace strobe::platform {

TextPattern::TextPattern(const char* expression)
{
    check(regcomp(&compiled_, expression, REG_EXTENDED) == 0, "a regular expression is not well-formed");
}

std::optional<TextPattern::Match> TextPattern::find(const std::string& text) const
{
    std::vector<regmatch_t> found(compiled_.re_nsub + 1);
    if (regexec(&compiled_, text.c_str(), found.size(), found.data(), 0) != 0)
        return std::nullopt;
    const auto at = [](regoff_t offset) { return static_cast<std::size_t>(offset); };
    Match match{at(found[0].rm_so), at(found[0].rm_eo), {}};
    for (std::size_t i = 1; i < found.size(); ++i)
        match.groups.push_back(text.substr(at(found[i].rm_so), at(found[i].rm_eo) - at(found[i].rm_so)));
    return match;
}

} // namespace strobe::platform
