"""Imports inside the package point downwards only."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sourcegrad

ROOT = Path(sourcegrad.__file__).parent

# From the bottom up; a unit may import what stands in its own layer or below it.
# A unit is a subpackage, or a module with those named after it: printer, printer_x.
LAYERS: list[set[str]] = [
    {"errors", "markers", "names", "request", "runtime", "syntax", "version"},
    {"ir", "kinds", "trees", "verify"},
    {"rules"},
    {"source", "loader", "printer", "overlap", "undo"},
    {"frontend", "analysis", "adjoint", "forward", "batch"},
    {"passes"},
    {"pipeline", "cache", "closures", "writer", "compile", "floating", "numba"},
    {"forward_kept"},
    {
        "api",
        "batch_api",
        "forward_api",
        "matrices",
        "explain",
        "sparse",
        "taylor_api",
        "transform",
        "vjp_api",
    },
    {"cli", "report", "testing"},
    {"__init__", "__main__"},
]

# Beyond the layers: what a unit must not import although it stands lower.
FORBIDDEN = {("rules", "ir"), ("rules", "verify")}

# What a module or unit may import from outside the package and the standard library.
CORE = {"gast", "astor", "numpy"}
# Helpers of SciPy's rules, which import it when they are called.
SCIPY = (
    "special signal sparse trig banded incomplete elliptic ndimage resample spline "
    "entries grid quad lapack spectra krylov"
).split()
OUTSIDE: dict[str, set[str]] = {
    "runtime": {"numpy"},
    "runtime_numba": {"numpy", "numba"},
    **{f"runtime_{n}": {"numpy", "scipy"} for n in SCIPY},
    "sparse": CORE | {"scipy"},
    "runtime_ode": {"numpy", "scipy"},
    "numba": {"numpy", "numba"},
    "cli": CORE | {"rich"},
    "report": CORE | {"rich"},
}

# Rules of libraries that are extras may import their library.
OPTIONAL_RULES = {"scipy"}


def rank(unit: str) -> int:
    """The layer of a unit."""
    for position, layer in enumerate(LAYERS):
        if unit in layer:
            return position
    raise AssertionError(f"sourcegrad/{unit} stands in no layer of {__file__}")


def unit_of(path: tuple[str, ...]) -> str:
    """The unit a path belongs to; a public name belongs to ``__init__``."""
    if not path or not (
        (ROOT / path[0]).is_dir() or (ROOT / f"{path[0]}.py").is_file()
    ):
        return "__init__"
    if any(path[0] in layer for layer in LAYERS):
        return path[0]
    family = path[0].split("_")[0]
    return family if family and any(family in layer for layer in LAYERS) else path[0]


def modules() -> list[tuple[str, ...]]:
    """Every module of the package, as a path of names below it."""
    paths = sorted(ROOT.rglob("*.py"))
    return [path.relative_to(ROOT).with_suffix("").parts for path in paths]


def run_time_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from run_time_nodes(child)


def absolute(module: tuple[str, ...], node: ast.ImportFrom) -> list[str]:
    """The dotted names that a from-import may mean: the module, and its members."""
    base = [node.module] if node.module else []
    if node.level:
        package = ["sourcegrad", *module[:-1]]
        base = package[: len(package) - node.level + 1] + base
    dotted = ".".join(base)
    return [f"{dotted}.{alias.name}" for alias in node.names]


def imports(module: tuple[str, ...]) -> set[str]:
    """The dotted names that a module imports, at its top or inside functions."""
    path = ROOT.joinpath(*module).with_suffix(".py")
    found: set[str] = set()
    for node in run_time_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= set(absolute(module, node))
    return found


def top_imports(module: tuple[str, ...]) -> list[ast.stmt]:
    """The import statements that run when a module is imported."""
    text = ROOT.joinpath(*module).with_suffix(".py").read_text(encoding="utf-8")
    body = ast.parse(text).body
    return [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]


def inner_imports(module: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The paths below ``sourcegrad`` among the imports, members included."""
    found = set()
    for dotted in imports(module):
        head, *rest = dotted.split(".")
        if head == "sourcegrad":
            found.add(tuple(rest))
    return found


MODULES = modules()
IDS = [".".join(module) for module in MODULES]


def test_the_package_was_found() -> None:
    assert ("__init__",) in MODULES
    assert len(MODULES) > 10


@pytest.mark.parametrize("module", MODULES, ids=IDS)
def test_imports_point_downwards(module: tuple[str, ...]) -> None:
    own = unit_of(module)
    for path in inner_imports(module):
        unit = unit_of(path)
        assert rank(unit) <= rank(own), f"{own} imports {'.'.join(path)}"
        assert (own, unit) not in FORBIDDEN, f"{own} imports {'.'.join(path)}"


@pytest.mark.parametrize(
    "module",
    [m for m in MODULES if m[0] == "passes" and m[1:] != ("__init__",)],
    ids=".".join,
)
def test_passes_do_not_import_each_other(module: tuple[str, ...]) -> None:
    siblings = {path for path in inner_imports(module) if path[:1] == ("passes",)}
    assert not siblings


@pytest.mark.parametrize("module", MODULES, ids=IDS)
def test_outside_imports(module: tuple[str, ...]) -> None:
    outside = {dotted.split(".")[0] for dotted in imports(module)}
    outside -= set(sys.stdlib_module_names) | {"sourcegrad"}
    allowed = OUTSIDE.get(module[0], OUTSIDE.get(unit_of(module), CORE))
    if module[0] == "rules":
        allowed = allowed | OPTIONAL_RULES
    assert outside <= allowed, f"{'.'.join(module)} imports {outside - allowed}"


@pytest.mark.parametrize(
    "module", [m for m in MODULES if unit_of(m) == "runtime"], ids=".".join
)
def test_runtime_can_be_copied_into_an_emitted_file(module: tuple[str, ...]) -> None:
    # The one that raises an error imports it there; errors import nothing.
    raised = {"errors"} if module == ("runtime",) else set()
    assert {unit_of(path) for path in inner_imports(module)} <= {"runtime"} | raised
    assert not any("errors" in ast.unparse(node) for node in top_imports(module))


def test_errors_import_the_standard_library_only() -> None:
    heads = {dotted.split(".")[0] for dotted in imports(("errors",))}
    assert heads <= set(sys.stdlib_module_names)


def test_an_upward_import_is_seen(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "errors.py").write_text("from sourcegrad.api import grad\n")
    (tmp_path / "api.py").write_text("")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    with pytest.raises(AssertionError, match="errors imports api.grad"):
        test_imports_point_downwards(("errors",))
