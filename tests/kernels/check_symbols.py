"""Looks for symbols that the linker could mix up between instruction sets.

The kernels are compiled once for every instruction set, into one binary. Code that is not inlined becomes a weak symbol,
and the linker keeps any one of several weak symbols of one name: a baseline machine might then run AVX-512 code. So every
weak symbol in the object file of a kernel table has to carry the name of its set (LISSOM_ISA_NAMESPACE, an inline namespace).
"""
import argparse
import subprocess
import sys

# These are compared by address or name alone, or contain no code: it does not matter which copy is kept.
HARMLESS = {f"{what} for lissom::{base}" for what in ("typeinfo", "typeinfo name", "vtable") for base in ("KernelScratch", "KernelFactor")}
HARMLESS.add("DW.ref.__gxx_personality_v0")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--set", required=True, nargs="+", help="namespaces of the set: baseline, avx2 or avx512; also qp::avx2")
    parser.add_argument("--objects", required=True, nargs="+")
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
            if not any(f"lissom::{space}::" in name for space in arguments.set) and name not in HARMLESS:
                bad.append(f"{path}: {kind} {name}")
    print(f"{weak} weak symbols")
    if bad:
        print("without the name of their instruction set:", *bad, sep="\n  ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
