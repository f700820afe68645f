// SPDX-License-Identifier: Apache-2.0
#include "platform/config/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

std::string not_(const json& value)
{
    return ", not " + (value.is_structured() ? std::string(value.is_array() ? "a list" : "an object") : value.dump());
}

bool isPrintable(const std::string& text)
{
    return std::none_of(text.begin(), text.end(), [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return code < 0x20 || code == 0x7F;
    });
}

std::string rangeText(Range range, const std::function<std::string(std::int64_t)>& show)
{
    const char* form = range.isPowerOfTwo ? ", a power of two" : "";
    const std::string unit = range.unit == 1 ? "" : ", a multiple of " + show(range.unit);
    if (range.maximum == std::numeric_limits<std::int64_t>::max())
        return (range.minimum == 0 ? "" : show(range.minimum) + " or more") + form + unit;
    return show(range.minimum) + " to " + show(range.maximum) + form + unit;
}

std::string orWord(const std::string& text, const std::string& word)
{
    return word.empty() ? text : text + " or \"" + word + "\"";
}

json eitherSchema(json schema, const std::string& word)
{
    if (word.empty())
        return schema;
    return {{"anyOf", json::array({std::move(schema), json{{"const", word}}})}};
}

} // namespace

void Fields::text(std::string_view name, std::string& value, std::string_view text)
{
    leaf({std::string(name), "text", "", std::string(text)}, {[&value](const json& j) -> std::string {
                                                                  if (!j.is_string())
                                                                      return "must be text" + not_(j);
                                                                  if (!isPrintable(j.get<std::string>()))
                                                                      return "must be text without control characters" +
                                                                             not_(j);
                                                                  value = j.get<std::string>();
                                                                  return {};
                                                              },
                                                              [&value] { return json(value); },
                                                              [] {
                                                                  return json{{"type", "string"}};
                                                              }});
}

void Fields::flag(std::string_view name, bool& value, std::string_view text)
{
    Codec codec{[&value](const json& j) -> std::string {
                    if (!j.is_boolean())
                        return "must be true or false" + not_(j);
                    value = j.get<bool>();
                    return {};
                },
                [&value] { return json(value); },
                [] {
                    return json{{"type", "boolean"}};
                }};
    if (takeSeldom())
        codec.isSeldom = [&value] { return !value; };
    leaf({std::string(name), "true or false", "", std::string(text)}, codec);
}

void Fields::flagOr(std::string_view name, std::optional<bool>& value, const std::string& word, std::string_view text)
{
    leaf({std::string(name), fmt::format("true, false or \"{}\"", word), "", std::string(text)},
         {[&value, word](const json& j) -> std::string {
              if (!j.is_boolean() && j != json(word))
                  return fmt::format("must be true, false or \"{}\"", word) + not_(j);
              value = j.is_boolean() ? std::optional<bool>(j.get<bool>()) : std::nullopt;
              return {};
          },
          [&value, word] { return value ? json(*value) : json(word); },
          [word] {
              return json{{"enum", json::array({true, false, word})}};
          }});
}

void Fields::real(std::string_view name, double& value, double minimum, double maximum, std::string_view text)
{
    const std::string allowed = fmt::format("{} to {}", minimum, maximum);
    leaf({std::string(name), "number", allowed, std::string(text)},
         {[&value, minimum, maximum, allowed](const json& j) -> std::string {
              if (!j.is_number() || j.get<double>() < minimum || j.get<double>() > maximum)
                  return "must be a number from " + allowed + not_(j);
              value = j.get<double>();
              return {};
          },
          [&value] { return json(value); },
          [minimum, maximum] {
              return json{{"type", "number"}, {"minimum", minimum}, {"maximum", maximum}};
          }});
}

void Fields::addNumber(std::string_view name, const IntegerAccess& value, Range range, const std::string& word,
                       std::string_view text)
{
    const std::string allowed = rangeText(range, [](std::int64_t v) { return fmt::to_string(v); });
    const std::string limits = allowed.empty() ? fmt::format("{} to {}", range.minimum, range.maximum) : allowed;
    const std::string wanted = orWord("a whole number (" + limits + ")", word);
    std::function<bool()> isSeldom;
    if (takeSeldom() && !word.empty())
        isSeldom = [value] { return !value.get(); };
    leaf({std::string(name), orWord("whole number", word), allowed, std::string(text)},
         {[value, range, word, wanted](const json& j) -> std::string {
              if (!word.empty() && j.is_string() && j.get<std::string>() == word) {
                  value.set(std::nullopt);
                  return {};
              }
              // An unsigned number above the largest signed one would become negative here.
              const bool whole =
                  j.is_number_integer() && !(j.is_number_unsigned() && j.get<std::uint64_t>() > INT64_MAX);
              if (!whole || !range.contains(j.get<std::int64_t>()))
                  return "must be " + wanted + not_(j);
              value.set(j.get<std::int64_t>());
              return {};
          },
          [value, word] {
              const auto v = value.get();
              return v ? json(*v) : json(word);
          },
          [range, word] {
              json schema{{"type", "integer"}, {"minimum", range.minimum}};
              if (range.maximum != std::numeric_limits<std::int64_t>::max())
                  schema["maximum"] = range.maximum;
              return eitherSchema(std::move(schema), word);
          },
          isSeldom});
}

void Fields::addQuantity(std::string_view name, Quantity kind, const IntegerAccess& value, Range range,
                         const std::string& word, std::string_view text)
{
    const auto show = [kind](std::int64_t v) { return quantityText(kind, v); };
    const std::string allowed = rangeText(range, show);
    const std::string type(quantityName(kind));
    leaf({std::string(name), orWord(type, word), allowed, std::string(text)},
         {[value, range, kind, word, allowed, type](const json& j) -> std::string {
              if (!j.is_string()) {
                  return fmt::format("must be a {} in quotes with a unit ({}), like \"{}\"", orWord(type, word),
                                     unitChoices(kind), quantityExample(kind)) +
                         not_(j);
              }
              const auto written = j.get<std::string>();
              if (!word.empty() && written == word) {
                  value.set(std::nullopt);
                  return {};
              }
              const Parsed parsed = parseQuantity(kind, written);
              if (!parsed.value)
                  return fmt::format("\"{}\": {}{}", written, parsed.error,
                                     word.empty() ? "" : fmt::format(", or \"{}\"", word));
              if (!range.contains(*parsed.value))
                  return fmt::format("must be {}{}", allowed, not_(j));
              value.set(*parsed.value);
              return {};
          },
          [value, word, show] {
              const auto v = value.get();
              return v ? json(show(*v)) : json(word);
          },
          [kind, word] {
              return eitherSchema({{"$ref", "#/definitions/" + std::string(quantityName(kind))}}, word);
          }});
}

std::string Fields::quoted(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"") + words[i] + "\"";
    return text;
}

void Fields::addChoice(std::string_view name, std::vector<std::string> names, const std::string& choices,
                       const std::function<std::string()>& get, const std::function<void(const std::string&)>& set,
                       std::string_view text)
{
    std::string listed;
    for (std::size_t i = 0; i < names.size(); ++i)
        listed += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    leaf({std::string(name), "word", listed, std::string(text)},
         {[names, choices, set](const json& j) -> std::string {
              if (!j.is_string() || std::find(names.begin(), names.end(), j.get<std::string>()) == names.end())
                  return "must be " + choices + not_(j);
              set(j.get<std::string>());
              return {};
          },
          [get] { return json(get()); },
          [names] {
              return json{{"enum", names}};
          }});
}

} // namespace strobe::platform
