#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One description of every scenario parameter, many uses. A describe() function walks over a struct and names each
// member once: key, unit, range, sentence. The effect depends on the Fields it is given (walkers.h): reading JSON
// into the struct, writing the struct as JSON, the parameter table, the JSON Schema. The default of a parameter is its
// value in a default-constructed struct.
//
//   void describe(Fields& f, MemoryConfig& c) {
//       f.quantity("latency", Quantity::Time, c.latency, {0, ms}, "first access of a burst");

#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "platform/config/units.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace strobe::platform {

struct Range { // both ends allowed; in base units
    std::int64_t minimum = 0;
    std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
    std::int64_t unit = 1; // multiples of it only
    bool isPowerOfTwo = false;

    bool contains(std::int64_t value) const
    {
        return value >= minimum && value <= maximum && value % unit == 0 &&
               (!isPowerOfTwo || (value & (value - 1)) == 0);
    }
};

// Description of a parameter: everything but its value.
struct FieldInfo {
    std::string name;
    std::string type;    // for the table: "size", "whole number", "CONV, SYNC_ONLY or PROPOSED", …
    std::string allowed; // for the table and for messages: "1 to 64"
    std::string text;    // one sentence
};

// How a value is moved from and to JSON, and its part of the schema.
struct Codec {
    std::function<std::string(const nlohmann::json&)> read; // empty: taken; else what is wrong ("must be …")
    std::function<nlohmann::json()> write;
    std::function<nlohmann::json()> schema;
    std::function<bool()> isSeldom{}; // none: always written. True: the value is the default, which is left out
};

class Fields {
public:
    virtual ~Fields() = default;

    // --- leaves ---
    void text(std::string_view name, std::string& value, std::string_view text);
    void flag(std::string_view name, bool& value, std::string_view text);
    void flagOr(std::string_view name, std::optional<bool>& value, const std::string& word, std::string_view text);
    void real(std::string_view name, double& value, double minimum, double maximum, std::string_view text);

    template <class T>
    void number(std::string_view name, T& value, Range range, std::string_view text)
    {
        static_assert(std::is_integral_v<T>);
        addNumber(name, access(value), clip<T>(range), {}, text);
    }
    // A whole number, or a word for no value.
    template <class T>
    void numberOr(std::string_view name, std::optional<T>& value, std::string_view word, Range range,
                  std::string_view text)
    {
        addNumber(name, access(value), clip<T>(range), std::string(word), text);
    }
    template <class T> // an integer of any width, or Time
    void quantity(std::string_view name, Quantity kind, T& value, Range range, std::string_view text)
    {
        addQuantity(name, kind, access(value), clip<T>(range), {}, text);
    }
    template <class T>
    void quantityOr(std::string_view name, Quantity kind, std::optional<T>& value, std::string_view word, Range range,
                    std::string_view text)
    {
        addQuantity(name, kind, access(value), clip<T>(range), std::string(word), text);
    }
    template <class E>
    void choice(std::string_view name, E& value, std::string_view text)
    {
        std::vector<std::string> names;
        for (const auto& row : enumTable(E{}))
            names.emplace_back(row.name);
        addChoice(
            name, std::move(names), enumChoices<E>(), [&value] { return std::string(enumName(value)); },
            [&value](const std::string& word) { value = *enumValue<E>(word); }, text);
    }
    // One of these values of the table.
    template <class E>
    void choiceAmong(std::string_view name, E& value, std::initializer_list<E> allowed, std::string_view text)
    {
        std::vector<std::string> names;
        for (const E one : allowed)
            names.emplace_back(enumName(one));
        addChoice(
            name, names, quoted(names), [&value] { return std::string(enumName(value)); },
            [&value](const std::string& word) { value = *enumValue<E>(word); }, text);
    }
    // One of the table, or a word for no value.
    template <class E>
    void choiceOr(std::string_view name, std::optional<E>& value, const std::string& word, std::string_view text)
    {
        std::vector<std::string> names;
        for (const auto& row : enumTable(E{}))
            names.emplace_back(row.name);
        names.push_back(word);
        addChoice(
            name, names, quoted(names), [&value, word] { return value ? std::string(enumName(*value)) : word; },
            [&value](const std::string& said) { value = enumValue<E>(said); }, text);
    }
    // Anything else.
    void custom(const FieldInfo& info, const Codec& codec) { leaf(info, codec); }

    // --- structure ---
    using Describe = std::function<void(Fields&)>;
    virtual void object(std::string_view name, std::string_view text, const Describe& describe) = 0;
    // A list of objects: `resize` allocates them, `item` describes number i; `item` also gives a sample (number 0 of a
    // list of one) by the walkers that only document.
    struct List {
        std::function<std::size_t()> size;
        std::function<void(std::size_t)> resize;
        std::function<void(Fields&, std::size_t)> item;
    };
    virtual void list(std::string_view name, std::string_view text, const List& list) = 0;
    template <class T, class D>
    void listOf(std::string_view name, std::vector<T>& items, std::string_view text, D describeItem)
    {
        list(name, text,
             {[&items] { return items.size(); }, [&items](std::size_t size) { items.resize(size); },
              [&items, describeItem](Fields& f, std::size_t i) { describeItem(f, items[i]); }});
    }
    // The next parameter has no default: the scenario must give it.
    Fields& required()
    {
        required_ = true;
        return *this;
    }
    // The next list or section is not written while it is empty, nor the next flag while it is false, nor the next
    // number while there is none: most scenarios do without it.
    Fields& seldom()
    {
        seldom_ = true;
        return *this;
    }
    // The next parameter (or section) has an effect only if `holds`, which the keys `choices` decide: "mode", or
    // "../kind" of the section above. They are described before. Without effect it keeps its default, and its name,
    // type and range are checked all the same. That it was written is a mistake if it was written together with the
    // choices or after them; inherited from a file or an option before them, it is not. The texts complete "applies
    // only to <where>, but <instead>".
    Fields& onlyIf(bool holds, std::string where, std::string instead, std::vector<std::string> choices)
    {
        condition_ = {holds, std::move(where), std::move(instead), std::move(choices)};
        return *this;
    }
    // The next section has the parameters of one alternative, and an effect only if that is chosen. It may be written
    // in any case: so one value changes the alternative. If it is not chosen, its parameters keep their defaults, and
    // are checked all the same.
    Fields& ifChosen(bool isChosen, std::string where)
    {
        condition_ = {isChosen, std::move(where), {}, {}};
        return *this;
    }

protected:
    struct Condition {
        bool holds = true;
        std::string where;                // empty: there is no condition
        std::string instead;              // empty: it may be written without effect
        std::vector<std::string> choices; // keys that decide whether it holds
    };
    virtual void leaf(const FieldInfo& info, const Codec& codec) = 0;
    bool takeRequired() { return std::exchange(required_, false); }
    bool takeSeldom() { return std::exchange(seldom_, false); }
    Condition takeCondition() { return std::exchange(condition_, {}); }

private:
    struct IntegerAccess { // a value of any integer type, possibly absent
        std::function<std::optional<std::int64_t>()> get;
        std::function<void(std::optional<std::int64_t>)> set;
    };
    template <class T>
    static std::int64_t toInteger(T value)
    {
        if constexpr (std::is_same_v<T, Time>)
            return value.count();
        else
            return static_cast<std::int64_t>(value);
    }
    template <class T>
    static T fromInteger(std::int64_t value)
    {
        return T(value); // NOLINT: integers and Time alike; the range has been checked
    }
    template <class T>
    static IntegerAccess access(T& value)
    {
        return {[&value] { return std::optional<std::int64_t>(toInteger(value)); },
                [&value](std::optional<std::int64_t> v) { value = fromInteger<T>(*v); }};
    }
    template <class T>
    static IntegerAccess access(std::optional<T>& value)
    {
        return {[&value] { return value ? std::optional<std::int64_t>(toInteger(*value)) : std::nullopt; },
                [&value](std::optional<std::int64_t> v) {
                    value = v ? std::optional<T>(fromInteger<T>(*v)) : std::nullopt;
                }};
    }
    template <class T>
    static Range clip(Range range)
    {
        if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(std::int64_t)) {
            const auto widest = static_cast<std::int64_t>(std::numeric_limits<T>::max());
            range.maximum = range.maximum < widest ? range.maximum : widest;
        }
        return range;
    }

    static std::string quoted(const std::vector<std::string>& words); // "a", "b" or "c"
    void addNumber(std::string_view name, const IntegerAccess& value, Range range, const std::string& word,
                   std::string_view text);
    void addQuantity(std::string_view name, Quantity kind, const IntegerAccess& value, Range range,
                     const std::string& word, std::string_view text);
    void addChoice(std::string_view name, std::vector<std::string> names, const std::string& choices,
                   const std::function<std::string()>& get, const std::function<void(const std::string&)>& set,
                   std::string_view text);

    bool required_ = false;
    bool seldom_ = false;
    Condition condition_;
};

} // namespace strobe::platform
