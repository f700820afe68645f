// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/filled_text.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

std::string withFields(const std::string& text, const std::function<std::string(const std::string&)>& replacement)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            out += text[i];
            continue;
        }
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos)
            throw ConfigError(fmt::format("\"{}\": a {{ without its }}", text));
        out += replacement(text.substr(i + 1, end - i - 1));
        i = end;
    }
    return out;
}

std::string filled(const std::string& text, const Scope& scope)
{
    return withFields(text, [&](const std::string& field) {
        const std::size_t colon = std::min(field.find(':'), field.size());
        const std::string format = colon == field.size() ? "" : field.substr(colon + 1);
        return formatted(scope.value(field.substr(0, colon)), format);
    });
}

} // namespace strobe::platform
