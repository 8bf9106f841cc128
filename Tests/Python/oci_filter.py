"""Compiles a seccomp profile of the OCI runtime specification to BPF by libseccomp's Python binding, as container tools do.

usage: oci_filter.py PROFILE BPF     (with Debian's python3, which has the binding: package python3-seccomp)
"""

import json
import sys

import seccomp

OPERATIONS = {"SCMP_CMP_EQ": seccomp.EQ, "SCMP_CMP_MASKED_EQ": seccomp.MASKED_EQ}


def action(name, number):
    if name == "SCMP_ACT_ERRNO":
        return seccomp.ERRNO(number)
    return {"SCMP_ACT_ALLOW": seccomp.ALLOW, "SCMP_ACT_KILL_PROCESS": seccomp.KILL_PROCESS}[name]


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    assert profile["architectures"] == ["SCMP_ARCH_X86_64"], "compiled for this machine"
    default = action(profile["defaultAction"], profile.get("defaultErrnoRet", 1))
    result = seccomp.SyscallFilter(default)
    result.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    for entry in profile["syscalls"]:
        arguments = [
            seccomp.Arg(one["index"], OPERATIONS[one["op"]], one["value"], one["valueTwo"])
            for one in entry.get("args", [])
        ]
        for name in entry["names"]:
            result.add_rule_exactly(action(entry["action"], entry.get("errnoRet", 1)), name, *arguments)
    with open(sys.argv[2], "wb") as file:
        result.export_bpf(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
