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

void sizeOrShare(Fields& f, std::string_view name, const SizeOrShareField& value, std::string_view text)
{
    f.custom(
        {std::string(name), fmt::format("size, percentage or \"{}\"", value.word), "", std::string(text)},
        {[value](const json& j) -> std::string {
             std::string wanted = fmt::format(
                 "must be a size like \"64MiB\", a percentage like \"25%\" or \"{}\", not {}", value.word, j.dump());
             if (!j.is_string())
                 return wanted;
             const auto written = j.get<std::string>();
             value.bytes = 0;
             value.share = 0;
             if (written == value.word)
                 return {};
             if (const Parsed size = parseQuantity(Quantity::Size, written); size.value)
                 value.bytes = static_cast<std::uint64_t>(*size.value);
             else if (const Parsed share = parseQuantity(Quantity::Percent, written); share.value)
                 value.share = static_cast<double>(*share.value) / 1000;
             else
                 return wanted;
             if (value.zeroIsNothing && value.bytes == 0 && value.share == 0)
                 return fmt::format("\"{}\" is zero: must be a size or percentage above zero, or \"{}\"", written,
                                    value.word);
             return {};
         },
         [value] {
             if (value.bytes != 0)
                 return json(quantityText(Quantity::Size, static_cast<std::int64_t>(value.bytes)));
             if (value.share != 0)
                 return json(quantityText(Quantity::Percent, std::llround(value.share * 1000)));
             return json(value.word);
         },
         [word = value.word] {
             return json{{"anyOf", json::array({json{{"$ref", "#/definitions/size"}},
                                                json{{"$ref", "#/definitions/percentage"}}, json{{"const", word}}})}};
         }});
}

} // namespace strobe::platform
