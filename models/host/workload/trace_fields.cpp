// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_fields.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace strobe::host {

namespace {
bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::uint64_t power10(int exponent)
{
    std::uint64_t power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
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

std::string_view TraceFields::take()
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
    return line_.substr(fieldBegin_, fieldEnd_ - fieldBegin_);
}

std::string_view TraceFields::word(const char* what)
{
    const std::string_view field = take();
    if (field.empty())
        fail(what);
    return field;
}

std::string_view TraceFields::optionalWord()
{
    return take();
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

std::uint64_t TraceFields::decimal(const char* what, int digits)
{
    return toDecimal(word(what), what, digits);
}

std::optional<std::uint64_t> TraceFields::optionalDecimal(const char* what, int digits)
{
    const std::string_view field = take();
    return field.empty() ? std::nullopt : std::optional(toDecimal(field, what, digits));
}

std::uint64_t TraceFields::toDecimal(std::string_view field, const char* what, int digits) const
{
    if (!isDecimalNumber(field))
        fail(what);
    std::uint64_t value = 0;
    const auto add = [&](char digit) {
        if (value > (UINT64_MAX - 9) / 10)
            fail(fmt::format("{} up to {}", what, UINT64_MAX / power10(digits)));
        value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    };
    const std::size_t point = std::min(field.find('.'), field.size());
    for (std::size_t i = 0; i < point; ++i)
        add(field[i]);
    for (std::size_t i = 1; i <= static_cast<std::size_t>(digits); ++i)
        add(point + i < field.size() ? field[point + i] : '0');
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
    failAt(text, text.lineNumber(), column, expected, found);
}

void failAt(const TraceText& text, std::uint64_t line, std::size_t column, const std::string& expected,
            std::string_view found)
{
    throw ConfigError(fmt::format("{}:{}:{}: expected {}, found {}", text.name(), line, column, expected,
                                  found.empty() ? "nothing" : quoted(found)));
}

std::vector<std::string_view> fieldsOf(std::string_view line, FieldSeparator separator)
{
    std::vector<std::string_view> fields;
    const auto add = [&](std::string_view field) {
        while (!field.empty() && isBlank(field.front()))
            field.remove_prefix(1);
        while (!field.empty() && isBlank(field.back()))
            field.remove_suffix(1);
        if (separator == FieldSeparator::Comma || !field.empty())
            fields.push_back(field);
    };
    const char* const ends = separator == FieldSeparator::Comma ? "," : " \t";
    for (std::size_t end = 0; (end = line.find_first_of(ends)) != std::string_view::npos; line.remove_prefix(end + 1))
        add(line.substr(0, end));
    add(line);
    return fields;
}

bool isWholeNumber(std::string_view field)
{
    return !field.empty() && std::all_of(field.begin(), field.end(), isDigit);
}

bool isDecimalNumber(std::string_view field)
{
    const std::size_t point = std::min(field.find('.'), field.size());
    return isWholeNumber(field.substr(0, point)) && (point == field.size() || isWholeNumber(field.substr(point + 1)));
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
