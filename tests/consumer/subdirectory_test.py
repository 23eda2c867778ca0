#!/usr/bin/env python3
"""Configure a project that has lissom's sources inside of it, by add_subdirectory and by FetchContent, and look at what it would build.

Neither the command nor the tests nor what only they need (CLI11, fmt, GoogleTest) may be asked for; nothing of lissom is installed by the project, and
its own settings stay. One of its files is compiled, which includes lissom; the library is not, since that takes minutes.

usage: subdirectory_test.py [--cmake CMAKE] [--cxx COMPILER]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ONLY_FOR_OTHERS = ("CLI11", "fmt", "GTest", "benchmark", "Boost")


def run(*command):
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"$ {' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}\nexit status {ran.returncode}")
    return ran.stdout


def check(how, options, folder):
    absent = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ONLY_FOR_OTHERS]
    run(options.cmake, "-S", HERE / "subdirectory", "-B", folder, "-G", "Ninja", f"-DHOW={how}", f"-DLISSOM_SOURCES={HERE.parents[1]}",
        f"-DCMAKE_CXX_COMPILER={options.cxx}", *absent)
    targets = {line.split(":")[0] for line in run("ninja", "-C", folder, "-t", "targets", "all").splitlines()}
    assert "lissom" in targets, "no target lissom"
    unwanted = [t for t in targets if t == "lissom_command" or t.endswith("_tests")]
    assert not unwanted, f"targets that only lissom itself needs: {unwanted}"
    made = run("ninja", "-C", folder, "-n", "-v", "all")
    assert "bridge.cpp" not in made, "lissom_bridge is built though nothing links it"
    cache = (folder / "CMakeCache.txt").read_text()
    assert "CMAKE_BUILD_TYPE:STRING=\n" in cache, "the project's own build type was changed"
    installing = [p for p in folder.rglob("cmake_install.cmake") if "file(INSTALL" in p.read_text()]
    assert not installing, f"the project would install lissom: {installing}"
    assert "Total Tests: 0" in run("ctest", "--test-dir", folder, "-N"), "lissom's tests are among those of the project"
    run("ninja", "-C", folder, next(t for t in targets if t.endswith("consumer/project/main.cpp.o")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--cxx", default="g++")
    options = parser.parse_args()
    for how in ("add_subdirectory", "FetchContent"):
        with tempfile.TemporaryDirectory() as folder:
            check(how, options, pathlib.Path(folder))
        print(f"{how}: all well")


if __name__ == "__main__":
    main()
