#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The points of a study: one number for each {figure, workload, setting, quantity}. A point is declared when the study
// plans its runs, and measured when they have ended; statements may only name declared points.
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
    void measure(const PointName& name, double value); // declares it, too

    double at(const PointName& name) const;
    // For each declared point that fits the pattern, in the order of declaration: the texts that the '*' of the
    // pattern's four parts cover, from left to right.
    std::vector<std::vector<std::string>> matches(const PointName& pattern) const;
    // The same points, each with this value.
    Points allWith(double value) const;

private:
    std::string unknown(const PointName& name) const;

    std::map<PointName, std::optional<double>> values_;
    std::vector<PointName> order_;
};

} // namespace strobe::platform
