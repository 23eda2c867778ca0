"""Looks for symbols that the linker could mix up between instruction sets.

The kernels are compiled once for every instruction set, into one binary. What is not inlined comes out as a weak symbol,
and of several weak symbols of one name the linker keeps any: a baseline machine might then run AVX-512 code. So every
weak symbol in the object file of a kernel table has to carry the name of its set (LISSOM_ISA_NAMESPACE, an inline namespace).
"""
import argparse
import re
import subprocess
import sys

# Compared by address or name alone, or made of no code: the same whichever copy is kept.
HARMLESS = ("typeinfo for lissom::KernelScratch", "typeinfo name for lissom::KernelScratch", "vtable for lissom::KernelScratch",
            "DW.ref.__gxx_personality_v0")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--set", required=True, help="baseline, avx2 or avx512")
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    bad, weak = [], 0
    for path in arguments.objects:
        output = subprocess.run([arguments.nm, "-C", path], check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            kind, _, name = line[17:].partition(" ")
            if kind not in ("W", "V", "u", "w", "v"):
                continue
            defined = line[:16].strip() != ""
            if not defined:
                continue
            weak += 1
            if not re.search(rf"lissom::(\w+::)?{arguments.set}::", name) and name not in HARMLESS:
                bad.append(f"{path}: {kind} {name}")
    print(f"{weak} weak symbols")
    if bad:
        print("without the name of their instruction set:", *bad, sep="\n  ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
