#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of paper.json: the computations of a statement on the points of its study.
//
//   1.5, name, + - * / ( )      name: a limit or a value of the statement
//   [workload|setting]          a point in the statement's figure and quantity; [workload|setting|quantity] and
//                               [figure|workload|setting|quantity] name these, too; {name} in it is replaced
//   abs(x), change(from, to)    change: by how many per cent `to` is above `from`
//   min max mean sum(...)       of numbers, of series, and of a loop
//   each(loop)                  the loop's numbers as a series, each with the texts that its names had
//   best(...)                   the name of the largest of a series or a loop
//   loop                        generators, then perhaps "if x < y, v >= w" (< <= > >=; all must hold), then
//                               ": expression"
//     name in list              each text of a list
//     a to b in list            neighbours in a list; "a to b to c" takes three
//     a|b in [pattern]          points that fit; the names get what each * covers, in order
//
// Not part of the language: conditions as values (a statement's "holds" has them) and definitions of functions.
// Errors: ConfigError for a syntax error, an unknown name, list, function or point, or a wrong kind of value; the
// message has no place, the caller adds it.

#include "platform/reproduce/points.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace strobe::platform {

struct NamedNumber {
    std::string name;
    double value;
};
using Series = std::vector<NamedNumber>;
using Value = std::variant<double, std::string, Series>;

using Lists = std::map<std::string, std::vector<std::string>>;

struct Scope {
    const Points& points;
    const Lists& lists;
    std::string figure;                             // of a point that does not name one
    std::string quantity;                           // the same
    std::function<Value(const std::string&)> value; // of a name; throws ConfigError if there is none
    bool isCheck = false;                           // every branch is tried: an "if" chooses all
    std::map<std::string, std::string> bound{};     // by loops
};

class Expression {
public:
    class Node;

    explicit Expression(const std::string& text);
    Value evaluate(const Scope& scope) const;
    double number(const Scope& scope) const; // ConfigError if it is something else

private:
    std::shared_ptr<const Node> root_;
};

// `text` with {name} replaced by its value: numbers as {name:.1f} says; of a series, each as "name number". What
// follows the f or g of the format is written after each number: {gains:.1f %}.
std::string filled(const std::string& text, const Scope& scope);

} // namespace strobe::platform
