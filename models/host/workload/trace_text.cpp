// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_text.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/host/workload/byte_text.h"
#include "models/host/workload/zstd_frames.h"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace strobe::host {

namespace io = boost::iostreams;

namespace {

constexpr std::size_t bufferBytes = std::size_t{64} * 1024;

using Chain = io::filtering_streambuf<io::input>;

struct Compression {
    const char* name;
    std::string_view magic;
    void (*addDecoder)(Chain& chain);
};

const std::array<Compression, 4> compressions{
    {{"gzip", {"\x1F\x8B", 2}, [](Chain& chain) { chain.push(io::gzip_decompressor()); }},
     {"bzip2", {"BZh", 3}, [](Chain& chain) { chain.push(io::bzip2_decompressor()); }},
     {"xz",
      {"\xFD"
       "7zXZ\0",
       6},
      [](Chain& chain) { chain.push(io::lzma_decompressor()); }},
     {"zstd", {"\x28\xB5\x2F\xFD", 4}, [](Chain& chain) { chain.push(io::zstd_decompressor()); }}}};

constexpr std::size_t longestMagic = 6;

const Compression* compressionOf(std::string_view firstBytes)
{
    for (const Compression& compression : compressions) {
        if (firstBytes.substr(0, compression.magic.size()) == compression.magic)
            return &compression;
    }
    return nullptr;
}

// The bytes as stored: those read to detect the compression, then the rest.
struct StoredBytes {
    std::unique_ptr<std::streambuf> file;
    std::string first;
    std::size_t firstTaken = 0;
    ZstdFrames frames;
    bool followFrames = false;

    std::streamsize read(char* to, std::streamsize size)
    {
        std::streamsize got = 0;
        if (firstTaken < first.size()) {
            got = static_cast<std::streamsize>(first.copy(to, static_cast<std::size_t>(size), firstTaken));
            firstTaken += static_cast<std::size_t>(got);
        } else {
            got = file->sgetn(to, size);
        }
        if (followFrames)
            frames.pass(to, static_cast<std::size_t>(got));
        return got > 0 ? got : -1;
    }
};

// The object that Boost.Iostreams copies.
struct StoredBytesDevice {
    using char_type = char;
    using category = io::source_tag;
    StoredBytes* bytes;
    std::streamsize read(char* to, std::streamsize size) { return bytes->read(to, size); }
};

std::unique_ptr<std::streambuf> openFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw ConfigError(fmt::format("{}: expected a trace file, found a directory", path));
    auto file = std::make_unique<std::filebuf>();
    errno = 0;
    if (file->open(path, std::ios::in | std::ios::binary) == nullptr)
        throw ConfigError(fmt::format("{}: cannot open the trace: {}", path, std::strerror(errno)));
    return file;
}

} // namespace

struct TraceText::Stream {
    std::string name;
    StoredBytes stored;
    const Compression* compression = nullptr;
    Chain chain;
    std::vector<char> buffer = std::vector<char>(bufferBytes);
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t lines = 0;
    std::uint64_t taken = 0; // bytes
    bool atEnd = false;

    Stream(std::string fileName, std::unique_ptr<std::streambuf> file) : name(std::move(fileName))
    {
        stored.file = std::move(file);
        std::array<char, longestMagic> first{};
        const std::streamsize got = stored.file->sgetn(first.data(), first.size());
        stored.first.assign(first.data(), static_cast<std::size_t>(std::max<std::streamsize>(got, 0)));
        compression = compressionOf(stored.first);
        if (compression == nullptr)
            return;
        stored.followFrames = std::string_view(compression->name) == "zstd";
        compression->addDecoder(chain);
        chain.push(StoredBytesDevice{&stored});
    }

    // Moves the rest to the front and fills the buffer up. False when nothing could be added.
    bool fill()
    {
        std::memmove(buffer.data(), buffer.data() + begin, end - begin);
        end -= begin;
        begin = 0;
        const std::size_t before = end;
        while (!atEnd && end < buffer.size()) {
            const std::streamsize got = read(buffer.data() + end, static_cast<std::streamsize>(buffer.size() - end));
            atEnd = got <= 0;
            end += atEnd ? 0 : static_cast<std::size_t>(got);
        }
        return end > before;
    }

    std::streamsize read(char* to, std::streamsize size)
    {
        if (compression == nullptr)
            return stored.read(to, size);
        std::streamsize got = 0;
        try {
            got = chain.sgetn(to, size);
        } catch (const std::ios_base::failure&) {
            damaged();
        }
        if (got <= 0 && stored.followFrames && !stored.frames.isComplete())
            damaged();
        return got;
    }

    [[noreturn]] void damaged() const
    {
        throw ConfigError(
            fmt::format("{}: the {} data are damaged or cut off (after line {})", name, compression->name, lines));
    }
};

TraceText::TraceText(const std::string& path) : stream_(std::make_unique<Stream>(path, openFile(path))) {}
TraceText::TraceText(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
TraceText::TraceText(TraceText&&) noexcept = default;
TraceText& TraceText::operator=(TraceText&&) noexcept = default;
TraceText::~TraceText() = default;

TraceText TraceText::fromMemory(std::string name, const std::string& contents)
{
    return TraceText(std::make_unique<Stream>(
        std::move(name), std::make_unique<std::stringbuf>(contents, std::ios::in | std::ios::binary)));
}

bool TraceText::next(std::string_view& line)
{
    Stream& s = *stream_;
    const char* lineEnd = nullptr;
    for (;;) {
        const char* text = s.buffer.data() + s.begin;
        lineEnd = static_cast<const char*>(std::memchr(text, '\n', s.end - s.begin));
        if (lineEnd != nullptr || !s.fill())
            break;
    }
    const char* text = s.buffer.data() + s.begin;
    const std::size_t lineBegin = s.begin;
    if (lineEnd == nullptr) {
        if (s.begin == s.end)
            return false;
        if (s.end - s.begin == s.buffer.size())
            throw ConfigError(fmt::format("{}:{}:1: expected a line of at most {}, found a longer one", s.name,
                                          s.lines + 1, byteText(bufferBytes)));
        lineEnd = s.buffer.data() + s.end; // the last line has no end
        s.begin = s.end;
    } else {
        s.begin = static_cast<std::size_t>(lineEnd - s.buffer.data()) + 1;
    }
    s.taken += s.begin - lineBegin;
    if (lineEnd != text && lineEnd[-1] == '\r')
        --lineEnd;
    line = std::string_view(text, static_cast<std::size_t>(lineEnd - text));
    ++s.lines;
    return true;
}

std::string_view TraceText::bytes(std::size_t size)
{
    Stream& s = *stream_;
    check(size <= s.buffer.size(), "more bytes of a trace than a buffer holds");
    if (s.end - s.begin < size)
        s.fill();
    const std::string_view got(s.buffer.data() + s.begin, std::min(size, s.end - s.begin));
    s.begin += got.size();
    s.taken += got.size();
    return got;
}

std::string_view TraceText::peekBytes()
{
    Stream& s = *stream_;
    s.fill();
    return {s.buffer.data() + s.begin, s.end - s.begin};
}

std::vector<std::string_view> TraceText::peek(std::size_t most)
{
    std::string_view rest = peekBytes();
    const bool isWhole = rest.size() < bufferBytes;
    std::vector<std::string_view> lines;
    while (lines.size() < most && !rest.empty()) {
        const std::size_t lineEnd = rest.find('\n');
        if (lineEnd == std::string_view::npos && !isWhole && !lines.empty())
            break;
        std::string_view line = rest.substr(0, lineEnd);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        lines.push_back(line);
        rest.remove_prefix(lineEnd == std::string_view::npos ? rest.size() : lineEnd + 1);
    }
    return lines;
}

const std::string& TraceText::name() const
{
    return stream_->name;
}

std::uint64_t TraceText::lineNumber() const
{
    return stream_->lines;
}

std::uint64_t TraceText::position() const
{
    return stream_->taken;
}

} // namespace strobe::host
