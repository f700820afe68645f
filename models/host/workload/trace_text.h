#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The lines or the bytes of a trace file, decompressed as they are read (gzip, bzip2, xz or zstd, detected by the first
// bytes), in constant memory. Every mistake is a ConfigError that begins with the file's name: a missing or unreadable
// file, damaged or cut-off compressed data, a line longer than 64 KiB.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::host {

class TraceText {
public:
    explicit TraceText(const std::string& path);
    static TraceText fromMemory(std::string name, const std::string& contents); // compressed or not; for tests
    TraceText(TraceText&&) noexcept;
    TraceText& operator=(TraceText&&) noexcept;
    ~TraceText();

    // The next line without its end (LF or CR LF), valid until the next call. False at the end of the file.
    bool next(std::string_view& line);
    // The next bytes, fewer than requested only at the end of the file; valid until the next call. REQUIRES: at most 64
    // KiB.
    std::string_view bytes(std::size_t size);
    // The first 64 KiB (fewer only if the file is shorter), and the first lines in them, at most so many; an incomplete
    // last line is omitted unless it is the only one. Nothing is consumed. REQUIRES: nothing has been consumed.
    std::string_view peekBytes();
    std::vector<std::string_view> peek(std::size_t most);

    const std::string& name() const;
    std::uint64_t lineNumber() const; // of the line that next() gave last, from 1
    std::uint64_t position() const;   // bytes taken so far, of the decompressed file

private:
    struct Stream;
    explicit TraceText(std::unique_ptr<Stream> stream);
    std::unique_ptr<Stream> stream_;
};

} // namespace strobe::host
