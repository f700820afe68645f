#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The points of a study: one number for each {figure, workload, setting, quantity}. A point is declared when the study
// plans its runs, and measured when they have ended; statements may only name declared points. Some points have a
// published value, and a bar: the largest error at which the measured value agrees with it. A point that depends on
// random choices has a sample for each seed, too.
// Errors: ConfigError for a point that is not declared, with the names that are allowed; NotMeasured for a point that
// is declared and has no value (its figure was not requested, or the study was interrupted).

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct PointName {
    std::string figure;   // of the paper, or a name of the study: "3", "Sensitivity"
    std::string workload; // what is run: "SLC write", "file-write"
    std::string setting;  // with which setting: "1 x 8, CONV"; may be empty
    std::string quantity; // what is measured: "throughput"

    bool operator<(const PointName& other) const;
};

struct NotMeasured {};

class Points {
public:
    void declare(const PointName& name);
    // Declares it, too. `samples`: by seed; empty: the value is the same with every seed.
    void measure(const PointName& name, double value, std::vector<double> samples = {});

    // `bar`: a share of the value. The point must be declared.
    void publish(const PointName& name, double value, double bar);

    double at(const PointName& name) const;
    const std::vector<double>& samples(const PointName& name) const; // of a measured point; empty: see measure()
    // The absolute error of a value, as a share of the bar: agrees up to 1. ConfigError: the point has no published
    // value with a bar.
    double ofBar(const PointName& name, double value) const;
    // For each declared point that fits the pattern, in the order of declaration: the texts that the '*' of the
    // pattern's four parts cover, from left to right.
    std::vector<std::vector<std::string>> matches(const PointName& pattern) const;
    // The same points, each with this value.
    Points allWith(double value) const;

private:
    struct Published {
        double value;
        double bar;
    };
    struct Measured {
        double value;
        std::vector<double> samples;
    };
    const Measured& measured(const PointName& name) const;
    std::string unknown(const PointName& name) const;

    std::map<PointName, std::optional<Measured>> values_;
    std::map<PointName, Published> published_;
    std::vector<PointName> order_;
};

// The points as one seed sees them: its sample where a point has samples, else the value. Finds out on how many seeds
// the points that were read depend.
class PointsOfSeed {
public:
    PointsOfSeed(const Points& points, std::size_t seed) : points_(points), seed_(seed) {}

    double at(const PointName& name);
    double ofBar(const PointName& name) { return points_.ofBar(name, at(name)); }
    std::vector<std::vector<std::string>> matches(const PointName& pattern) const { return points_.matches(pattern); }
    // The fewest samples of a point that was read and has some; 1: none has. With more seeds than this, at() has given
    // a last sample twice.
    std::size_t seeds() const { return seeds_.value_or(1); }

private:
    const Points& points_;
    std::size_t seed_; // from 0
    std::optional<std::size_t> seeds_;
};

} // namespace strobe::platform
