"""Holds docs/protocol.cddl, or another CDDL of the repository, to the bytes that are sent.

    protocol_cddl.py FILE [CDDL]

A line of FILE is `valid` or `invalid`, a rule of the CDDL and an item in hexadecimal, separated by tabs. Exit code 1 if
one item is not what its line says.
"""

import pathlib
import re
import sys

import pycddl

ROOT = pathlib.Path(__file__).resolve().parents[2]


def inlined(cddl: str) -> str:
    """The CDDL with rules that are a choice of simple types put in where an array repeats them.

    pycddl 0.6.4 tries only the first of such a choice when it is named in an array.
    """
    choices = re.findall(r'^([a-z-]+) = ((?:"?\w+"?\s*/\s*)+"?\w+"?)$', cddl, re.MULTILINE)
    for name, texts in choices:
        cddl = cddl.replace(f"[* {name}]", f"[* ({texts})]")
    return cddl


def main(path: str, schema: str = "docs/protocol.cddl") -> int:
    cddl = inlined((ROOT / schema).read_text(encoding="utf-8"))
    schemas = {}
    faults = count = 0
    for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        expected, rule, item = line.split("\t")
        if rule not in schemas:
            schemas[rule] = pycddl.Schema(f"start = {rule}\n{cddl}")
        try:
            schemas[rule].validate_cbor(bytes.fromhex(item))
            found, why = "valid", ""
        except pycddl.ValidationError as error:
            found, why = "invalid", str(error)
        count += 1
        if found != expected:
            faults += 1
            print(f"{rule}: {found}, not {expected}: {why[:300]} {item}")
    print(f"{count} items, {len(schemas)} rules, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
