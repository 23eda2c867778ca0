"""LISSOM_MAX_ISA with a name that is not a set: the command refuses, and says what it expected."""
import argparse
import os
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--models", required=True)
    arguments = parser.parse_args()
    run = subprocess.run([arguments.lissom, "eval", os.path.join(arguments.models, "arm7.urdf"), "--states", "-"],
                         input='{"states": [{}]}', env=dict(os.environ, LISSOM_MAX_ISA="avx3"), capture_output=True, text=True)
    if run.returncode != 2 or "LISSOM_MAX_ISA is 'avx3', expected baseline, avx2 or avx512" not in run.stderr:
        sys.exit(f"LISSOM_MAX_ISA=avx3: exit status {run.returncode}, {run.stderr or 'no message'}")


if __name__ == "__main__":
    main()
