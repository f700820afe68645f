// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression_parser.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <utility>

namespace strobe::platform {

namespace {

constexpr unsigned deepest = 100; // levels; each is several calls deep, here and in the evaluation

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
    std::string name()
    {
        std::string found = word();
        if (found.empty())
            fail("a name");
        return found;
    }
    bool takeWord(const std::string& wanted)
    {
        const std::size_t before = at_;
        if (word() == wanted)
            return true;
        at_ = before;
        return false;
    }

    // One operand, or several with these signs between them.
    NodePointer chain(const std::string& signs, NodePointer (Parser::*operand)())
    {
        NodePointer first = (this->*operand)();
        std::vector<Operand> others;
        for (char sign = peek(); sign != '\0' && signs.find(sign) != std::string::npos; sign = peek()) {
            ++at_;
            others.push_back({sign, (this->*operand)()});
        }
        return others.empty() ? first : makeChain(std::move(first), std::move(others));
    }
    NodePointer sum() { return chain("+-", &Parser::product); }
    NodePointer product() { return chain("*/", &Parser::factor); }
    NodePointer factor()
    {
        if (++level_ > deepest)
            throw ConfigError(fmt::format("at character {}: more than {} levels of parentheses, functions and signs",
                                          at_ + 1, deepest));
        NodePointer node = factorAtLevel();
        --level_;
        return node;
    }
    NodePointer factorAtLevel()
    {
        const char next = peek();
        if (take("-"))
            return makeChain(makeNumber(0), {{'-', factor()}});
        if (take("(")) {
            NodePointer inner = sum();
            need(")");
            return inner;
        }
        if (next == '[')
            return makePoint(point());
        if (std::isdigit(static_cast<unsigned char>(next)) != 0) {
            char* end = nullptr;
            const double value = std::strtod(text_.c_str() + at_, &end);
            at_ = static_cast<std::size_t>(end - text_.c_str());
            return makeNumber(value);
        }
        const std::string name = word();
        if (name.empty())
            fail("a number, a name, a point in [] or a parenthesis");
        return take("(") ? call(name) : makeName(name);
    }
    PointPattern point()
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
        return {std::move(parts)};
    }

    // Of functions of values.
    const ExpressionFunction& functionOf(const std::string& name) const
    {
        try {
            return expressionFunction(name);
        } catch (const ConfigError& error) {
            throw ConfigError(fmt::format("\"{}\": {}", text_, error.what()));
        }
    }
    NodePointer call(const std::string& name)
    {
        if (name == "ofBar") { // of a point, not of its value
            PointPattern pattern = point();
            need(")");
            return makeOfBar(std::move(pattern));
        }
        const ExpressionFunction& function = functionOf(name);
        std::vector<NodePointer> arguments;
        do
            arguments.push_back(isLoop() ? loop() : sum());
        while (take(","));
        need(")");
        if (function.arguments != 0 && arguments.size() != function.arguments)
            throw ConfigError(fmt::format("\"{}\": {} takes {} argument{}, not {}", text_, name, function.arguments,
                                          function.arguments == 1 ? "" : "s", arguments.size()));
        return makeCall(function, std::move(arguments));
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
        return makeLoop(std::move(generators), std::move(filters), sum());
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
            generator.names.push_back(name());
        while (take("|") || takeWord("to"));
        if (!takeWord("in"))
            fail("\"in\"");
        if (peek() == '[')
            generator.pattern = point();
        else
            generator.list = name();
        return generator;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    unsigned level_ = 0;
};

} // namespace

NodePointer parseExpression(const std::string& text)
{
    return Parser(text).whole();
}

} // namespace strobe::platform
