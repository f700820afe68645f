// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_fields.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <charconv>

namespace strobe::host {

namespace {
bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}
} // namespace

TraceFields::TraceFields(const TraceText& text, std::string_view line, FieldSeparator separator)
    : text_(text), line_(line), separator_(separator)
{
    skipBlanks();
}

void TraceFields::skipBlanks()
{
    while (position_ < line_.size() && isBlank(line_[position_]))
        ++position_;
}

std::string_view TraceFields::word(const char* what)
{
    fieldBegin_ = position_;
    if (separator_ == FieldSeparator::Blanks) {
        while (position_ < line_.size() && !isBlank(line_[position_]))
            ++position_;
        fieldEnd_ = position_;
    } else {
        while (position_ < line_.size() && line_[position_] != ',')
            ++position_;
        fieldEnd_ = position_;
        while (fieldEnd_ > fieldBegin_ && isBlank(line_[fieldEnd_ - 1]))
            --fieldEnd_;
        if (position_ < line_.size())
            ++position_; // the comma
    }
    skipBlanks();
    if (fieldBegin_ == fieldEnd_)
        fail(what);
    return line_.substr(fieldBegin_, fieldEnd_ - fieldBegin_);
}

std::uint64_t TraceFields::number(const char* what, std::uint64_t maximum)
{
    const std::string_view field = word(what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::result_out_of_range || (error == std::errc{} && value > maximum))
        fail(fmt::format("{} up to {}", what, maximum));
    if (error != std::errc{} || end != field.data() + field.size())
        fail(what);
    return value;
}

void TraceFields::expectEnd()
{
    if (!isAtEnd()) {
        fieldBegin_ = position_;
        fieldEnd_ = line_.size();
        fail("the end of the line");
    }
}

void TraceFields::fail(const std::string& expected) const
{
    failAt(text_, fieldBegin_ + 1, expected, line_.substr(fieldBegin_, fieldEnd_ - fieldBegin_));
}

void failAt(const TraceText& text, std::size_t column, const std::string& expected, std::string_view found)
{
    throw ConfigError(fmt::format("{}:{}:{}: expected {}, found {}", text.name(), text.lineNumber(), column, expected,
                                  found.empty() ? "nothing" : quoted(found)));
}

std::string quoted(std::string_view found)
{
    constexpr std::size_t longest = 40;
    std::string text = "'";
    for (const char c : found.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7F)
            text += fmt::format("\\x{:02X}", byte);
        else
            text += c;
    }
    return text + (found.size() > longest ? "…'" : "'");
}

} // namespace strobe::host
