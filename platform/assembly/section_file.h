#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A file of named sections, each compressed and with a checksum. The reader rejects a file that is cut off at any
// byte, continues after its end, or has a bit that differs. The same sections give the same bytes (with one version of
// the compression library). Format: docs/drive_images.md.

#include "models/base/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace strobe::platform {

class SectionWriter {
public:
    // REQUIRES: both names are eight and four characters long.
    void add(std::string_view name, std::string_view contents);
    std::string file(std::string_view magic, std::uint32_t version) &&; // once

private:
    std::string sections_;
    std::uint32_t count_ = 0;
};

class SectionReader {
public:
    // `file` must outlive the reader; `what` it has to be, for messages: "a drive image". Throws DamagedBytes: it does
    // not begin with `magic`, has another version, or its sections do not end where it ends.
    SectionReader(std::string_view file, std::string_view magic, std::uint32_t version, std::string_view what);

    // The contents of the next section. Throws DamagedBytes if it is damaged, has another name or is longer.
    std::string take(std::string_view name, std::uint64_t longest = std::uint64_t{1} << 40U);
    // Throws DamagedBytes unless all sections have been taken.
    void finish() const;
    std::uint32_t left() const { return left_; }

private:
    ByteReader rest_;
    std::uint32_t left_ = 0;
};

} // namespace strobe::platform
