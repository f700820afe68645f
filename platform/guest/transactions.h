#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a guest's script says about the durability of its transactions, which it numbers from 1. Before a power loss it
// reports the last transaction that its software has told it is committed; after that, how many of the first ones it
// has found whole, and the results of its checks. Pure.

#include "models/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform::guest {

struct Check {
    std::string name;
    bool isGood = false;
};

struct PowerLossFindings {
    Time at{};
    std::uint64_t committed = 0;        // reported until then
    std::optional<std::uint64_t> found; // nothing: the script has not said it before the end or the next power loss
    std::vector<Check> checks;
    bool isRepeated = false; // power was lost again before `found`: the next one's findings count

    std::uint64_t lost() const
    {
        return !isRepeated && found.value_or(0) < committed ? committed - found.value_or(0) : 0;
    }
    bool isGood() const;
};

class Transactions {
public:
    // A mark of the script. False: it is none of these.
    //   committed NUMBER
    //   found NUMBER
    //   checked NAME ok|failed
    bool mark(Time at, std::string_view word, std::string_view argument);
    void powerLost(Time at);

    // When the script first reported a number, after which power may be lost; nothing: never.
    std::optional<Time> begin() const { return begin_; }
    const std::vector<PowerLossFindings>& losses() const { return losses_; }
    // The first mark without a meaning; empty: none.
    const std::string& mistake() const { return mistake_; }

private:
    std::optional<std::uint64_t> number(std::string_view word, std::string_view argument);

    std::optional<Time> begin_;
    std::uint64_t committed_ = 0;
    std::vector<PowerLossFindings> losses_;
    std::string mistake_;
};

} // namespace strobe::platform::guest
