"""The command line: `sourcegrad dump`, `sourcegrad check`, `sourcegrad rules`."""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sourcegrad.api import Gradient
from sourcegrad.cli import colour as cli_colour
from sourcegrad.cli.target import resolve
from sourcegrad.errors import SourcegradError
from sourcegrad.explain.specs import from_text
from sourcegrad.explain.text import MODES, PACKAGINGS, STAGES, source_of
from sourcegrad.forward_api import Jvp
from sourcegrad.rules import describe, import_libraries
from sourcegrad.testing import check_grad
from sourcegrad.version import __version__

_TARGET = "FILE.py:FUNCTION or package.module:Class.method"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the arguments; None: those of the process.

    Returns:
        The exit code: 0, or 1 where a function cannot be found or differentiated
        (the located error is on standard error). Wrong usage exits with 2.

    >>> main(["rules", "numpy.tanh"])
    numpy.tanh  reverse, forward  any
    0
    """
    options = _parser().parse_args(argv)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            code: int = options.run(options)
        for warning in caught:
            print(f"note: {warning.message}", file=sys.stderr)
        return code
    except (SourcegradError, ValueError) as e:
        print(e, file=sys.stderr)
        return 1
    except BrokenPipeError:  # `sourcegrad dump … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "sourcegrad", description="Gradients of Python functions as Python source."
    )
    parser.add_argument(
        "--version", action="version", version=f"sourcegrad {__version__}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _dump_parser(commands.add_parser("dump", help="print the generated gradient"))
    _check_parser(
        commands.add_parser("check", help="hold a gradient against differences")
    )
    rules = commands.add_parser("rules", help="list the functions that have a rule")
    rules.add_argument(
        "pattern",
        nargs="?",
        default="*",
        metavar="PATTERN",
        help="a part of the name, or a shell pattern",
    )
    rules.set_defaults(run=rules_command)
    return parser


def _dump_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help=_TARGET)
    parser.add_argument(
        "--wrt",
        metavar="NAMES",
        help="parameters to differentiate by, as x,w (the first)",
    )
    parser.add_argument(
        "--stage", choices=STAGES, default="source", help="what to print (source)"
    )
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=KIND",
        help="kind of an argument: float, int, bool, 'float64[3,4]', "
        "'(float, int)' (from annotations and defaults)",
    )
    parser.add_argument(
        "--packaging",
        choices=PACKAGINGS,
        default="joint",
        help="one function, or a forward and a reverse one (joint)",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="reverse",
        help="the gradient, or the value and the tangent (reverse)",
    )
    parser.add_argument("--no-color", action="store_true", help="no colours")
    parser.set_defaults(run=dump_command)


def _check_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help=_TARGET)
    parser.add_argument(
        "--wrt",
        metavar="NAMES",
        help="parameters to differentiate by, as x,w (the first)",
    )
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="value of an argument; lists of numbers are arrays",
    )
    parser.add_argument(
        "--order",
        type=int,
        choices=(1, 2),
        default=1,
        help="2 checks the gradient of the gradient too (1)",
    )
    parser.set_defaults(run=check_command)


def dump_command(options: argparse.Namespace) -> int:
    """Print the generated text of a function."""
    f = resolve(options.target)
    given = {n: from_text(t) for n, t in _pairs("--arg", options.arg)}
    transform = (Jvp if options.mode == "forward" else Gradient)(
        f, _wrt(f, options.wrt)
    )
    text = source_of(transform, (), options.stage, options.packaging, given)
    python = options.stage in ("ast", "core", "source")
    if python and cli_colour.wanted(sys.stdout, options.no_color):
        text = cli_colour.highlight(text)
    print(text, end="")
    sys.stdout.flush()
    return 0


def check_command(options: argparse.Namespace) -> int:
    """Hold the gradient of a function at a point against differences."""
    f = resolve(options.target)
    values = {n: _value(t) for n, t in _pairs("--at", options.at)}
    parameters = inspect.signature(f).parameters
    for name in values:
        if name not in parameters:
            known = ", ".join(parameters)
            raise ValueError(
                f"{options.target} has no parameter {name!r}; it has {known}"
            )
    args = []
    for name, parameter in parameters.items():
        if name not in values and parameter.default is parameter.empty:
            raise ValueError(f"no value for {name!r}: add --at {name}=1.0")
        args.append(values.get(name, parameter.default))
    check_grad(f, tuple(args), _wrt(f, options.wrt), order=options.order)
    at = ", ".join(f"{n}={t}" for n, t in _pairs("--at", options.at))
    order = "" if options.order == 1 else f" up to order {options.order}"
    print(
        f"right{order}: the gradient of {options.target} at {at} agrees with f itself"
    )
    return 0


def rules_command(options: argparse.Namespace) -> int:
    """Print the catalogue of rules: function, modes, orders, convention."""
    for library in import_libraries():
        print(f"{library} is not installed: without its rules", file=sys.stderr)
    rows = describe(options.pattern)
    if not rows:
        print(f"no rule for {options.pattern!r}", file=sys.stderr)
        return 1
    columns = [[r.function, r.modes, r.orders, r.convention] for r in rows]
    widths = [max(map(len, column)) for column in zip(*columns, strict=True)]
    for row in columns:
        print("  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip())
    return 0


def _pairs(option: str, texts: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ValueError(f"{option} {text!r} is not NAME=VALUE")
        pairs.append((name.strip(), value.strip()))
    return pairs


def _wrt(f: Callable[..., Any], names: str | None) -> Any:
    """The parameters to differentiate by: those named, else the first but `self`."""
    if names is not None:
        chosen = tuple(n.strip() for n in names.split(",") if n.strip())
        return chosen[0] if len(chosen) == 1 else chosen
    parameters = list(inspect.signature(f).parameters)
    if not parameters:
        raise ValueError(f"{getattr(f, '__name__', f)}() has no parameters")
    method = "." in getattr(f, "__qualname__", "") and parameters[0] in ("self", "cls")
    return parameters[1] if method and len(parameters) > 1 else parameters[0]


def _value(text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError(f"{text!r} is no number, list, tuple or string") from None
    return np.array(value, float) if isinstance(value, list) else value
