#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Collects the problems that the steps of resolve() find. A check of the flash is one whose failure leaves no
// meaningful number of dies, blocks or superchips: then the capacity is not checked.

#include "platform/config/units.h"
#include "platform/config/walkers.h"

#include <string>
#include <utility>
#include <vector>

namespace strobe::platform {

class Checks {
public:
    explicit Checks(std::vector<Problem>& problems) : problems_(problems) {}

    // `others`: see Problem.
    bool expect(bool holds, std::string path, std::string message, std::vector<std::string> others = {})
    {
        if (!holds)
            problems_.push_back({std::move(path), std::move(message), false, {}, false, std::move(others)});
        return holds;
    }
    // A value that has no effect unless `holds`: a problem only if it was not written before the values at `choices`
    // (JSON pointers). REQUIRES: if it does not hold, the caller resolves it as a value without effect.
    bool expectEffect(bool holds, std::string path, std::string message, std::vector<std::string> choices)
    {
        if (!holds)
            problems_.push_back({std::move(path), std::move(message), false, std::move(choices)});
        return holds;
    }
    bool expectOfFlash(bool holds, std::string path, std::string message, std::vector<std::string> others = {})
    {
        isFlashValid_ = isFlashValid_ && holds;
        return expect(holds, std::move(path), std::move(message), std::move(others));
    }
    bool isFlashValid() const { return isFlashValid_; }

    std::vector<Problem>& problems() { return problems_; }

private:
    std::vector<Problem>& problems_;
    bool isFlashValid_ = true;
};

// The values that determine the number of dies.
inline std::vector<std::string> dieCountKeys()
{
    return {"/nand/channels", "/nand/ways", "/nand/luns"};
}

// The values that determine the amount of flash.
inline std::vector<std::string> flashSizeKeys()
{
    std::vector<std::string> keys = dieCountKeys();
    keys.emplace_back("/nand/part");
    return keys;
}

inline std::string sizeText(std::uint64_t bytes)
{
    return quantityText(Quantity::Size, static_cast<std::int64_t>(bytes));
}

} // namespace strobe::platform
