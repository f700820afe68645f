#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Walks over the fields of one line of a text trace. Every mistake becomes a ConfigError
// "file:line:column: expected …, found '…'"; columns count bytes from 1.

#include "models/host/workload/trace_text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace strobe::host {

enum class FieldSeparator : std::uint8_t {
    Blanks, // any number of blanks and tabs between fields and around them
    Comma   // exactly one comma between fields; blanks around fields are ignored
};

class TraceFields {
public:
    // REQUIRES: the text outlives this object and line is the one it gave last.
    TraceFields(const TraceText& text, std::string_view line, FieldSeparator separator);

    // What the field is, as a noun phrase, goes into the message: "the offset in bytes".
    std::string_view word(const char* what);
    std::uint64_t number(const char* what, std::uint64_t maximum = INT64_MAX);
    bool isAtEnd() const { return position_ >= line_.size(); } // no field is left
    void expectEnd();

    std::size_t column() const { return fieldBegin_ + 1; }     // of the field taken last
    [[noreturn]] void fail(const std::string& expected) const; // at the field taken last, which is what was found

private:
    void skipBlanks();

    const TraceText& text_;
    std::string_view line_;
    FieldSeparator separator_;
    std::size_t position_ = 0; // of the next field
    std::size_t fieldBegin_ = 0;
    std::size_t fieldEnd_ = 0;
};

// At the line that `text` gave last. The found text is cut to a readable length, and its control bytes are escaped.
[[noreturn]] void failAt(const TraceText& text, std::size_t column, const std::string& expected,
                         std::string_view found);
std::string quoted(std::string_view found);

} // namespace strobe::host
