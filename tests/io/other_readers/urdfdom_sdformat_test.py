"""What lissom writes as URDF, in urdfdom's check_urdf, which is in the path or in the environment of other packages; and as SDF, in the
reader of libsdformat (built from sdformat_check.cpp if it is installed). Skipped (exit code 77) where there is neither.

usage: urdfdom_sdformat_test.py --lissom LISSOM [--venv DIRECTORY]"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from robot_files import all_files


def sdformat_check(folder):
    """A program that loads SDF files, compiled here; None where libsdformat is not installed."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    for package in ("sdformat12", "sdformat13", "sdformat14"):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True)
        if compiler and flags.returncode == 0:
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sdformat_check.cpp")
            program = os.path.join(folder, "sdformat_check")
            subprocess.run([compiler, "-O0", "-std=c++17", source, "-o", program, *flags.stdout.split()], check=True)
            return program
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--venv", default="")
    options = parser.parse_args()
    lissom = os.path.abspath(options.lissom)
    failures = loaded = 0
    with tempfile.TemporaryDirectory() as folder:
        readers = {"urdf": shutil.which("check_urdf") or shutil.which("check_urdf", path=os.path.join(options.venv, "bin")), "sdf": sdformat_check(folder)}
        readers = {ending: program for ending, program in readers.items() if program}
        if not readers:
            print("skipped: neither check_urdf nor libsdformat is installed")
            sys.exit(77)
        for file in all_files():
            for ending, program in readers.items():
                out = os.path.join(folder, "robot." + ending)
                if subprocess.run([lissom, "convert", file, out, "--force"], capture_output=True).returncode != 0:
                    continue
                text = open(out).read()
                if ending == "sdf" and 'version="1.11"' in text and program.endswith("sdformat_check"):
                    continue  # mimic joints are newer than libsdformat 12
                ran = subprocess.run([program, out], capture_output=True, text=True)
                loaded += 1
                if ran.returncode != 0:
                    failures += 1
                    print(f"FAIL {file}: {program}: {(ran.stdout + ran.stderr)[-300:]}")
    print(f"{loaded - failures} of {loaded} files are read by {' and '.join(readers.values())}")
    sys.exit(1 if failures or loaded == 0 else 0)


if __name__ == "__main__":
    main()
