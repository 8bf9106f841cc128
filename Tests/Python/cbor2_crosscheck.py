"""The other side of Tests/ForsettiIPCTests/CrossCheckTests.swift: cbor2 judges our CBOR, and we judge cbor2's.

    cbor2_crosscheck.py generate COUNT   writes COUNT values that hypothesis makes, one a line
    cbor2_crosscheck.py check FILE       reads such lines and judges each; exit code 1 if one is not as cbor2 has it

A line is the encoding in hexadecimal, a tab, and the value in a notation that leaves no room: decimal integers,
h'…' for bytes and t'…' for the UTF-8 of text in hexadecimal, f'…' for the 64 bits of a float, true, false, null,
[a,b] and {key:value,…} in the order of the encoding.

cbor2's canonical mode is the older length-first order of RFC 7049. The two orders differ only where keys are of both
types, so maps are put together here from cbor2's encodings of their parts, and cbor2 is asked for the whole map where
all keys are text.
"""

import struct
import sys

import cbor2
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

INTEGERS = st.one_of(
    st.integers(-(2**64), 2**64 - 1),
    st.integers(-300, 300),
    st.sampled_from([edge + step for edge in (24, 2**8, 2**16, 2**32, 2**63) for step in (-1, 0, 1)]),
    st.sampled_from([-edge - step for edge in (24, 2**8, 2**16, 2**32, 2**63) for step in (0, 1, 2)]),
)
FLOATS = st.one_of(st.floats(), st.floats(width=32), st.floats(width=16), st.integers(-70000, 70000).map(float))
SCALARS = st.one_of(INTEGERS, FLOATS, st.text(), st.binary(max_size=300), st.booleans(), st.none())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=30),
        st.dictionaries(st.text(max_size=40), inner, max_size=30),
        st.dictionaries(st.one_of(INTEGERS, st.text()), inner, max_size=8),
    ),
    max_leaves=40,
)


def head(major: int, argument: int) -> bytes:
    """The head of a container: cbor2's integer with another major type."""
    encoded = bytearray(cbor2.dumps(argument))
    encoded[0] |= major << 5
    return bytes(encoded)


def encode(value) -> bytes:
    """The encoding of RFC 8949 §4.2.1."""
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(encode(item) for item in value)
    if isinstance(value, dict):
        members = sorted((encode(key), encode(item)) for key, item in value.items())
        encoded = head(5, len(value)) + b"".join(key + item for key, item in members)
        if all(isinstance(key, str) for key in value) and not any(isinstance(v, (list, dict)) for v in value.values()):
            assert encoded == cbor2.dumps(value, canonical=True), value
        return encoded
    return cbor2.dumps(value, canonical=True)


def notation(value) -> str:
    """The value as text; maps in the order in which their members come."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            bits = 0x7FF8000000000000 if value != value else struct.unpack(">Q", struct.pack(">d", value))[0]
            return f"f'{bits:016x}'"
        case str():
            return f"t'{value.encode().hex()}'"
        case bytes():
            return f"h'{value.hex()}'"
        case list():
            return "[" + ",".join(map(notation, value)) + "]"
        case dict():
            return "{" + ",".join(f"{notation(key)}:{notation(item)}" for key, item in value.items()) + "}"
    raise TypeError(f"{type(value).__name__} is outside the profile")


def generate(count: int) -> None:
    values = []

    @settings(
        max_examples=count, database=None, derandomize=True, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck))
    @given(VALUES)
    def collect(value):
        values.append(value)

    collect()
    for value in values:
        encoded = encode(value)
        print(encoded.hex(), notation(cbor2.loads(encoded)), sep="\t")


def check(path: str) -> int:
    faults = count = 0
    with open(path, encoding="ascii") as lines:
        for line in lines:
            encoded, expected = line.rstrip("\n").split("\t")
            value = cbor2.loads(bytes.fromhex(encoded))
            count += 1
            if notation(value) != expected:
                print(f"line {count}: cbor2 reads {encoded} as {notation(value)}, not {expected}")
            elif encode(value).hex() != encoded:
                print(f"line {count}: cbor2 writes {encode(value).hex()} for {encoded}")
            else:
                continue
            faults += 1
    print(f"{count} values, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["generate", count]:
            generate(int(count))
        case ["check", path]:
            sys.exit(check(path))
        case _:
            sys.exit(__doc__)
