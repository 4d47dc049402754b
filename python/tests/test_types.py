"""The types that the package tells: every public name has one, and it agrees with what is compiled."""

import ast
import inspect
import os
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import saavedra
from saavedra import _saavedra

FOLDER = pathlib.Path(saavedra.__file__).parent
STUB = ast.parse((FOLDER / "_saavedra.pyi").read_text(encoding="utf-8"))
TOLD = {node.name: node for node in STUB.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

#: What every object has, or what Python fills in where a class compares.
EVERYWHERE = set(dir(object)) | {"__module__", "__doc__", "__weakref__", "__lt__", "__le__", "__gt__", "__ge__"}


def native_names():
    """What is compiled and public, by its name in the package."""
    names = {name for name in dir(saavedra) if not name.startswith("_")}
    compiled = {name for name in names if getattr(_saavedra, name, None) is getattr(saavedra, name)}
    return sorted(name for name in compiled | {"BaseBoard", "ArrowStream"} if callable(getattr(_saavedra, name)))


def parameters(node):
    """Names and defaults of a function of the stub, without its first one."""
    found, plain = [], node.args.posonlyargs + node.args.args
    defaults = [None] * (len(plain) - len(node.args.defaults)) + node.args.defaults
    found += [(argument.arg, default) for argument, default in zip(plain, defaults)]
    found += [(argument.arg, default) for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults)]
    return [(name, default and ast.unparse(default)) for name, default in found if name not in ("self", "cls")]


def told_by(function):
    """Names and defaults of a compiled function, as it tells them."""
    told = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "type") or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        default = None if parameter.default is parameter.empty else repr(parameter.default)
        told.append((name, "..." if default == "Ellipsis" else default))
    return told


@pytest.mark.parametrize("name", native_names())
def test_the_stub_agrees_with_what_is_compiled(name):
    value, stub = getattr(_saavedra, name), TOLD.get(name)
    assert stub is not None, f"{name} has no types in _saavedra.pyi"
    if not inspect.isclass(value):
        assert parameters(stub) == told_by(value)
        return
    if issubclass(value, Exception):
        return
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    assigned = {target.id for node in stub.body if isinstance(node, ast.Assign) for target in node.targets}
    present = {member for member in vars(value) if member not in EVERYWHERE}
    missing = present - set(functions) - assigned
    assert not missing, f"{name}: no types for {sorted(missing)}"
    assert not set(functions) - set(dir(value)), f"{name}: types for what is not there"
    for member, node in functions.items():
        compiled = vars(value).get(member)
        if member.startswith("__") or not callable(compiled) or isinstance(compiled, staticmethod):
            continue
        assert parameters(node) == told_by(compiled), f"{name}.{member}"


def test_everything_public_is_documented():
    # ruff: noqa: E501
    undocumented = []
    for name in native_names():
        value = getattr(_saavedra, name)
        members = [(f"{name}.{member}", item) for member, item in vars(value).items()] if inspect.isclass(value) else []
        for label, item in [(name, value), *members]:
            is_public = not label.split(".")[-1].startswith("_")
            if is_public and (callable(item) or inspect.isdatadescriptor(item)) and not inspect.getdoc(item):
                undocumented.append(label)
    assert undocumented == []


def test_what_is_loaded_late_is_there():
    for name in [*saavedra._LATER, *saavedra._MODULES]:
        assert getattr(saavedra, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        saavedra.nonsense
    assert (FOLDER / "py.typed").exists()


def test_every_module_can_be_imported_alone():
    names = [module.name for module in pkgutil.walk_packages([str(FOLDER)], "saavedra.")]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    subprocess.run([sys.executable, "-c", code, *names], check=True)


def test_importing_the_package_loads_no_other():
    code = "import sys; before = set(sys.modules); import saavedra; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numpy", "pyarrow", "chess", "saavedra.pgn"} & set(loaded)


def test_mypy_agrees():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", "-p", "saavedra"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
