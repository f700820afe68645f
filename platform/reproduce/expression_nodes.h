#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What an expression consists of, and how each part is evaluated. The syntax is in expression_parser.h.

#include "platform/reproduce/expression_functions.h"
#include "platform/reproduce/expression_scope.h"

#include <memory>
#include <string>
#include <vector>

namespace strobe::platform {

class ExpressionNode {
public:
    ExpressionNode() = default;
    ExpressionNode(const ExpressionNode&) = delete;
    ExpressionNode& operator=(const ExpressionNode&) = delete;
    virtual ~ExpressionNode() = default;
    virtual Value evaluate(const Scope& scope) const = 0;
};
using NodePointer = std::shared_ptr<const ExpressionNode>;

// [workload|setting], with a quantity or a figure and a quantity if there are more parts.
struct PointPattern {
    std::vector<std::string> parts; // two to four

    PointName nameIn(const Scope& scope) const;
};

struct Operand {
    char sign; // + - * /
    NodePointer node;
};

struct Generator {
    std::vector<std::string> names;
    std::string list;     // empty: of points
    PointPattern pattern; // of a list: no parts
};

struct Filter {
    NodePointer left;
    std::string comparison; // < <= > >=
    NodePointer right;

    bool holds(const Scope& scope) const;
};

NodePointer makeNumber(double value);
NodePointer makeName(std::string name);
NodePointer makePoint(PointPattern pattern);
NodePointer makeOfBar(PointPattern pattern);
// From left to right, without precedence.
NodePointer makeChain(NodePointer first, std::vector<Operand> others);
NodePointer makeCall(const ExpressionFunction& function, std::vector<NodePointer> arguments);
NodePointer makeLoop(std::vector<Generator> generators, std::vector<Filter> filters, NodePointer body);

} // namespace strobe::platform
