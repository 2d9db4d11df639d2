"""Runs notebooks from top to bottom, in an empty folder, and fails where a cell does. They are kept without outputs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main() -> int:
    """Runs every notebook of the folders that are named."""
    failed = 0
    paths = [path for folder in sys.argv[1:] for path in sorted(Path(folder).glob("*.ipynb"))]
    if not paths:
        print(f"no notebooks in {' '.join(sys.argv[1:])}", file=sys.stderr)
        return 1
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        kept = [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]
        if kept:
            print(f"{path} has outputs: clear them before it is committed", file=sys.stderr)
            failed += 1
        with tempfile.TemporaryDirectory() as folder:
            client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}})
            try:
                client.execute()
            except Exception as error:
                print(f"{path}: {error}", file=sys.stderr)
                failed += 1
            else:
                print(f"{path}: {len(notebook.cells)} cells", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
