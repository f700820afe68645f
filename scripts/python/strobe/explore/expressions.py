# SPDX-License-Identifier: Apache-2.0
"""Expressions of a study: arithmetic and comparisons over parameters, named values and the report. simpleeval evaluates them: no
attributes, no assignments, no functions but those below."""
from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simpleeval import DEFAULT_NAMES, InvalidExpression, SimpleEval

from strobe.explore.quantity import CONSTANTS

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "ceil": math.ceil, "exp": math.exp, "floor": math.floor, "log": math.log, "log2": math.log2, "max": max, "min": min,
    "round": round, "sqrt": math.sqrt}
ALLOWED = (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Tuple,
           ast.List, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
REPORT, CONFIG = "report", "config"  # report("totals.all.iops"), config("nand.ways")


class ExpressionError(ValueError):
    """What is wrong with an expression, without its place."""


@dataclass(frozen=True)
class Expression:
    text: str
    names: frozenset[str]  # parameters and named values
    paths: frozenset[str]  # of the report

    @classmethod
    def parse(cls, text: str, known: Mapping[str, Any] | set[str]) -> Expression:
        """known: names of parameters and values."""
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError as problem:
            raise ExpressionError(f"not an expression: {problem.msg} at \"{text[(problem.offset or 1) - 1:]}\"") from None
        for node in ast.walk(tree):
            if not isinstance(node, ALLOWED):
                raise ExpressionError(f"not allowed in an expression: \"{ast.unparse(node)}\"; allowed are numbers, texts, names, "
                                      "operators, comparisons, \"a if b else c\" and functions")
        names: set[str] = set()
        paths: set[str] = set()
        called: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called.add(id(node.func))
                paths |= _call_paths(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and id(node) not in called and node.id not in CONSTANTS and node.id not in DEFAULT_NAMES:
                if node.id not in known:
                    raise ExpressionError(unknown(f"there is no parameter or value \"{node.id}\"", node.id, list(known)))
                names.add(node.id)
        return cls(text, frozenset(names), frozenset(paths))

    def value(self, names: Mapping[str, Any], paths: Mapping[str, Any] | None = None) -> Any:
        """paths: values of the report."""
        lookup = (paths or {}).__getitem__
        evaluator = SimpleEval(names={**DEFAULT_NAMES, **CONSTANTS, **names}, functions={
            **FUNCTIONS, REPORT: lambda path: lookup(path), CONFIG: lambda key: lookup(config_path(key))})
        try:
            return evaluator.eval(self.text)
        except (InvalidExpression, ArithmeticError, TypeError, ValueError, KeyError) as problem:
            raise ExpressionError(f"\"{self.text}\" has no value: {problem}") from None

    def violation(self, names: Mapping[str, Any], paths: Mapping[str, Any] | None = None) -> float:
        """Of a constraint: at most 0 if it holds; otherwise by how much it does not, relative to the greater side."""
        tree = ast.parse(self.text, mode="eval").body
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.LtE | ast.Lt | ast.GtE | ast.Gt):
            sides = [Expression(ast.unparse(side), self.names, self.paths).value(names, paths) for side in (tree.left, tree.comparators[0])]
            if all(isinstance(side, int | float) for side in sides):
                left, right = sides if isinstance(tree.ops[0], ast.LtE | ast.Lt) else sides[::-1]
                holds = left < right if isinstance(tree.ops[0], ast.Lt | ast.Gt) else left <= right
                return 0.0 if holds else max((left - right) / (max(abs(left), abs(right)) or 1.0), 1e-9)
        return 0.0 if self.value(names, paths) else 1.0


def config_path(key: str) -> str:
    return f"config.{key}"


def _call_paths(node: ast.Call) -> set[str]:
    name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
    if name not in FUNCTIONS and name not in (REPORT, CONFIG):
        raise ExpressionError(unknown(f"there is no function \"{name}\"", name, [*FUNCTIONS, REPORT, CONFIG]))
    if name in FUNCTIONS:
        return set()
    if len(node.args) != 1 or not isinstance(node.args[0], ast.Constant) or not isinstance(node.args[0].value, str):
        raise ExpressionError(f"{name} takes one text, like {name}(\"totals.all.iops\")")
    return {node.args[0].value if name == REPORT else config_path(node.args[0].value)}


def unknown(problem: str, name: str, allowed: list[str]) -> str:
    """The problem with a suggestion, or with everything that is allowed."""
    close = difflib.get_close_matches(name, allowed, 1, 0.6)
    return f"{problem}; did you mean \"{close[0]}\"?" if close else f"{problem}; there are {', '.join(allowed) or 'none'}"
