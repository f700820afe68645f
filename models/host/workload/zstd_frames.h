#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Parses the frame and block headers of a Zstandard stream (RFC 8878, section 3.1) as its bytes pass, to determine
// whether the stream ends where a frame ends. The decoder in Boost.Iostreams does not report a stream that is cut off;
// those of the other compressions do. Nothing is decoded here, and damage is detected by the decoder.

#include <cstddef>
#include <cstdint>

namespace strobe::host {

class ZstdFrames {
public:
    void pass(const char* data, std::size_t size);
    bool isComplete() const { return part_ == Part::Magic && have_ == 0 && skip_ == 0; }

private:
    enum class Part : std::uint8_t { Magic, SkipSize, Descriptor, Block };

    void begin(Part part, std::uint32_t bytes);
    void headerRead();
    void blockHeaderRead();

    Part part_ = Part::Magic;
    std::uint64_t skip_ = 0;  // bytes to skip before the current part begins
    std::uint32_t need_ = 4;  // bytes of the current part
    std::uint32_t have_ = 0;  // … of which so many have been read
    std::uint32_t value_ = 0; // … little-endian
    bool checksummed_ = false;
};

} // namespace strobe::host
