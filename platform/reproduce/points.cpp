// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/points.h"

#include "models/base/config_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace strobe::platform {

namespace {

struct Part {
    const char* name;
    std::string PointName::*text;
};
constexpr std::array<Part, 4> parts{{{"figure", &PointName::figure},
                                     {"workload", &PointName::workload},
                                     {"setting", &PointName::setting},
                                     {"quantity", &PointName::quantity}}};

// Whether `text` is `pattern` with a text for each '*', each as short as possible; these are appended to `covered`.
bool fits(const std::string& text, const std::string& pattern, std::vector<std::string>& covered)
{
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos)
        return text == pattern;
    if (text.compare(0, star, pattern, 0, star) != 0)
        return false;
    const std::string rest = pattern.substr(star + 1);
    for (std::size_t end = star; end <= text.size(); ++end) {
        std::vector<std::string> further;
        if (fits(text.substr(end), rest, further)) {
            covered.push_back(text.substr(star, end - star));
            covered.insert(covered.end(), further.begin(), further.end());
            return true;
        }
    }
    return false;
}

} // namespace

bool PointName::operator<(const PointName& other) const
{
    return std::tie(figure, workload, setting, quantity) <
           std::tie(other.figure, other.workload, other.setting, other.quantity);
}

void Points::declare(const PointName& name)
{
    if (values_.emplace(name, std::nullopt).second)
        order_.push_back(name);
}

void Points::measure(const PointName& name, double value, std::vector<double> samples)
{
    declare(name);
    values_[name] = Measured{value, std::move(samples)};
}

void Points::publish(const PointName& name, double value, double bar)
{
    if (values_.count(name) == 0)
        throw ConfigError(unknown(name));
    published_[name] = {value, bar};
}

double Points::ofBar(const PointName& name, double value) const
{
    const auto found = published_.find(name);
    if (found == published_.end())
        throw ConfigError(fmt::format("the point [{}|{}|{}|{}] has no published value with a bar", name.figure,
                                      name.workload, name.setting, name.quantity));
    return std::abs(value / found->second.value - 1) / found->second.bar;
}

double Points::at(const PointName& name) const
{
    return measured(name).value;
}

const std::vector<double>& Points::samples(const PointName& name) const
{
    return measured(name).samples;
}

const Points::Measured& Points::measured(const PointName& name) const
{
    const auto found = values_.find(name);
    if (found == values_.end())
        throw ConfigError(unknown(name));
    if (!found->second)
        throw NotMeasured();
    return *found->second;
}

std::vector<std::vector<std::string>> Points::matches(const PointName& pattern) const
{
    std::vector<std::vector<std::string>> all;
    for (const PointName& name : order_) {
        std::vector<std::string> covered;
        if (std::all_of(parts.begin(), parts.end(),
                        [&](const Part& part) { return fits(name.*part.text, pattern.*part.text, covered); }))
            all.push_back(std::move(covered));
    }
    return all;
}

Points Points::allWith(double value) const
{
    Points points = *this;
    for (auto& [name, measured] : points.values_)
        measured = Measured{value, {}};
    return points;
}

double PointsOfSeed::at(const PointName& name)
{
    const std::vector<double>& samples = points_.samples(name);
    if (samples.empty())
        return points_.at(name);
    seeds_ = std::min(seeds_.value_or(samples.size()), samples.size());
    return samples[std::min(seed_, samples.size() - 1)];
}

// Names the first part that is wrong, given the parts before it.
std::string Points::unknown(const PointName& name) const
{
    std::vector<const PointName*> left;
    for (const PointName& one : order_)
        left.push_back(&one);
    for (const Part& part : parts) {
        std::vector<std::string> allowed;
        for (const PointName* one : left) {
            if (std::find(allowed.begin(), allowed.end(), one->*part.text) == allowed.end())
                allowed.push_back(one->*part.text);
        }
        if (std::find(allowed.begin(), allowed.end(), name.*part.text) == allowed.end())
            return fmt::format("there is no point [{}|{}|{}|{}]: unknown {} \"{}\"; allowed here: \"{}\"", name.figure,
                               name.workload, name.setting, name.quantity, part.name, name.*part.text,
                               fmt::join(allowed, "\", \""));
        left.erase(std::remove_if(left.begin(), left.end(),
                                  [&](const PointName* one) { return one->*part.text != name.*part.text; }),
                   left.end());
    }
    return "the point exists"; // not reached: all four parts agree with a point
}

} // namespace strobe::platform
