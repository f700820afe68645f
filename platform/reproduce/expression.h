#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of paper.json: the computations of a statement on the points of its study.
//
//   1.5, name, + - * / ( )      name: a limit or a value of the statement
//   [workload|setting]          a point in the statement's figure and quantity; [workload|setting|quantity] and
//                               [figure|workload|setting|quantity] name these, too; {name} in it is replaced
//   abs(x), change(from, to)    change: by how many per cent `to` is above `from`
//   ofBar([workload|setting])   absolute error of a point with a published value, as a share of the bar of its
//                               quantity (paper.h): at most 1 if it agrees
//   min max mean sum(...)       of numbers, of series, and of a loop
//   each(loop)                  the loop's numbers as a series, each with the texts that its names had
//   best(...)                   the name of the largest of a series or a loop
//   loop                        generators, then perhaps "if x < y, v >= w" (< <= > >=; all must hold), then
//                               ": expression"
//     name in list              each text of a list
//     a to b in list            neighbours in a list; "a to b to c" takes three
//     a|b in [pattern]          points that fit; the names get what each * covers, in order
//
// At most 100 levels of parentheses, functions and signs.
// Not part of the language: conditions as values (a statement's "holds" has them) and definitions of functions.
// Errors: ConfigError for a syntax error, an unknown name, list, function or point, or a wrong kind of value; the
// message has no place, the caller adds it.

#include "platform/reproduce/expression_scope.h"

#include <memory>
#include <string>

namespace strobe::platform {

class ExpressionNode;

class Expression {
public:
    explicit Expression(const std::string& text);
    Value evaluate(const Scope& scope) const;
    double number(const Scope& scope) const; // ConfigError if it is something else

private:
    std::shared_ptr<const ExpressionNode> root_;
};

} // namespace strobe::platform
