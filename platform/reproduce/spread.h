#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Statistics over seeds: the mean of a number and its two-sided 95 % interval by Student's t distribution, and the
// verdict on a condition whose margin was measured with several seeds. Source: W. S. Gosset, "The probable error of a
// mean", Biometrika 6, 1908. The runs of different seeds are independent; their results are taken as normally
// distributed. Not modelled: correction for many statements; if the true value is exactly at the threshold, one of
// twenty verdicts is decided by chance.

#include <cstddef>
#include <string_view>
#include <vector>

namespace strobe::platform {

struct Spread {
    double mean = 0;
    double halfWidth = 0; // of the interval; 0 for a single value
    std::size_t seeds = 1;

    double low() const { return mean - halfWidth; }
    double high() const { return mean + halfWidth; }
};

Spread spreadOf(const std::vector<double>& samples); // REQUIRES: at least one

enum class Verdict {
    Holds,
    Undecided, // the interval has values that hold and values that do not
    DoesNotHold
};

std::string_view nameOf(Verdict verdict); // "holds", "undecided", "does not hold"

// By how much a condition is met in one run. It is met above 0.
struct Margin {
    double value = 0;
    bool isMetAtZero = false;
};

// Of one margin by all seeds. REQUIRES: at least one; all have the same isMetAtZero.
Verdict verdictOf(const std::vector<Margin>& margins);
// Of two conditions that both must hold.
Verdict both(Verdict a, Verdict b);

} // namespace strobe::platform
