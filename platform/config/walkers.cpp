// SPDX-License-Identifier: Apache-2.0
#include "platform/config/walkers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace strobe::platform {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

std::string pointerToken(std::string_view key)
{
    std::string token;
    for (const char c : key)
        token += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
    return token;
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                              std::tolower(static_cast<unsigned char>(b[j - 1]));
            const std::size_t substituted = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

// --- reading --------------------------------------------------------------------------------------------------------

class ReadFields final : public Fields {
public:
    ReadFields(const json& object, std::string path, std::vector<Problem>& problems)
        : object_(object), path_(std::move(path)), problems_(problems)
    {
    }

    void object(std::string_view name, std::string_view, const Describe& describe) override
    {
        const auto [value, holds] = take(name);
        if (value == nullptr)
            return;
        const json before = holds ? json() : json(writeFields(describe));
        readFields(*value, path_ + "/" + pointerToken(name), describe, problems_);
        std::vector<Problem> none;
        if (!holds)
            readFields(before, "", describe, none);
    }

    void list(std::string_view name, std::string_view, const List& list) override
    {
        const auto [value, holds] = take(name);
        if (value == nullptr)
            return;
        const std::string path = path_ + "/" + pointerToken(name);
        if (!value->is_array()) {
            problems_.push_back({path, "must be a list of objects, like [{...}, {...}]"});
            return;
        }
        list.resize(value->size());
        for (std::size_t i = 0; i < value->size(); ++i)
            readFields((*value)[i], path + "/" + std::to_string(i), [&](Fields& f) { list.item(f, i); }, problems_);
        if (!holds)
            list.resize(0);
    }

    void reportUnknownKeys()
    {
        for (const auto& [key, value] : object_.items()) {
            if (std::find(known_.begin(), known_.end(), key) != known_.end())
                continue;
            const std::string near = nearestName(key, known_);
            problems_.push_back({path_ + "/" + pointerToken(key),
                                 near.empty()
                                     ? "unknown key; allowed here: " + fmt::format("{}", fmt::join(known_, ", "))
                                     : "unknown key; did you mean \"" + near + "\"?",
                                 false,
                                 {},
                                 true});
        }
    }

protected:
    void leaf(const FieldInfo& info, const Codec& codec) override
    {
        const auto [value, holds] = take(info.name);
        if (value == nullptr)
            return;
        const json before = holds ? json() : codec.write();
        std::string wrong = codec.read(*value);
        if (!wrong.empty())
            problems_.push_back({path_ + "/" + pointerToken(info.name), std::move(wrong)});
        else if (!holds)
            codec.read(before);
    }

private:
    struct Taken {
        const json* value; // null: there is none
        bool holds;        // false: it has no effect here
    };
    Taken take(std::string_view name)
    {
        const bool isRequired = takeRequired();
        const json* value = find(name);
        const bool holds = applies(name, value);
        if (value == nullptr && isRequired && holds)
            missing(name);
        return {value, holds};
    }
    const json* find(std::string_view name)
    {
        known_.emplace_back(name);
        const auto found = object_.find(known_.back());
        return found == object_.end() ? nullptr : &*found;
    }
    // False: the parameter has no effect here; if it was written nevertheless, that is a problem unless it belongs to
    // an alternative.
    bool applies(std::string_view name, const json* value)
    {
        const Condition condition = takeCondition();
        if (!condition.holds && value != nullptr && !condition.instead.empty()) {
            std::vector<std::string> choices;
            for (const std::string& choice : condition.choices)
                choices.push_back(placeOf(choice));
            problems_.push_back(
                {path_ + "/" + pointerToken(name),
                 fmt::format("applies only to {}, but {}; leave it out", condition.where, condition.instead), true,
                 std::move(choices)});
        }
        return condition.holds;
    }
    // JSON pointer of a key of this section, or with "../" in front of one above.
    std::string placeOf(std::string key) const
    {
        std::string section = path_;
        for (; key.rfind("../", 0) == 0; key.erase(0, 3))
            section.erase(section.rfind('/'));
        return section + "/" + key;
    }
    void missing(std::string_view name)
    {
        problems_.push_back({path_ + "/" + pointerToken(name), "is missing and has no default"});
    }

    const json& object_;
    std::string path_;
    std::vector<Problem>& problems_;
    std::vector<std::string> known_;
};

// --- writing --------------------------------------------------------------------------------------------------------

class WriteFields final : public Fields {
public:
    void object(std::string_view name, std::string_view, const Describe& describe) override
    {
        takeRequired();
        const bool isSeldom = takeSeldom();
        if (!takeCondition().holds)
            return;
        ordered_json written = writeFields(describe);
        if (!isSeldom || !written.empty())
            result[std::string(name)] = std::move(written);
    }
    void list(std::string_view name, std::string_view, const List& list) override
    {
        takeRequired();
        const bool isSeldom = takeSeldom();
        if (!takeCondition().holds || (isSeldom && list.size() == 0))
            return;
        ordered_json items = ordered_json::array();
        for (std::size_t i = 0; i < list.size(); ++i)
            items.push_back(writeFields([&](Fields& f) { list.item(f, i); }));
        result[std::string(name)] = std::move(items);
    }

    ordered_json result = ordered_json::object();

protected:
    void leaf(const FieldInfo& info, const Codec& codec) override
    {
        takeRequired();
        if (takeCondition().holds && !(codec.isSeldom && codec.isSeldom()))
            result[info.name] = codec.write();
    }
};

// --- documenting ----------------------------------------------------------------------------------------------------

std::string withCondition(std::string_view text, const std::string& where)
{
    return std::string(text) + (where.empty() ? "" : " Only for " + where + ".");
}

class TabulateFields final : public Fields {
public:
    explicit TabulateFields(std::vector<ParameterRow>& rows, std::string prefix = {})
        : rows_(rows), prefix_(std::move(prefix))
    {
    }
    void object(std::string_view name, std::string_view text, const Describe& describe) override
    {
        section(std::string(name), text);
        TabulateFields inner(rows_, prefix_ + std::string(name) + ".");
        describe(inner);
    }
    void list(std::string_view name, std::string_view text, const List& list) override
    {
        section(std::string(name) + "[]", text);
        TabulateFields inner(rows_, prefix_ + std::string(name) + "[].");
        if (list.size() == 0)
            list.resize(1);
        list.item(inner, 0);
    }

protected:
    void leaf(const FieldInfo& info, const Codec& codec) override
    {
        rows_.push_back({prefix_ + info.name, info.type, takeRequired() ? "(required)" : codec.write().dump(),
                         info.allowed, withCondition(info.text, takeCondition().where), false});
    }

private:
    void section(const std::string& name, std::string_view text)
    {
        rows_.push_back({prefix_ + name, "", takeRequired() ? "(required)" : "", "",
                         withCondition(text, takeCondition().where), true});
    }
    std::vector<ParameterRow>& rows_;
    std::string prefix_;
};

// Nothing is "required" in the schema: a file that extends others need not repeat their values.
class SchemaFields final : public Fields {
public:
    void object(std::string_view name, std::string_view text, const Describe& describe) override
    {
        takeRequired();
        const Condition condition = takeCondition();
        ordered_json schema = schemaOfFields(describe);
        schema["description"] = withCondition(text, condition.where);
        properties[std::string(name)] = std::move(schema);
    }
    void list(std::string_view name, std::string_view text, const List& list) override
    {
        takeRequired();
        const Condition condition = takeCondition();
        if (list.size() == 0)
            list.resize(1);
        properties[std::string(name)] = {{"type", "array"},
                                         {"items", schemaOfFields([&](Fields& f) { list.item(f, 0); })},
                                         {"description", withCondition(text, condition.where)}};
    }

    ordered_json properties = ordered_json::object();

protected:
    void leaf(const FieldInfo& info, const Codec& codec) override
    {
        const bool isRequired = takeRequired();
        ordered_json schema = codec.schema();
        std::string text = withCondition(info.text, takeCondition().where) +
                           (info.allowed.empty() ? "" : " Allowed: " + info.allowed + ".");
        if (!isRequired)
            text += " Default: " + codec.write().dump() + ".";
        if (schema.contains("$ref")) // draft-07 ignores other keys next to $ref
            schema = {{"allOf", ordered_json::array({schema})}};
        schema["description"] = std::move(text);
        properties[info.name] = std::move(schema);
    }
};

} // namespace

std::string nearestName(std::string_view word, const std::vector<std::string>& names)
{
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& name : names) {
        const std::size_t distance = editDistance(word, name);
        if (distance < bestDistance && distance < name.size()) {
            best = name;
            bestDistance = distance;
        }
    }
    return best;
}

void readFields(const json& object, const std::string& path, const Fields::Describe& describe,
                std::vector<Problem>& problems)
{
    if (!object.is_object()) {
        problems.push_back({path, "must be an object, like {\"name\": value}"});
        return;
    }
    ReadFields reader(object, path, problems);
    describe(reader);
    reader.reportUnknownKeys();
}

ordered_json writeFields(const Fields::Describe& describe)
{
    WriteFields writer;
    describe(writer);
    return std::move(writer.result);
}

ordered_json schemaOfFields(const Fields::Describe& describe)
{
    SchemaFields writer;
    describe(writer);
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(writer.properties)}};
}

ordered_json quantityDefinitions()
{
    ordered_json definitions = ordered_json::object();
    for (const Quantity kind : {Quantity::Time, Quantity::Size, Quantity::Frequency, Quantity::Rate, Quantity::Energy,
                                Quantity::Power, Quantity::Percent}) {
        definitions[std::string(quantityName(kind))] = {{"type", "string"}, {"pattern", unitPattern(kind)}};
    }
    return definitions;
}

std::vector<ParameterRow> tabulateFields(const Fields::Describe& describe)
{
    std::vector<ParameterRow> rows;
    TabulateFields writer(rows);
    describe(writer);
    return rows;
}

} // namespace strobe::platform
