#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// ECC of one channel: an encoder in front of the bus and a decoder behind it, as resources with times. Not modelled
// yet: errors, so decoding always succeeds; parity is part of the spare bytes that the channel moves anyway.
//
// bytesPerSecond = 0: the engine keeps pace with the bus. It works while the data is on the bus, and only its pipeline
// latency adds, before the request (encode) or after the response (decode).
// bytesPerSecond > 0: the engine works out of the unit's speed-matching buffer, one page run at a time: it is occupied
// for bytes / bytesPerSecond, pages of other units wait for it, and that time adds to the latency.

#include "models/base/resource.h"

#include <cstdint>

namespace strobe::controller {

struct EccConfig {
    Time encodeLatency{};
    Time decodeLatency{};
    std::uint64_t bytesPerSecond = 0; // of each engine; 0: no limit
};

class EccEngines {
public:
    // `pageBytes`: the usual length of a run, whose time is worked out once.
    EccEngines(const EccConfig& config, std::uint32_t pageBytes)
        : config_(config), pageBytes_(pageBytes), pageTime_(runTime(pageBytes))
    {
    }

    // Data that is in the buffer at `at` may go to the bus from the returned time on.
    Time encode(std::uint32_t bytes, Time at) { return encoder_.reserve(at, time(bytes)) + config_.encodeLatency; }
    // Data whose last byte left the bus at `at` is corrected at the returned time.
    Time decode(std::uint32_t bytes, Time at) { return decoder_.reserve(at, time(bytes)) + config_.decodeLatency; }

    const Resource& encoder() const { return encoder_; }
    const Resource& decoder() const { return decoder_; }
    void resetUsage()
    {
        encoder_.resetUsage();
        decoder_.resetUsage();
    }

private:
    Time time(std::uint32_t bytes) const { return bytes == pageBytes_ ? pageTime_ : runTime(bytes); }
    Time runTime(std::uint32_t bytes) const
    {
        return config_.bytesPerSecond == 0 ? Time{} : transferTime(bytes, config_.bytesPerSecond);
    }

    EccConfig config_;
    std::uint32_t pageBytes_;
    Time pageTime_;
    Resource encoder_;
    Resource decoder_;
};

} // namespace strobe::controller
