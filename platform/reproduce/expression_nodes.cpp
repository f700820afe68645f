// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression_nodes.h"

#include "models/base/config_error.h"
#include "platform/reproduce/filled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strobe::platform {

namespace {

class Number final : public ExpressionNode {
public:
    explicit Number(double value) : value_(value) {}
    Value evaluate(const Scope&) const override { return value_; }

private:
    double value_;
};

class Name final : public ExpressionNode {
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

class Point final : public ExpressionNode {
public:
    explicit Point(PointPattern pattern) : pattern_(std::move(pattern)) {}
    Value evaluate(const Scope& scope) const override { return scope.points.at(pattern_.nameIn(scope)); }

private:
    PointPattern pattern_;
};

class OfBar final : public ExpressionNode {
public:
    explicit OfBar(PointPattern pattern) : pattern_(std::move(pattern)) {}
    Value evaluate(const Scope& scope) const override { return scope.points.ofBar(pattern_.nameIn(scope)); }

private:
    PointPattern pattern_;
};

class Chain final : public ExpressionNode {
public:
    Chain(NodePointer first, std::vector<Operand> others) : first_(std::move(first)), others_(std::move(others)) {}
    Value evaluate(const Scope& scope) const override
    {
        double result = numberOf(first_->evaluate(scope));
        for (const Operand& other : others_)
            result = combined(result, other.sign, numberOf(other.node->evaluate(scope)));
        return result;
    }

private:
    static double combined(double left, char sign, double right)
    {
        switch (sign) {
        case '+': return left + right;
        case '-': return left - right;
        case '*': return left * right;
        default: return left / right;
        }
    }

    NodePointer first_;
    std::vector<Operand> others_;
};

class Call final : public ExpressionNode {
public:
    Call(const ExpressionFunction& function, std::vector<NodePointer> arguments)
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
    const ExpressionFunction& function_;
    std::vector<NodePointer> arguments_;
};

class Loop final : public ExpressionNode {
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
        if (generator.list.empty()) {
            const PointName pattern = generator.pattern.nameIn(scope);
            auto all = scope.points.matches(pattern);
            if (all.empty() && scope.isCheck)
                throw ConfigError(fmt::format("no point fits [{}|{}|{}|{}]", pattern.figure, pattern.workload,
                                              pattern.setting, pattern.quantity));
            if (!all.empty() && all.front().size() != width)
                throw ConfigError(
                    fmt::format("the list has {} names, but the pattern has {} \"*\"", width, all.front().size()));
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

} // namespace

PointName PointPattern::nameIn(const Scope& scope) const
{
    std::vector<std::string> names;
    for (const std::string& part : parts) {
        names.push_back(withFields(part, [&](const std::string& name) {
            const auto bound = scope.bound.find(name);
            return bound != scope.bound.end() ? bound->second : written(scope.value(name));
        }));
    }
    if (names.size() == 2)
        names.push_back(scope.quantity);
    if (names.size() == 3)
        names.insert(names.begin(), scope.figure);
    return {names[0], names[1], names[2], names[3]};
}

bool Filter::holds(const Scope& scope) const
{
    const double a = numberOf(left->evaluate(scope));
    const double b = numberOf(right->evaluate(scope));
    if (comparison == "<")
        return a < b;
    if (comparison == "<=")
        return a <= b;
    return comparison == ">" ? a > b : a >= b;
}

NodePointer makeNumber(double value)
{
    return std::make_shared<Number>(value);
}

NodePointer makeName(std::string name)
{
    return std::make_shared<Name>(std::move(name));
}

NodePointer makePoint(PointPattern pattern)
{
    return std::make_shared<Point>(std::move(pattern));
}

NodePointer makeOfBar(PointPattern pattern)
{
    return std::make_shared<OfBar>(std::move(pattern));
}

NodePointer makeChain(NodePointer first, std::vector<Operand> others)
{
    return std::make_shared<Chain>(std::move(first), std::move(others));
}

NodePointer makeCall(const ExpressionFunction& function, std::vector<NodePointer> arguments)
{
    return std::make_shared<Call>(function, std::move(arguments));
}

NodePointer makeLoop(std::vector<Generator> generators, std::vector<Filter> filters, NodePointer body)
{
    return std::make_shared<Loop>(std::move(generators), std::move(filters), std::move(body));
}

} // namespace strobe::platform
