"""The tutorial: its cells run from the first to the last, and print what the notebook shows.

``python test_tutorial.py --write`` runs them and puts what they print into the notebook.
"""

import ast
import contextlib
import io
import json
import pathlib
import sys

TUTORIAL = pathlib.Path(__file__).parents[2] / "docs" / "python" / "tutorial.ipynb"


def run(source, names):
    """What a cell prints, and the value of its last expression, as outputs of a notebook."""
    tree, last = ast.parse(source), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(last, "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run_all(notebook):
    """Every cell of code with its outputs."""
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, run("".join(cell["source"]), names)


def test_the_tutorial_prints_what_it_shows():
    for cell, outputs in run_all(json.loads(TUTORIAL.read_text(encoding="utf-8"))):
        # What the engine finds changes with it: there it is enough that there is something.
        if "engine" in cell["metadata"].get("tags", []):
            assert bool(outputs) == bool(cell["outputs"])
        else:
            assert outputs == cell["outputs"], "".join(cell["source"])


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    shown = json.loads(TUTORIAL.read_text(encoding="utf-8"))
    for cell, outputs in run_all(shown):
        cell["outputs"] = outputs
    TUTORIAL.write_text(json.dumps(shown, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
