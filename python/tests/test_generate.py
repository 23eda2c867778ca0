"""Generated code, and the operations that it needs."""
import pathlib
import shutil
import subprocess

import pytest

import lissom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="module")
def arm():
    return lissom.load(MODELS / "arm7.urdf")


def test_files_are_written(arm, tmp_path):
    files = lissom.generate(arm, ["rnea", "fk"], out=tmp_path / "new" / "folder")
    assert [file.name for file in files] == ["arm7.h", "arm7_test.cpp", "CMakeLists.txt"]
    text = files[0].read_text(encoding="utf-8")
    assert "namespace arm7 {" in text and "void rnea(" in text and "void placements(" in text


def test_the_generated_test_passes(arm, tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler is installed")
    _, test, _ = lissom.generate(arm, ["rnea", "aba"], lang="c", out=tmp_path)
    subprocess.run([compiler, "-std=c99", test.name, "-lm", "-o", "test"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "test"], check=True)


def test_operation_counts(arm):
    counts = lissom.operation_counts(arm, ["rnea", "aba"])
    assert set(counts) == {"rnea", "aba"}
    assert 100 < counts["rnea"]["multiplications"] < counts["aba"]["multiplications"]
    assert counts["aba"]["sincos"] == 6  # the first joint is vertical: its angle does not matter


def test_wrong_words_are_refused(arm, tmp_path):
    with pytest.raises(lissom.Error, match="no algorithm 'rnae'; did you mean 'rnea'"):
        lissom.generate(arm, ["rnae"], out=tmp_path)
    with pytest.raises(lissom.Error, match="no language 'rust', expected"):
        lissom.generate(arm, lang="rust", out=tmp_path)
    with pytest.raises(lissom.Error, match="templates over the scalar"):
        lissom.generate(arm, scalar="float", out=tmp_path)
    assert list(tmp_path.iterdir()) == []
