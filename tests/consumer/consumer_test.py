#!/usr/bin/env python3
"""Install a build of lissom into a temporary place and build project/ against it.

usage: consumer_test.py HOW --build BUILD --cmake CMAKE --cxx COMPILER [--other COMPILER] [--flags=FLAGS]

HOW: headers: all installed headers compile, in any order, and include nothing that was not installed (scripts/alone compiles each by itself); cmake, pkg_config; the same with _native: compiled with -march=native, whatever the library was compiled with; other_compiler:
pkg_config with the compiler of --other; examples: the installed examples build and run; documents: manual pages, completion and documents are installed, and the links of these lead somewhere. The time that the compiler takes is printed, and decides nothing. Exit status 77 where
pkg-config or the other compiler is missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent / "project"
EXAMPLES = ("torques", "reach", "many_robots", "stand", "linearize", "generate_code", "derive", "grip", "watch")


def run(*command, **more):
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)
    if ran.returncode != 0:
        print(f"$ {' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
        sys.exit(f"exit status {ran.returncode}")
    return ran.stdout


def build_with_cmake(options, prefix, folder, flags, project=PROJECT):
    run(options.cmake, "-S", project, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={options.cxx}",
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS={' '.join(flags)}")
    start = time.monotonic()
    run(options.cmake, "--build", folder)
    print(f"built in {time.monotonic() - start:.1f} s")
    return folder / "consumer"


def build_with_pkg_config(options, prefix, folder, flags):
    if shutil.which("pkg-config") is None:
        print("skipped: no pkg-config")
        sys.exit(77)
    found = sorted(prefix.rglob("lissom.pc"))
    assert len(found) == 1, f"expected one lissom.pc under the prefix, found {found}"
    environment = dict(os.environ, PKG_CONFIG_PATH=str(found[0].parent))
    of_lissom = run("pkg-config", "--cflags", "--libs", "lissom", env=environment).split()
    assert any(str(prefix) in flag or ".." in flag for flag in of_lissom), f"not where it was installed: {of_lissom}"
    folder.mkdir()
    start = time.monotonic()
    run(options.cxx, "-O2", *flags, PROJECT / "main.cpp", "-o", folder / "consumer", *of_lissom)
    print(f"built in {time.monotonic() - start:.1f} s")
    return folder / "consumer"


def check_headers(options, prefix, folder, flags):
    include = next(prefix.rglob("lissom/lissom.h")).parents[1]
    headers = sorted(p.relative_to(include) for p in include.rglob("*.h"))
    of_lissom = run("pkg-config", "--cflags", "lissom",
                    env=dict(os.environ, PKG_CONFIG_PATH=str(next(prefix.rglob("lissom.pc")).parent))).split()
    folder.mkdir()

    for order, name in ((headers, "forward"), (headers[::-1], "backward")):
        source = folder / f"{name}.cpp"
        source.write_text("".join(f"#include <{header}>\n" for header in order))
        run(options.cxx, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", *flags, source, *of_lissom)
    print(f"{len(headers)} headers")


def check_examples(options, prefix, folder, flags):
    """The installed examples build against the installed library and succeed on the installed robots."""
    sources = next(prefix.rglob("stand.cpp")).parent
    known = {path.stem for path in sources.glob("*.cpp")}
    assert known == set(EXAMPLES), f"expected the examples {EXAMPLES}, found {known}"
    build_with_cmake(options, prefix, folder, flags, sources)
    for example in EXAMPLES:
        seconds = ["0.2"] if example == "watch" else []
        print(run(folder / example, next(prefix.rglob("humanoid.urdf")).parent, *seconds, cwd=folder), end="")


def check_links(documents):
    """Every link of the installed documents leads to something that is installed."""
    for document in sorted(documents.rglob("*.md")):
        in_code = False
        for line in document.read_text().splitlines():
            in_code ^= line.startswith("```")
            for link in [] if in_code else re.findall(r"\]\(([^)\s]+)\)", line):
                target = link.split("#")[0]
                leads_out = not target or re.match(r"[a-z]+:", link)
                assert leads_out or (document.parent / target).exists(), f"{document.relative_to(documents)}: {link} leads nowhere"


def check_documents(options, prefix, folder, flags):
    """Manual pages, shell completion and documents are installed; the pages pass groff without a warning, and links lead somewhere."""
    version = re.search(r"project\(lissom VERSION (\S+)", (PROJECT.parents[2] / "CMakeLists.txt").read_text())[1]
    for name in ("README.md", "docs/eval.md", "docs/command.md", "SECURITY.md", "CONTRIBUTING.md", "bench/RESULTS.md", "examples/CMakeLists.txt", "LICENSE"):
        assert list((prefix / "share/doc").rglob(name)), f"{name} is not installed"
    check_links(next((prefix / "share/doc").rglob("CHANGELOG.md")).parent)
    for name in ("bash-completion/completions/lissom", "zsh/site-functions/_lissom", "fish/vendor_completions.d/lissom.fish"):
        assert "control" in (prefix / "share" / name).read_text(), name
    pages = sorted((prefix / "share/man/man1").glob("lissom*.1"))
    assert {"lissom.1", "lissom-sim.1", "lissom-convert.1"} <= {p.name for p in pages}, pages
    for page in pages:
        assert f"lissom {version}" in page.read_text(), page
        if shutil.which("groff"):
            warnings = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", "-K", "utf8", page], capture_output=True, text=True).stderr
            assert not warnings, f"{page.name}: {warnings}"
    config = next(prefix.rglob("lissom-config-version.cmake")).read_text()
    assert f'"{version}"' in config and version in next(prefix.rglob("lissom.pc")).read_text()
    print(f"{len(pages)} manual pages")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("how", choices=["cmake", "cmake_native", "pkg_config", "pkg_config_native", "other_compiler",
                                        "headers", "examples", "documents"])
    parser.add_argument("--build", required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--other", default="")
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    if options.how == "other_compiler":
        if not shutil.which(options.other) or "-fsanitize" in options.flags:
            print("skipped: no other compiler, or a sanitizer that belongs to this one")
            sys.exit(77)
        options.cxx = options.other
    flags = options.flags.split() + (["-march=native"] if options.how.endswith("native") else [])
    with tempfile.TemporaryDirectory() as scratch:
        prefix = pathlib.Path(scratch) / "prefix"
        run(options.cmake, "--install", options.build, "--prefix", prefix)
        for private in ("workspace_memory.h", "unchecked.h", "parts.h", "integrators.h"):
            assert not list(prefix.rglob(private)), f"{private} is private, and was installed"
        for header in prefix.rglob("*.h"):
            if said := re.search(r"not for users|not installed", header.read_text(encoding="utf-8"), re.IGNORECASE):
                sys.exit(f"{header.relative_to(prefix)} says '{said[0]}', and was installed: take out of a public header what it is included for")
        checks = {"headers": check_headers, "examples": check_examples, "documents": check_documents}
        if options.how in checks:
            return checks[options.how](options, prefix, pathlib.Path(scratch) / "build", flags)
        build = build_with_cmake if options.how.startswith("cmake") else build_with_pkg_config
        program = build(options, prefix, pathlib.Path(scratch) / "build", flags)
        robot = next(prefix.rglob("humanoid.urdf"))
        print(run(program, robot), end="")


if __name__ == "__main__":
    main()
