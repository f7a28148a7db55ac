"""The mutants of a module: one small change of its syntax tree each, where a bug could have been.

Not changed are prose, logging, annotations, defaults, and plain numbers that a module keeps for itself (sizes, pauses).
A mutant is known by its function and its words, not by its line, so that it is the same one after an unrelated change.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Mutant(NamedTuple):
    name: str
    """Its function, and what was there → what is there instead."""
    function: str
    """The outermost function it stands in; empty for a table of the module."""
    lines: range
    """Of the statement: a test that runs none of them cannot see it."""
    edit: Callable[[], None]
    """Makes the change in the tree, for good."""


ORDER: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|WHERE)\b")
_TERM = r"[\w.]+ (?:=|<=?|>=?|!=) [\w.?%]+"
IN_SQL = (
    (rf" AND {_TERM}", ""),
    (rf"(?<=WHERE ){_TERM} AND ", ""),
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" ORDER BY [\w., ]+", ""),
    (r" DESC\b", ""),
    (r" FOR UPDATE( OF \w+)?", ""),
    (r" OR (IGNORE|REPLACE)", ""),
    (r"\bmax\(", "min("),
    (r"\bmin\(", "max("),
)
_SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "args", "type_params"}
"""Of functions and assignments; a lambda is looked into."""


def mutants_of(tree: ast.Module) -> list[Mutant]:
    """Every mutant, in the order of the lines."""
    found, names = [], Counter[str]()
    for function, statement, what, edit in _in_module(tree):
        name = f"{function or 'module'}: {what}"
        names[name] += 1
        if names[name] > 1:
            name = f"{name} #{names[name]}"
        lines = range(statement.lineno, _head_end(statement) + 1)
        found.append(Mutant(name, function, lines, edit))
    return found


Found = tuple[str, ast.stmt, str, Callable[[], None]]


def _in_module(tree: ast.Module) -> Iterator[Found]:
    for statement in tree.body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _within(statement, statement, statement.name)
            case ast.ClassDef():
                for part in statement.body:
                    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                        yield from _within(part, part, f"{statement.name}.{part.name}")
            case ast.Assign(value=ast.expr() as value) | ast.AnnAssign(value=ast.expr() as value):
                if isinstance(value, ast.Dict | ast.Set | ast.Tuple | ast.Call | ast.BinOp) and _is_table(statement):
                    yield from _within(statement, statement, "")
            case _:
                pass


def _is_table(statement: ast.Assign | ast.AnnAssign) -> bool:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return isinstance(target, ast.Name) and target.id.isupper()


def _head_end(statement: ast.stmt) -> int:
    """Where a statement ends; if it has a body, where that begins."""
    match statement:
        case ast.Match(cases=[first, *_]):
            return first.pattern.lineno
        case ast.If() | ast.While() | ast.For() | ast.With() | ast.Try() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return statement.body[0].lineno
        case _:
            return statement.end_lineno or statement.lineno


def _within(node: ast.AST, statement: ast.stmt, function: str) -> Iterator[Found]:
    """What can be changed below a node: a child is replaced, in a field of it or in a list there."""
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED_FIELDS and isinstance(node, ast.stmt | ast.arg):
            continue
        children: list[Any] = value if isinstance(value, list) else [value]
        for number, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            place = child if isinstance(child, ast.stmt) else statement
            for other in _alternatives(child, in_table=not function):
                put = _putter(node, field, number if isinstance(value, list) else None, other)
                yield function, place, f"{_short_source(child)} → {_short_source(other)}", put
            yield from _within(child, place, function)


def _putter(node: ast.AST, field: str, number: int | None, other: ast.AST) -> Callable[[], None]:
    def put() -> None:
        if number is None:
            setattr(node, field, other)
        else:
            getattr(node, field)[number] = other

    return put


def _short_source(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        node = node.test
    if isinstance(node, ast.ExceptHandler):
        return f"except {ast.unparse(node.type) if node.type else ''}"
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 120 else f"{text[:80]} … {text[-36:]}"


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr():  # prose, unless it is SQL
            return not any(isinstance(part, ast.Constant) and SQL.search(str(part.value)) for part in node.values)
        case ast.Expr(value=ast.Constant()):  # a docstring
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            return True
        case ast.Call(func=ast.Name(id="assert_never")) | ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case _:
            return False


def _alternatives(node: ast.AST, *, in_table: bool) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for number, op in enumerate(node.ops):
                for other in ORDER[type(op)]:
                    ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                    yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp(op=op, values=values):
            for left in _without_one(values):
                yield left[0] if len(left) == 1 else ast.BoolOp(op, left)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(op=ast.BitOr(), left=one, right=two):
            yield from (one, two)
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield ast.BinOp(node.left, ARITHMETIC[type(op)](), node.right)
        case ast.Constant(value=value):
            yield from map(ast.Constant, _other_values(value))
        case ast.Name(id=name) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.IfExp(test=test) if _is_plain(test):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), node.body, node.orelse)
        case ast.comprehension(ifs=[_, *_]):
            for left in _without_one(node.ifs):
                yield ast.comprehension(node.target, node.iter, left, node.is_async)
        case ast.MatchOr(patterns=patterns):
            for rest in _without_one(patterns):
                yield rest[0] if len(rest) == 1 else ast.MatchOr(rest)
        case ast.ExceptHandler(type=ast.Tuple(elts=elements)):
            for left in _without_one(elements):
                yield ast.ExceptHandler(ast.Tuple(left, ast.Load()), node.name, node.body)
        case ast.Set(elts=elements) | ast.Tuple(elts=elements, ctx=ast.Load()) if len(elements) > 1 and (
            in_table or all(isinstance(one, ast.Constant) for one in elements)
        ):
            for left in _without_one(elements):
                yield ast.Set(left) if isinstance(node, ast.Set) else ast.Tuple(left, ast.Load())
        case ast.stmt():
            yield from _other_statements(node)
        case _:
            pass


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.If(test=test) | ast.While(test=test) if _is_plain(test):
            negated = ast.UnaryOp(ast.Not(), test)
            yield (
                ast.If(negated, node.body, node.orelse)
                if isinstance(node, ast.If)
                else ast.While(negated, node.body, node.orelse)
            )
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Continue():
            yield ast.Pass()
        case ast.Break() | ast.Return(value=None) | ast.Assert():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case _:
            pass


def _is_plain(test: ast.expr) -> bool:
    """Not a comparison or a combination, which are changed by themselves."""
    return not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant)


def _without_one(values: list[Any]) -> Iterator[list[Any]]:
    return ([*values[:number], *values[number + 1 :]] for number in range(len(values)))


def _other_values(value: object) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        if SQL.search(value):
            for pattern, other in IN_SQL:
                for match in re.finditer(pattern, value):
                    yield value[: match.start()] + other + value[match.end() :]
        elif value and " " not in value:
            yield f"{value}~"
