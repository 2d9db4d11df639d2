"""A table of a result. Its columns are shared with Arrow, NumPy, polars and pandas, not copied."""

from __future__ import annotations

import csv
import html
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from philae import _native
from philae._extra import extra

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow


#: Rows that a notebook shows of a table.
_ROWS_SHOWN = 20


def html_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table for notebooks."""
    cells = ["".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Column(NamedTuple):
    """The meaning of a column."""

    #: Name, with its unit last.
    name: str
    #: `int32`, `int64`, `double` or `string`.
    kind: str
    #: Meaning, unit and range.
    about: str


class Table:
    """A table: columns of 32-bit and 64-bit integers, 64-bit floats, and text.

    It has the Arrow PyCapsule interface, so `pyarrow.table(t)`, `polars.DataFrame(t)` and DuckDB take it as it is and
    share its memory. Times are simulated picoseconds (`_ps`).
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Table) -> None:
        """Takes what the simulator made; `Table.from_columns` makes one of lists."""
        self._native = native

    @classmethod
    def from_columns(cls, name: str, columns: Mapping[str, Sequence[Any]], about: str = "") -> Table:
        """A table of lists of equal length, whose values are all integers, all numbers or all text, or None.

        Raises:
            ResultError: lists of unequal length.
            TypeError: a column of values that do not go together.
        """
        described = []
        for column, values in columns.items():
            found = {type(value) for value in values if value is not None}
            if found <= {int, bool}:
                kind = "int64"
                values = [None if value is None else int(value) for value in values]
            elif found <= {int, bool, float}:
                kind = "double"
            elif found == {str}:
                kind = "string"
            else:
                kinds = ", ".join(sorted(kind.__name__ for kind in found))
                raise TypeError(f"column {column} has {kinds}; integers, numbers or text would work")
            described.append((column, "", kind, list(values)))
        return cls(_native.Table.from_columns(name, about, described))

    @classmethod
    def read_parquet(cls, path: str | os.PathLike[str]) -> Table:
        """Reads a table that a run or a sweep wrote.

        Raises:
            ResultError: the file cannot be read or is not such a table.
        """
        return cls(_native.Table.read_parquet(path))

    def write_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a Parquet file.

        Raises:
            ResultError: the file cannot be written.
        """
        self._native.write_parquet(path)

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes it as comma-separated values with a line of names; a row without a value has nothing there."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([column.name for column in self.columns])
            writer.writerows(zip(*self.to_dict().values()))

    @property
    def name(self) -> str:
        """Name of its file without `.parquet`."""
        return self._native.name

    @property
    def about(self) -> str:
        """The meaning of a row."""
        return self._native.about

    @property
    def columns(self) -> list[Column]:
        """Its columns: name, kind and meaning."""
        return [Column(*column) for column in self._native.columns]

    def __len__(self) -> int:
        """Rows."""
        return self._native.num_rows

    def __repr__(self) -> str:
        """Name, rows and columns."""
        columns = ", ".join(column.name for column in self.columns)
        return f"<philae.Table {self.name}: {len(self)} rows of {columns}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        names = [column.name for column in self.columns]
        head = self._native.head(_ROWS_SHOWN)
        lists = [head.to_list(name) for name in names]
        rows = [["" if value is None else value for value in row] for row in zip(*lists)]
        more = f", the first {len(rows)} of them" if len(self) > len(rows) else ""
        title = f"<p><b>{html.escape(self.name)}</b>: {len(self):,} rows{more}. {html.escape(self.about)}</p>"
        return title + html_table(names, rows)

    def __arrow_c_schema__(self) -> object:
        """Arrow PyCapsule interface: the type of a row."""
        return self._native.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Arrow PyCapsule interface: the table as one array of rows."""
        return self._native.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow PyCapsule interface: the table as a stream of one piece."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any]:
        """A column as a NumPy array: read-only memory of the table for numbers, a new array of objects for text.

        A column of integers in which rows have no value becomes one of floats, with NaN there.

        Raises:
            KeyError: no such column; the message has those that there are.
            OverflowError: a column with missing values has an integer that no float holds (above 2^53); the frames and
                `to_dict` keep it.
        """
        np = extra("numpy")
        view, words, present = self._native.view(column)
        values = np.asarray(view)
        if words is not None:
            table = np.array([*words, None], dtype=object)
            codes = values if present is None else np.where(np.asarray(present), values, len(words))
            found: numpy.ndarray[Any, Any] = table[codes]
            return found
        if present is not None:
            there = np.asarray(present)
            floats = values.astype(float)
            # 2^63 itself is a float, and no integer of 64 bits.
            back = np.where(np.abs(floats) < 2.0**63, floats, 0.0).astype(values.dtype)
            if values.dtype.kind == "i" and (there & (back != values)).any():
                lost = values[there & (back != values)][0]
                works = "to_pandas(), to_polars(), to_pyarrow() or to_dict() would work"
                raise OverflowError(f"column {column} has missing values and {lost}, which no float holds; {works}")
            return np.where(there, floats, np.nan)  # type: ignore[no-any-return]
        return values  # type: ignore[no-any-return]

    def codes(self, column: str) -> tuple[numpy.ndarray[Any, Any], list[str]]:
        """A text column as positions in a list of words, and that list; -1 if a row has no value.

        Raises:
            KeyError: no such column.
            TypeError: the column is not text.
        """
        np = extra("numpy")
        view, words, present = self._native.view(column)
        if words is None:
            raise TypeError(f"column {column} is numbers; its values are table[{column!r}]")
        values = np.asarray(view)
        return (values if present is None else np.where(np.asarray(present), values, -1)), words

    def to_dict(self) -> dict[str, list[Any]]:
        """Lists by column, with None where a row has no value. Needs no other package; copies."""
        return {column.name: self._native.to_list(column.name) for column in self.columns}

    def to_pyarrow(self) -> pyarrow.Table:
        """As a pyarrow table, sharing the memory. Text is dictionary-encoded."""
        return extra("pyarrow").table(self)  # type: ignore[no-any-return]

    def to_polars(self) -> polars.DataFrame:
        """As a polars frame, sharing the memory of numbers. Text is `Categorical`."""
        return extra("polars").DataFrame(self)  # type: ignore[no-any-return]

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas frame, sharing the memory of numbers, which is read-only. Text is `category`.

        Integers in which rows have no value are pandas' nullable `Int32` and `Int64`, which keep every digit.
        """
        np, pd = extra("numpy"), extra("pandas")
        columns: dict[str, Any] = {}
        for column in self.columns:
            if column.kind == "string":
                codes, words = self.codes(column.name)
                columns[column.name] = pd.Categorical.from_codes(codes, words)
                continue
            view, _, present = self._native.view(column.name)
            if present is not None and column.kind in ("int32", "int64"):
                missing = ~np.asarray(present, dtype=bool)
                columns[column.name] = pd.arrays.IntegerArray(np.array(view), missing)
            else:
                columns[column.name] = self[column.name]
        return pd.DataFrame(columns, copy=False)  # type: ignore[no-any-return]
