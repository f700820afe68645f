#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Numbers and text as bytes of a file, lowest byte first, and back.

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace strobe {

class ByteWriter {
public:
    template <class T>
    void put(T value)
    {
        static_assert(std::is_unsigned_v<T>);
        std::array<char, sizeof value> run{};
        for (std::size_t i = 0; i < sizeof value; ++i)
            run[i] = static_cast<char>(static_cast<unsigned char>(std::uint64_t{value} >> (8 * i)));
        bytes_.append(run.data(), run.size());
    }
    // In as few bytes as it needs: seven bits each, lowest first; the highest bit says that another one follows.
    void putShort(std::uint64_t value)
    {
        for (; value >= moreFollows; value >>= shortBits)
            bytes_ += static_cast<char>(static_cast<unsigned char>(value | moreFollows));
        bytes_ += static_cast<char>(static_cast<unsigned char>(value));
    }
    void put(std::string_view text)
    {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }
    void putRun(const std::byte* data, std::size_t count) { bytes_.append(reinterpret_cast<const char*>(data), count); }
    const std::string& bytes() const { return bytes_; }

    static constexpr unsigned shortBits = 7; // of putShort()
    static constexpr std::uint64_t moreFollows = 0x80;

private:
    std::string bytes_;
};

// The bytes read are not those that were written.
struct DamagedBytes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : left_(bytes) {}

    template <class T>
    T take()
    {
        static_assert(std::is_unsigned_v<T>);
        const std::string_view run = takeRun(sizeof(T));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < run.size(); ++i)
            value |= std::uint64_t{static_cast<unsigned char>(run[i])} << (8 * i);
        return static_cast<T>(value);
    }
    std::uint64_t takeShort()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += ByteWriter::shortBits) {
            const auto byte = take<std::uint8_t>();
            value |= (byte & (ByteWriter::moreFollows - 1)) << shift;
            if (byte < ByteWriter::moreFollows)
                return value;
        }
        throw DamagedBytes("a number in it does not end");
    }
    std::string_view takeText() { return takeRun(take<std::uint32_t>()); }
    std::string_view takeRun(std::size_t count)
    {
        if (count > left_.size())
            throw DamagedBytes("it ends too early");
        const std::string_view run = left_.substr(0, count);
        left_.remove_prefix(count);
        return run;
    }
    // The next number, which has to be less than `limit`.
    template <class T>
    T takeBelow(std::uint64_t limit)
    {
        const T value = take<T>();
        if (value >= limit)
            throw DamagedBytes("a number in it is too large");
        return value;
    }
    bool isAtEnd() const { return left_.empty(); }
    std::string_view rest() const { return left_; }

private:
    std::string_view left_;
};

} // namespace strobe
