"""The table of a sweep: one row for each case, one column for each parameter and output."""
from __future__ import annotations

import csv
import dataclasses
import html
import json
import pathlib
import re
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from ..writing import replacing
from .errors import SweepError, needed

if TYPE_CHECKING:
    import os
    from typing import Any

    from numpy.typing import NDArray

    from .driver import FailedCase

    Table = dict[str, NDArray[Any]]

MISSING = "missing:"  # begins the name of an array in an NPZ file that marks the rows of a column that have no value
FORMATS = (".npz", ".parquet", ".csv")


def columns(cases, outputs):
    """Columns by name: parameters first, in the order in which they first appear. `outputs` has None for failed cases."""
    names = dict.fromkeys(name for case in cases for name in case)
    table = {name: column([case.get(name) for case in cases]) for name in names}
    results = dict.fromkeys(name for one in outputs if one is not None for name in one)
    for name in results:
        if name in table:
            raise SweepError(f"the output '{name}' has the name of a parameter; give it another")
        table[name] = column([None if one is None else one.get(name) for one in outputs])
    return table


def column(values):
    """An array of the values. None is NaN among numbers (then whole numbers are floats), and stays None among others."""
    there = [value for value in values if value is not None]
    if not there:
        return np.full(len(values), np.nan)
    kinds = {kind(value) for value in there}
    if kinds <= {"int", "float"}:
        return numbers(values, len(there) < len(values), kinds)
    if kinds == {"bool"}:
        return np.array(values, bool) if len(there) == len(values) else objects(values)
    if kinds == {"array"}:
        return arrays(values, there)
    texts = [value if value is None or isinstance(value, str) else json.dumps(value, default=np.ndarray.tolist) for value in values]
    return np.array(texts, str) if len(there) == len(values) else objects(texts)


def kind(value):
    for one in (bool, int, float, str):  # bool first, because it is an int, too
        if isinstance(value, one):
            return one.__name__
    if isinstance(value, list):
        try:
            value = np.asarray(value)
        except ValueError:
            return "other"
    return "array" if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" else "other"


def numbers(values, some_missing, kinds):
    if some_missing or "float" in kinds:
        return np.array([np.nan if value is None else float(value) for value in values])
    array = np.array(values)
    return array if array.dtype.kind in "iu" else array.astype(float)  # beyond 64 bits


def arrays(values, there):
    """Rows of equal shape are stacked; others stay apart."""
    found = [np.asarray(value) for value in there]
    shape, dtype = found[0].shape, np.result_type(*{one.dtype for one in found})
    if any(one.shape != shape for one in found):
        return objects([None if value is None else np.asarray(value) for value in values])
    if len(found) < len(values):
        dtype = np.result_type(dtype, np.float64)
    rows = np.full((len(values), *shape), np.nan if dtype.kind == "f" else 0, dtype)
    for row, value in enumerate(values):
        if value is not None:
            rows[row] = value
    return rows


def objects(values):
    array = np.empty(len(values), object)
    for row, value in enumerate(values):
        array[row] = value
    return array


@dataclasses.dataclass(repr=False)
class SweepResult:
    """What a sweep found.

    table         arrays by name: parameters, then outputs; row i belongs to case i. Outputs of failed cases are NaN or None.
    failed        list of FailedCase, in order of the cases
    resumed       how many results came from the checkpoint
    seconds       how long the sweep took
    case_seconds  how long each case took, in its worker; NaN if it failed
    """
    table: Table
    failed: list[FailedCase]
    count: int
    resumed: int
    seconds: float
    case_seconds: NDArray[np.float64]

    def __post_init__(self) -> None:
        self.case_seconds = np.array(self.case_seconds, float)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        failed = f"{len(self.failed)} failed" if self.failed else "none failed"
        resumed = f", {self.resumed} from the checkpoint" if self.resumed else ""
        lines = [f"SweepResult: {self.count} cases, {failed}{resumed}, {self.seconds:.3g} s; columns: {', '.join(self.table)}"]
        for one in self.failed[:3]:
            lines.append(f"  case {one.index} {json.dumps(one.case)}: {one.summary} ({one.attempts} attempts)")
        if len(self.failed) > 3:
            lines.append(f"  … and {len(self.failed) - 3} more in .failed")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table of the columns, for notebooks."""
        rows = []
        for name, values in self.table.items():
            cells = [html.escape(name), html.escape(f"{values.dtype}{list(values.shape[1:]) or ''}")]
            known = values[np.isfinite(values)] if values.dtype.kind in "iuf" else values[:0]
            cells += [f"{x:.4g}" for x in (known.min(), known.mean(), known.max())] if known.size else [""] * 3
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{name}</th>" for name in ("column", "type", "least", "mean", "largest"))
        failed = "".join(f"<p>case {one.index} failed: {html.escape(one.summary)}</p>" for one in self.failed[:3])
        return (f"<table><caption><b>{self.count} cases</b>, {len(self.failed)} failed, {self.seconds:.3g} s</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{''.join(rows)}</tbody></table>{failed}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file: .npz, .parquet or .csv."""
        save_table(self.table, path)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame; a row of a column of arrays is an array."""
        pandas = needed("pandas", "to_pandas()")
        return pandas.DataFrame({name: values if values.ndim == 1 else list(values) for name, values in self.table.items()})


def check_format(path):
    if pathlib.Path(path).suffix not in FORMATS:
        raise SweepError(f"'{path}': expected a name that ends with .npz, .parquet or .csv")
    if pathlib.Path(path).suffix == ".parquet":
        needed("pyarrow", "a .parquet file")


def save_table(table, path):
    """Writes arrays by name to a .npz, .parquet or .csv file; a file of this name is there until the new one is complete."""
    check_format(path)
    with replacing(path) as other:
        {".npz": write_npz, ".parquet": write_parquet, ".csv": write_csv}[pathlib.Path(path).suffix](table, other)


def load_table(path: str | os.PathLike[str]) -> Table:
    """Reads a table that `save` wrote: arrays by name. A CSV file has no types: what looks like a number becomes one."""
    check_format(path)
    return {".npz": read_npz, ".parquet": read_parquet, ".csv": read_csv}[pathlib.Path(path).suffix](pathlib.Path(path))


def as_text(value):
    return json.dumps(value.tolist()) if isinstance(value, np.ndarray) else value


def write_npz(table, path):
    stored = {}
    for name, values in table.items():
        if values.dtype != object:
            stored[name] = values
            continue
        missing = np.array([value is None for value in values])
        there = [as_text(value) for value in values if value is not None]
        blank = False if isinstance(there[0], bool) else ""
        stored[name] = np.array([blank if value is None else as_text(value) for value in values])
        stored[MISSING + name] = missing
    # As numpy.savez_compressed does, which takes a column 'file' for an argument of its own.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in stored.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(values), allow_pickle=False)


def read_npz(path):
    with np.load(path, allow_pickle=False) as file:
        stored = {name: file[name] for name in file.files}
    table = {}
    for name, values in stored.items():
        if name.startswith(MISSING):
            continue
        missing = stored.get(MISSING + name)
        table[name] = values if missing is None else objects([None if no else value for no, value in zip(missing, values.tolist())])
    return table


def write_parquet(table, path):
    arrow, parquet = needed("pyarrow", "a .parquet file"), needed("pyarrow.parquet", "a .parquet file", "pyarrow")
    fields, shapes = {}, {}
    for name, values in table.items():
        if values.ndim > 1:
            size = int(np.prod(values.shape[1:]))
            shapes[name] = values.shape[1:]
            fields[name] = arrow.FixedSizeListArray.from_arrays(arrow.array(values.reshape(-1)), size)
        else:
            fields[name] = arrow.array([as_text(value) for value in values] if values.dtype == object else values)
    made = arrow.table(fields)
    parquet.write_table(made.replace_schema_metadata({"lissom_shapes": json.dumps(shapes)}), path)


def read_parquet(path):
    parquet = needed("pyarrow.parquet", "a .parquet file", "pyarrow")
    read = parquet.read_table(path)
    shapes = json.loads((read.schema.metadata or {}).get(b"lissom_shapes", b"{}"))
    table = {}
    for name in read.column_names:
        values = read.column(name).combine_chunks()
        if name in shapes:
            table[name] = values.flatten().to_numpy(zero_copy_only=False).reshape(len(values), *shapes[name])
        elif values.null_count:
            table[name] = objects(values.to_pylist())
        else:
            array = values.to_numpy(zero_copy_only=False)
            table[name] = np.array(array.tolist(), str) if array.dtype == object else array
    return table


def write_csv(table, path):
    flat = {}
    for name, values in table.items():
        if values.ndim == 1:
            flat[name] = values
        else:
            flat.update({f"{name}[{','.join(map(str, at))}]": values[(slice(None), *at)] for at in np.ndindex(values.shape[1:])})
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(flat)
        lists = [[("" if v is None else as_text(v)) for v in (values if values.dtype == object else values.tolist())] for values in flat.values()]
        writer.writerows(zip(*lists))


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))
    flat = {name: typed([row[i] for row in rows]) for i, name in enumerate(names)}
    table, parts = {}, {}
    for name, values in flat.items():
        element = re.fullmatch(r"(.+)\[(\d+(?:,\d+)*)\]", name)
        if element is None:
            table[name] = values
        else:
            table.setdefault(element[1], None)
            parts.setdefault(element[1], {})[tuple(map(int, element[2].split(",")))] = values
    for name, elements in parts.items():
        shape = tuple(np.max(list(elements), axis=0) + 1)
        table[name] = np.stack([elements[at] for at in np.ndindex(shape)], axis=1).reshape(len(rows), *shape)
    return table


def typed(texts):
    words = {"True": True, "False": False, "": None}
    if all(text in words for text in texts) and any(texts):
        return column([words[text] for text in texts])
    for convert in (int, float):
        try:
            return column([None if text == "" else convert(text) for text in texts])
        except ValueError:
            continue
    return column([text or None for text in texts])
