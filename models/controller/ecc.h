#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// ECC of one channel: an encoder before the bus and a decoder after it, as resources with times, and the strength
// of its code. Parity is part of the spare bytes that the channel moves anyway.
//
// bytesPerSecond = 0: the engine keeps pace with the bus. It works while the data is on the bus, and only its pipeline
// latency adds, before the request (encode) or after the response (decode).
// bytesPerSecond > 0: the engine works out of the unit's speed-matching buffer, one page run at a time: it is occupied
// for bytes / bytesPerSecond, pages of other units wait for it, and that time adds to the latency.
//
// Raw bit errors come with the operation, as their number in the worst codeword of what was read
// (nand::Operation::bitErrors). Up to `correctableBits` are corrected; with more the decoder gives up, or takes another
// codeword for the right one (`miscorrection`). Finding errors takes iterations, which occupy the decoder:
//   iterations(0) = 0,  iterations(e) = min(ceil(e / bitsPerIteration), maxIterations),  beyond the code: maxIterations
// A soft read (Operation::senses above 1) brings for each bit how certain it is. A pair of further senses raises what
// can be corrected by `softGain` (0.5 and 50 us per step: MQSim-JW; Cai et al., Proc. IEEE 2017, section 6.2: soft
// decoding with five levels takes up to 480 us in all), and the decoder is occupied for `softTime` more. Data that is
// delivered with errors really has them: bits of bytes are flipped, tags lose their checksum. Not modelled: errors in
// the spare record (a stronger code of its own protects it), the other codewords of a page (they are decoded while the
// worst one is).

#include "models/base/content.h"
#include "models/base/resource.h"
#include "models/base/rng.h"
#include "models/base/statistics.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::controller {

struct EccCode {
    std::uint32_t codewordBytes = 1024; // of data, a multiple of 512
    std::uint32_t correctableBits = 40; // per codeword; 0: no code, errors are neither corrected nor noticed
    std::uint32_t bitsPerIteration = 8; // errors that one iteration finds
    std::uint32_t maxIterations = 8;    // maximum per codeword; an uncorrectable codeword takes all of them
    Time iterationTime = Time{250'000}; // assumed: of the order of BCH decoders that search a codeword in parallel
    double softGain = 0.5;            // a soft read corrects correctableBits x (1 + softGain x pairs of further senses)
    Time softTime = Time{50'000'000}; // decoder time that the soft decode of a page adds
    double miscorrection = 0;         // probability that a codeword beyond correction passes as corrected

    std::uint32_t iterations(std::uint32_t bitErrors, std::uint32_t senses = 1) const;
    std::uint32_t correctable(std::uint32_t senses) const; // bits of a codeword of which there are so many senses
};

enum class Correction : std::uint8_t { Clean, Corrected, Uncorrectable, Undetected };

struct EccConfig {
    Time encodeLatency{};
    Time decodeLatency{};
    std::uint64_t bytesPerSecond = 0; // of each engine; 0: no limit
    EccCode code{};
};

// What retries need to be judged; reported for parts with an error model.
struct ReadCounters {
    std::uint64_t softDecodes = 0;
    std::array<std::uint64_t, 13> byErrors{};  // [i]: fewer than 2^i raw bit errors, at least half of that
    std::array<std::uint64_t, 16> byRetries{}; // corrected after so many failed reads; the last: that or more

    double meanRetries() const
    {
        std::uint64_t reads = 0;
        std::uint64_t retries = 0;
        for (std::size_t i = 0; i < byRetries.size(); ++i) {
            reads += byRetries[i];
            retries += i * byRetries[i];
        }
        return reads == 0 ? 0 : static_cast<double>(retries) / static_cast<double>(reads);
    }

    void declare(Statistics& stats)
    {
        stats.derive("mean_retries", Unit::Ratio, "further reads per page read that was delivered", meanRetries());
        stats.add("soft_decodes", Unit::Count, "page reads decoded with soft information", softDecodes);
        for (std::size_t i = 0; i < byErrors.size(); ++i) {
            const std::uint32_t least = i == 0 ? 0 : 1U << (i - 1);
            const std::string range = i + 1 == byErrors.size() ? std::to_string(least) + "_or_more"
                                      : i < 2                  ? std::to_string(least)
                                              : std::to_string(least) + "_to_" + std::to_string(2 * least - 1);
            stats.add("reads_with_" + range + "_bit_errors", Unit::Count,
                      "page reads with this number of raw bit errors in the worst codeword", byErrors[i]);
        }
        for (std::size_t i = 0; i < byRetries.size(); ++i) {
            const bool isLast = i + 1 == byRetries.size();
            stats.add("reads_after_" + std::to_string(i) + (isLast ? "_or_more" : "") + "_retries", Unit::Count,
                      "page reads that were delivered after this number of failed reads of the page", byRetries[i]);
        }
    }
};

struct EccCounters { // of pages (parts of pages) that were read with raw bit errors
    std::uint64_t corrected = 0;
    std::uint64_t uncorrectable = 0;
    std::uint64_t undetected = 0;
    std::uint64_t correctedBits = 0;
    std::uint64_t iterations = 0;
    std::uint32_t maxIterations = 0;
    std::uint32_t maxBitErrors = 0;

    std::uint64_t pages() const { return corrected + uncorrectable + undetected; }
    double meanIterations() const
    {
        return pages() == 0 ? 0 : static_cast<double>(iterations) / static_cast<double>(pages());
    }

    void declare(Statistics& stats)
    {
        stats.derive("pages_with_errors", Unit::Count, "page reads with raw bit errors", pages());
        stats.add("corrected_pages", Unit::Count, "of these, corrected", corrected);
        stats.add("corrected_bits", Unit::Count, "bits corrected, in the worst codeword of each page", correctedBits);
        stats.add("uncorrectable_pages", Unit::Count, "of the page reads, beyond correction", uncorrectable);
        stats.add("undetected_pages", Unit::Count, "of the page reads, delivered with errors", undetected);
        stats.add("max_bit_errors", Unit::Count, "most bit errors in a codeword", maxBitErrors, Merge::Maximum);
        stats.keep(iterations);
        stats.derive("mean_iterations", Unit::Ratio, "decoder iterations per page read with errors", meanIterations());
        stats.add("max_iterations", Unit::Count, "most decoder iterations for a page", maxIterations, Merge::Maximum);
    }
};

class EccEngines {
public:
    // `pageBytes`: the usual length of a run, whose time is worked out once. `draws`: random stream of miscorrections
    // and of the positions of delivered errors.
    EccEngines(const EccConfig& config, std::uint32_t pageBytes, const Rng& draws = Rng(1, "ecc"))
        : config_(config), pageBytes_(pageBytes), pageTime_(runTime(pageBytes)), draws_(draws)
    {
    }

    // Data that is in the buffer at `at` may go to the bus from the returned time on.
    Time encode(std::uint32_t bytes, Time at) { return encoder_.reserve(at, time(bytes)) + config_.encodeLatency; }
    // Data whose last byte left the bus at `at` is corrected at the returned time.
    Time decode(std::uint32_t bytes, Time at) { return decoder_.reserve(at, time(bytes)) + config_.decodeLatency; }

    // The same for a page read with raw bit errors, which are put into its data if they are delivered.
    struct Decoded {
        Time at{};
        Correction correction = Correction::Clean;
    };
    Decoded decode(const nand::Operation& read, Time at);

    const Resource& encoder() const { return encoder_; }
    const Resource& decoder() const { return decoder_; }
    const EccCounters& counters() const { return counters_; }
    const ReadCounters& reads() const { return reads_; }
    void resetUsage()
    {
        encoder_.resetUsage();
        decoder_.resetUsage();
        counters_ = {};
        reads_ = {};
    }

private:
    Time time(std::uint32_t bytes) const { return bytes == pageBytes_ ? pageTime_ : runTime(bytes); }
    Time runTime(std::uint32_t bytes) const
    {
        return config_.bytesPerSecond == 0 ? Time{} : transferTime(bytes, config_.bytesPerSecond);
    }
    Correction correct(std::uint32_t bitErrors, std::uint32_t senses);
    void count(const nand::Operation& read, Correction correction, std::uint32_t iterations);
    void flipBits(Content data, std::uint32_t sectors, std::uint32_t bits);

    EccConfig config_;
    std::uint32_t pageBytes_;
    Time pageTime_;
    Resource encoder_;
    Resource decoder_;
    EccCounters counters_;
    ReadCounters reads_;
    Rng draws_;
};

} // namespace strobe::controller
