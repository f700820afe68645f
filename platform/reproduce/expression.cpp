// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace strobe::platform {

class Expression::Node {
public:
    virtual ~Node() = default;
    virtual Value evaluate(const Scope& scope) const = 0;
};

namespace {

using NodePointer = std::shared_ptr<const Expression::Node>;

double numberOf(const Value& value)
{
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    throw ConfigError(std::holds_alternative<Series>(value) ? "a series where a number is needed"
                                                            : "a text where a number is needed");
}

// Bound names in {}.
std::string substituted(const std::string& text, const Scope& scope)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            out += text[i];
            continue;
        }
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos)
            throw ConfigError(fmt::format("\"{}\": a {{ without its }}", text));
        const std::string name = text.substr(i + 1, end - i - 1);
        if (const auto bound = scope.bound.find(name); bound != scope.bound.end()) {
            out += bound->second;
        } else {
            const Value value = scope.value(name);
            const auto* word = std::get_if<std::string>(&value);
            out += word != nullptr ? *word : fmt::format("{:g}", numberOf(value));
        }
        i = end;
    }
    return out;
}

class Number final : public Expression::Node {
public:
    explicit Number(double value) : value_(value) {}
    Value evaluate(const Scope&) const override { return value_; }

private:
    double value_;
};

class Name final : public Expression::Node {
public:
    explicit Name(std::string name) : name_(std::move(name)) {}
    Value evaluate(const Scope& scope) const override
    {
        const auto bound = scope.bound.find(name_);
        return bound != scope.bound.end() ? Value(bound->second) : scope.value(name_);
    }

private:
    std::string name_;
};

class PointNode final : public Expression::Node {
public:
    explicit PointNode(std::vector<std::string> parts) : parts_(std::move(parts)) {}
    Value evaluate(const Scope& scope) const override { return scope.points.at(nameIn(scope)); }
    PointName nameIn(const Scope& scope) const
    {
        std::vector<std::string> parts;
        for (const std::string& part : parts_)
            parts.push_back(substituted(part, scope));
        if (parts.size() == 2)
            parts.push_back(scope.quantity);
        if (parts.size() == 3)
            parts.insert(parts.begin(), scope.figure);
        return {parts[0], parts[1], parts[2], parts[3]};
    }

private:
    std::vector<std::string> parts_;
};

class Arithmetic final : public Expression::Node {
public:
    Arithmetic(char sign, NodePointer left, NodePointer right)
        : sign_(sign), left_(std::move(left)), right_(std::move(right))
    {
    }
    Value evaluate(const Scope& scope) const override
    {
        const double left = numberOf(left_->evaluate(scope));
        const double right = numberOf(right_->evaluate(scope));
        switch (sign_) {
        case '+': return left + right;
        case '-': return left - right;
        case '*': return left * right;
        default: return left / right;
        }
    }

private:
    char sign_;
    NodePointer left_;
    NodePointer right_;
};

struct Generator {
    std::vector<std::string> names;
    std::string list;                         // empty: of points
    std::shared_ptr<const PointNode> pattern; // null: of a list
};

struct Filter {
    NodePointer left;
    std::string comparison;
    NodePointer right;

    bool holds(const Scope& scope) const
    {
        const double a = numberOf(left->evaluate(scope));
        const double b = numberOf(right->evaluate(scope));
        if (comparison == "<")
            return a < b;
        if (comparison == "<=")
            return a <= b;
        return comparison == ">" ? a > b : a >= b;
    }
};

class Loop final : public Expression::Node {
public:
    Loop(std::vector<Generator> generators, std::vector<Filter> filters, NodePointer body)
        : generators_(std::move(generators)), filters_(std::move(filters)), body_(std::move(body))
    {
    }
    Value evaluate(const Scope& scope) const override
    {
        Series series;
        Scope inner = scope;
        run(inner, 0, "", series);
        return series;
    }

private:
    void run(Scope& scope, std::size_t depth, const std::string& name, Series& series) const
    {
        if (depth == generators_.size()) {
            // Both sides are evaluated in a check, so that their mistakes show.
            const bool isChosen = std::all_of(filters_.begin(), filters_.end(),
                                              [&](const Filter& f) { return f.holds(scope) || scope.isCheck; });
            if (isChosen)
                series.push_back({name, numberOf(body_->evaluate(scope))});
            return;
        }
        const Generator& generator = generators_[depth];
        for (const std::vector<std::string>& texts : textsOf(generator, scope)) {
            std::string longer = name;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                scope.bound[generator.names[i]] = texts[i];
                longer += (longer.empty() ? "" : " ") + texts[i];
            }
            run(scope, depth + 1, longer, series);
        }
    }
    static std::vector<std::vector<std::string>> textsOf(const Generator& generator, const Scope& scope)
    {
        const std::size_t width = generator.names.size();
        if (generator.pattern) {
            const PointName pattern = generator.pattern->nameIn(scope);
            auto all = scope.points.matches(pattern);
            if (all.empty() && scope.isCheck)
                throw ConfigError(fmt::format("no point fits [{}|{}|{}|{}]", pattern.figure, pattern.workload,
                                              pattern.setting, pattern.quantity));
            if (!all.empty() && all.front().size() != width)
                throw ConfigError(fmt::format("{} names for {} stars", width, all.front().size()));
            return all;
        }
        const auto list = scope.lists.find(generator.list);
        if (list == scope.lists.end())
            throw ConfigError(
                fmt::format("there is no list \"{}\"; there are {}", generator.list, namesOf(scope.lists)));
        std::vector<std::vector<std::string>> all;
        for (auto first = list->second.begin(); list->second.end() - first >= static_cast<std::ptrdiff_t>(width);
             ++first)
            all.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
        return all;
    }
    static std::string namesOf(const Lists& lists)
    {
        std::string names;
        for (const auto& [name, texts] : lists)
            names += (names.empty() ? "" : ", ") + name;
        return names;
    }

    std::vector<Generator> generators_;
    std::vector<Filter> filters_;
    NodePointer body_;
};

Series joined(const std::vector<Value>& values)
{
    Series all;
    for (const Value& value : values) {
        if (const auto* series = std::get_if<Series>(&value))
            all.insert(all.end(), series->begin(), series->end());
        else
            all.push_back({"", numberOf(value)});
    }
    return all;
}

bool isSmaller(const NamedNumber& a, const NamedNumber& b)
{
    return a.value < b.value;
}

double sumOf(const Series& series)
{
    double sum = 0;
    for (const NamedNumber& one : series)
        sum += one.value;
    return sum;
}

// An empty set of numbers has neither a minimum nor a mean: such a statement is not judged.
const Series& notEmpty(const Series& series)
{
    if (series.empty())
        throw NotMeasured();
    return series;
}

struct Function {
    const char* name;
    std::size_t arguments; // 0: any number
    Value (*of)(const std::vector<Value>& arguments);
};
constexpr std::array<Function, 8> functions{{
    {"abs", 1, [](const std::vector<Value>& a) -> Value { return std::abs(numberOf(a[0])); }},
    {"change", 2, [](const std::vector<Value>& a) -> Value { return (numberOf(a[1]) / numberOf(a[0]) - 1) * 100; }},
    {"min", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::min_element(notEmpty(all).begin(), all.end(), isSmaller)->value;
     }},
    {"max", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::max_element(notEmpty(all).begin(), all.end(), isSmaller)->value;
     }},
    {"mean", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return sumOf(notEmpty(all)) / static_cast<double>(all.size());
     }},
    {"sum", 0, [](const std::vector<Value>& a) -> Value { return sumOf(joined(a)); }},
    {"each", 0, [](const std::vector<Value>& a) -> Value { return joined(a); }},
    {"best", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::max_element(notEmpty(all).begin(), all.end(), isSmaller)->name;
     }},
}};

class Call final : public Expression::Node {
public:
    Call(const Function& function, std::vector<NodePointer> arguments)
        : function_(function), arguments_(std::move(arguments))
    {
    }
    Value evaluate(const Scope& scope) const override
    {
        std::vector<Value> values;
        for (const NodePointer& argument : arguments_)
            values.push_back(argument->evaluate(scope));
        return function_.of(values);
    }

private:
    const Function& function_;
    std::vector<NodePointer> arguments_;
};

class Parser {
public:
    explicit Parser(const std::string& text) : text_(text) {}

    NodePointer whole()
    {
        NodePointer node = sum();
        skip();
        if (at_ != text_.size())
            fail("the end, or one of + - * /");
        return node;
    }

private:
    [[noreturn]] void fail(const std::string& expected) const
    {
        throw ConfigError(fmt::format("\"{}\": at character {}: expected {}", text_, at_ + 1, expected));
    }
    void skip()
    {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    char peek()
    {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(const std::string& what)
    {
        skip();
        if (text_.compare(at_, what.size(), what) != 0)
            return false;
        at_ += what.size();
        return true;
    }
    void need(const std::string& what)
    {
        if (!take(what))
            fail("\"" + what + "\"");
    }
    static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
    // Empty: no name follows.
    std::string word()
    {
        skip();
        std::size_t end = at_;
        while (end < text_.size() && isWord(text_[end]))
            ++end;
        std::string name = text_.substr(at_, end - at_);
        at_ = end;
        return name;
    }
    bool takeWord(const std::string& wanted)
    {
        const std::size_t before = at_;
        if (word() == wanted)
            return true;
        at_ = before;
        return false;
    }

    NodePointer sum()
    {
        NodePointer left = product();
        for (char sign = peek(); sign == '+' || sign == '-'; sign = peek()) {
            ++at_;
            left = std::make_shared<Arithmetic>(sign, left, product());
        }
        return left;
    }
    NodePointer product()
    {
        NodePointer left = factor();
        for (char sign = peek(); sign == '*' || sign == '/'; sign = peek()) {
            ++at_;
            left = std::make_shared<Arithmetic>(sign, left, factor());
        }
        return left;
    }
    NodePointer factor()
    {
        const char next = peek();
        if (take("-"))
            return std::make_shared<Arithmetic>('-', std::make_shared<Number>(0), factor());
        if (take("(")) {
            NodePointer inner = sum();
            need(")");
            return inner;
        }
        if (next == '[')
            return point();
        if (std::isdigit(static_cast<unsigned char>(next)) != 0) {
            char* end = nullptr;
            const double value = std::strtod(text_.c_str() + at_, &end);
            at_ = static_cast<std::size_t>(end - text_.c_str());
            return std::make_shared<Number>(value);
        }
        const std::string name = word();
        if (name.empty())
            fail("a number, a name, a point in [] or a parenthesis");
        return take("(") ? call(name) : std::make_shared<Name>(name);
    }
    std::shared_ptr<const PointNode> point()
    {
        need("[");
        const std::size_t end = text_.find(']', at_);
        if (end == std::string::npos)
            fail("\"]\" after the point");
        std::vector<std::string> parts{""};
        for (; at_ < end; ++at_) {
            if (text_[at_] == '|')
                parts.emplace_back();
            else
                parts.back() += text_[at_];
        }
        ++at_;
        if (parts.size() < 2 || parts.size() > 4)
            fail("before this a point of two to four parts: [workload|setting], [workload|setting|quantity] or "
                 "[figure|workload|setting|quantity]");
        return std::make_shared<PointNode>(std::move(parts));
    }

    NodePointer call(const std::string& name)
    {
        const auto* function =
            std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
        if (function == functions.end()) {
            std::string all;
            for (const Function& f : functions)
                all += (all.empty() ? "" : ", ") + std::string(f.name);
            throw ConfigError(fmt::format("\"{}\": there is no function \"{}\"; there are {}", text_, name, all));
        }
        std::vector<NodePointer> arguments;
        do
            arguments.push_back(isLoop() ? loop() : sum());
        while (take(","));
        need(")");
        if (function->arguments != 0 && arguments.size() != function->arguments)
            throw ConfigError(fmt::format("\"{}\": {} takes {} argument{}, not {}", text_, name, function->arguments,
                                          function->arguments == 1 ? "" : "s", arguments.size()));
        return std::make_shared<Call>(*function, std::move(arguments));
    }

    // A name, then "in", "to" or "|".
    bool isLoop()
    {
        const std::size_t before = at_;
        const bool is = !word().empty() && (peek() == '|' || takeWord("in") || takeWord("to"));
        at_ = before;
        return is;
    }
    NodePointer loop()
    {
        std::vector<Generator> generators;
        do
            generators.push_back(generator());
        while (take(","));
        std::vector<Filter> filters;
        if (takeWord("if")) {
            do {
                NodePointer left = sum();
                std::string sign = comparison();
                filters.push_back({std::move(left), std::move(sign), sum()});
            } while (take(","));
        }
        need(":");
        return std::make_shared<Loop>(std::move(generators), std::move(filters), sum());
    }
    std::string comparison()
    {
        for (const char* one : {"<=", ">=", "<", ">"}) {
            if (take(one))
                return one;
        }
        fail("one of < <= > >=");
    }
    Generator generator()
    {
        Generator generator;
        do
            generator.names.push_back(word());
        while (take("|") || takeWord("to"));
        if (!takeWord("in"))
            fail("\"in\"");
        if (peek() == '[')
            generator.pattern = point();
        else
            generator.list = word();
        return generator;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

std::string formatted(const Value& value, const std::string& format)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const std::size_t end = format.find_first_of("fg");
    const std::string number =
        format.empty() || end == std::string::npos ? "{:g}" : "{:" + format.substr(0, end + 1) + "}";
    const std::string suffix = end == std::string::npos ? "" : format.substr(end + 1);
    const auto text = [&](double one) {
        try {
            return fmt::format(fmt::runtime(number), one) + suffix;
        } catch (const fmt::format_error&) {
            throw ConfigError(fmt::format("\"{}\" is not a number format; an example is .1f", format));
        }
    };
    if (const auto* one = std::get_if<double>(&value))
        return text(*one);
    std::string all;
    for (const NamedNumber& one : std::get<Series>(value))
        all += (all.empty() ? "" : ", ") + one.name + " " + text(one.value);
    return all;
}

} // namespace

Expression::Expression(const std::string& text) : root_(Parser(text).whole()) {}

Value Expression::evaluate(const Scope& scope) const
{
    return root_->evaluate(scope);
}

double Expression::number(const Scope& scope) const
{
    return numberOf(root_->evaluate(scope));
}

std::string filled(const std::string& text, const Scope& scope)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            out += text[i];
            continue;
        }
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos)
            throw ConfigError(fmt::format("\"{}\": a {{ without its }}", text));
        const std::string inside = text.substr(i + 1, end - i - 1);
        const std::size_t colon = inside.find(':');
        out +=
            formatted(scope.value(inside.substr(0, colon)), colon == std::string::npos ? "" : inside.substr(colon + 1));
        i = end;
    }
    return out;
}

} // namespace strobe::platform
