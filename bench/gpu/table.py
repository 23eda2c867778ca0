#!/usr/bin/env python3
"""Print the figures of `lissom bench --gpu --json` as a table of Markdown.

usage: table.py FILE…
"""
import json
import sys


def main(files):
    rows = [row for name in files for row in json.load(open(name, encoding="utf-8"))]
    if not rows:
        sys.exit("no figures")
    print(f"{rows[0]['robot']}, {rows[0]['nv']} degrees of freedom, {rows[0]['device']}\n")
    print("| algorithm | mode | robots | robots/s | worst difference | same bits twice | registers | local bytes | code bytes | variant |")
    print("|---|---|---:|---:|---:|---|---:|---:|---:|---|")
    for row in rows:
        print(f"| {row['algorithm']} | {row['mode']} | {row['robots']:,} | {row['robots_per_second']:.3g} | {row['worst_difference'] if row['worst_difference'] is not None else float('inf'):.1e} | "
              f"{'yes' if row['repeatable'] else 'NO'} | {row['registers']} | {row['spills']} | {row['code_bytes']:,} | {row['variant']} |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
