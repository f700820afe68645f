// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/section_file.h"

#include "models/base/check.h"

#include <boost/crc.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace strobe::platform {

namespace io = boost::iostreams;

namespace {

constexpr std::size_t nameLength = 4;
constexpr std::streamsize blockBytes = 1 << 16;

std::uint32_t crcOf(std::string_view one, std::string_view other = {})
{
    boost::crc_32_type crc;
    crc.process_bytes(one.data(), one.size());
    crc.process_bytes(other.data(), other.size());
    return crc.checksum();
}

std::string compressed(std::string_view contents)
{
    std::string result;
    io::filtering_ostream out;
    out.push(io::zstd_compressor(io::zstd_params(io::zstd::best_speed), blockBytes));
    out.push(io::back_inserter(result));
    out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    out.reset(); // flushes
    return result;
}

std::string decompressed(std::string_view stored, std::uint64_t length)
{
    std::string result;
    try {
        io::filtering_istream in;
        in.push(io::zstd_decompressor(io::zstd_params(), blockBytes));
        in.push(io::array_source(stored.data(), stored.size()));
        in.exceptions(std::ios::badbit);
        std::array<char, blockBytes> block{};
        while (result.size() <= length && (in.read(block.data(), blockBytes), in.gcount() > 0))
            result.append(block.data(), static_cast<std::size_t>(in.gcount()));
    } catch (const std::ios_base::failure&) {
        throw DamagedBytes("a section cannot be decompressed");
    }
    if (result.size() != length)
        throw DamagedBytes("a section does not have the length that it names");
    return result;
}

} // namespace

void SectionWriter::add(std::string_view name, std::string_view contents)
{
    check(name.size() == nameLength, "a section's name has four characters");
    const std::string stored = compressed(contents);
    ByteWriter head;
    head.putRun(reinterpret_cast<const std::byte*>(name.data()), name.size());
    head.put(std::uint64_t{stored.size()});
    head.put(std::uint64_t{contents.size()});
    ByteWriter crc;
    crc.put(crcOf(head.bytes(), stored));
    sections_ += head.bytes();
    sections_ += crc.bytes();
    sections_ += stored;
    ++count_;
}

std::string SectionWriter::file(std::string_view magic, std::uint32_t version) &&
{
    ByteWriter head;
    head.putRun(reinterpret_cast<const std::byte*>(magic.data()), magic.size());
    head.put(version);
    head.put(count_);
    ByteWriter crc;
    crc.put(crcOf(head.bytes()));
    std::string result = std::move(sections_);
    return result.insert(0, head.bytes() + crc.bytes());
}

SectionReader::SectionReader(std::string_view file, std::string_view magic, std::uint32_t version,
                             std::string_view what)
    : rest_(file)
{
    if (file.substr(0, magic.size()) != magic)
        throw DamagedBytes(fmt::format("is not {}", what));
    rest_.takeRun(magic.size());
    const auto its = rest_.take<std::uint32_t>();
    left_ = rest_.take<std::uint32_t>();
    const std::string_view head = file.substr(0, file.size() - rest_.rest().size());
    const bool isIntact = rest_.take<std::uint32_t>() == crcOf(head);
    if (its != version)
        throw DamagedBytes(fmt::format("it has version {} of the format; {} can be read", its, version));
    if (!isIntact)
        throw DamagedBytes("its header is damaged: the checksum does not agree");
}

std::string SectionReader::take(std::string_view name, std::uint64_t longest)
{
    if (left_ == 0)
        throw DamagedBytes("it ends too early");
    --left_;
    const std::string_view before = rest_.rest();
    const std::string_view itsName = rest_.takeRun(nameLength);
    const auto stored = rest_.take<std::uint64_t>();
    const auto length = rest_.take<std::uint64_t>();
    const std::string_view head = before.substr(0, before.size() - rest_.rest().size());
    const auto crc = rest_.take<std::uint32_t>();
    const std::string_view contents = rest_.takeRun(stored);
    if (crc != crcOf(head, contents))
        throw DamagedBytes("a section is damaged: its checksum does not agree with its contents");
    if (itsName != name)
        throw DamagedBytes(fmt::format("it has section \"{}\" where \"{}\" belongs", itsName, name));
    if (length > longest)
        throw DamagedBytes(fmt::format("section \"{}\" is too long", name));
    return decompressed(contents, length);
}

void SectionReader::finish() const
{
    if (left_ != 0 || !rest_.isAtEnd())
        throw DamagedBytes("it continues after its end");
}

} // namespace strobe::platform
