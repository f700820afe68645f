#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Walks over the fields of one line of a text trace. Every mistake becomes a ConfigError
// "file:line:column: expected …, found '…'"; columns count bytes from 1.

#include "models/host/workload/trace_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::host {

enum class FieldSeparator : std::uint8_t {
    Blanks, // any number of blanks and tabs between fields and around them
    Comma   // exactly one comma between fields; blanks around fields are ignored
};

class TraceFields {
public:
    // REQUIRES: the text outlives this object and line is the one it gave last.
    TraceFields(const TraceText& text, std::string_view line, FieldSeparator separator);

    // The description of the field, a noun phrase, appears in the message: "the offset in bytes".
    std::string_view word(const char* what);
    std::string_view optionalWord(); // may be empty
    std::uint64_t number(const char* what, std::uint64_t maximum = INT64_MAX);
    // A decimal number like 12.25, in units of 10^-digits; further digits are cut off.
    std::uint64_t decimal(const char* what, int digits);
    std::optional<std::uint64_t> optionalDecimal(const char* what, int digits); // nothing: the field is empty
    bool isAtEnd() const { return position_ >= line_.size(); }                  // no field is left
    char peek() const { return isAtEnd() ? '\0' : line_[position_]; }           // the first character of the next field
    void expectEnd();

    std::size_t column() const { return fieldBegin_ + 1; }     // of the field taken last
    [[noreturn]] void fail(const std::string& expected) const; // at the field taken last, which is quoted as found

private:
    void skipBlanks();
    std::string_view take();
    std::uint64_t toDecimal(std::string_view field, const char* what, int digits) const;

    const TraceText& text_;
    std::string_view line_;
    FieldSeparator separator_;
    std::size_t position_ = 0; // of the next field
    std::size_t fieldBegin_ = 0;
    std::size_t fieldEnd_ = 0;
};

// At the line that `text` gave last, or at another. The found text is cut to a readable length, and its control bytes
// are escaped.
[[noreturn]] void failAt(const TraceText& text, std::size_t column, const std::string& expected,
                         std::string_view found);
[[noreturn]] void failAt(const TraceText& text, std::uint64_t line, std::size_t column, const std::string& expected,
                         std::string_view found);
std::string quoted(std::string_view found);

// For distinguishing formats, without messages: the fields of a line, and what one of them looks like.
std::vector<std::string_view> fieldsOf(std::string_view line, FieldSeparator separator);
bool isWholeNumber(std::string_view field);
bool isDecimalNumber(std::string_view field); // whole numbers too
template <class Predicate>
bool anyLine(const std::vector<std::string_view>& lines, FieldSeparator separator, Predicate isRecord)
{
    for (const std::string_view line : lines) {
        if (isRecord(fieldsOf(line, separator)))
            return true;
    }
    return false;
}

} // namespace strobe::host
