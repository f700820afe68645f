// SPDX-License-Identifier: Apache-2.0
#include "platform/config/describe_tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr double femto = 1e-15;
constexpr double nano = 1e-9;
constexpr std::size_t mostInstants = 100'000;

} // namespace

void instants(Fields& f, const char* name, std::vector<Time>& values, const char* text)
{
    f.custom(
        {name, "list of times", "ascending, above 0, like [\"1.5ms\", \"20ms\"]", text},
        {[&values](const json& j) -> std::string {
             std::string wanted = "must be a list of ascending times above 0, like [\"1.5ms\", \"20ms\"]";
             if (!j.is_array() || j.size() > mostInstants)
                 return wanted;
             std::vector<Time> read;
             for (const json& item : j) {
                 const Parsed time =
                     item.is_string() ? parseQuantity(Quantity::Time, item.get<std::string>()) : Parsed{};
                 if (!time.value || picoseconds(*time.value) <= (read.empty() ? Time{} : read.back()))
                     return wanted;
                 read.push_back(picoseconds(*time.value));
             }
             values = read;
             return {};
         },
         [&values] {
             json list = json::array();
             for (const Time value : values)
                 list.push_back(quantityText(Quantity::Time, value.count()));
             return list;
         },
         [] {
             return json{{"type", "array"}, {"maxItems", mostInstants}, {"items", {{"$ref", "#/definitions/time"}}}};
         }});
}

void physical(Fields& f, std::string_view name, Quantity kind, double& value, std::string_view text)
{
    const double scale = kind == Quantity::Energy ? femto : nano;
    const auto units = [&value, scale] { return std::llround(value / scale); };
    f.custom({std::string(name), std::string(quantityName(kind)), "", std::string(text)},
             {[&value, kind, scale](const json& j) -> std::string {
                  if (!j.is_string())
                      return fmt::format("must be a {} in quotes with a unit ({}), like \"{}\", not {}",
                                         quantityName(kind), unitChoices(kind), quantityExample(kind), j.dump());
                  const Parsed parsed = parseQuantity(kind, j.get<std::string>());
                  if (!parsed.value)
                      return j.dump() + ": " + parsed.error;
                  value = static_cast<double>(*parsed.value) * scale;
                  return {};
              },
              [kind, units] { return json(quantityText(kind, units())); },
              [kind] {
                  return json{{"$ref", "#/definitions/" + std::string(quantityName(kind))}};
              }});
}

} // namespace strobe::platform
