"""Compiles a seccomp profile of the OCI runtime specification to BPF by libseccomp's Python binding, as container tools do:
for x86-64, and a process without capabilities.

usage: oci_filter.py PROFILE BPF     (with Debian's python3, which has the binding: package python3-seccomp)
"""

import json
import sys

import seccomp

OPERATIONS = {
    "SCMP_CMP_NE": seccomp.NE,
    "SCMP_CMP_LT": seccomp.LT,
    "SCMP_CMP_LE": seccomp.LE,
    "SCMP_CMP_EQ": seccomp.EQ,
    "SCMP_CMP_GE": seccomp.GE,
    "SCMP_CMP_GT": seccomp.GT,
    "SCMP_CMP_MASKED_EQ": seccomp.MASKED_EQ,
}


def action(name, number):
    if name == "SCMP_ACT_ERRNO":
        return seccomp.ERRNO(number)
    return {"SCMP_ACT_ALLOW": seccomp.ALLOW, "SCMP_ACT_KILL_PROCESS": seccomp.KILL_PROCESS}[name]


def holds(entry) -> bool:
    includes, excludes = entry.get("includes") or {}, entry.get("excludes") or {}
    machines = includes.get("arches", [])
    return not includes.get("caps") and (not machines or "amd64" in machines) and "amd64" not in excludes.get("arches", [])


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    assert profile.get("architectures", ["SCMP_ARCH_X86_64"]) == ["SCMP_ARCH_X86_64"], "compiled for this machine"
    default = (profile["defaultAction"], profile.get("defaultErrnoRet", 1))
    result = seccomp.SyscallFilter(action(*default))
    result.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    for entry in filter(holds, profile["syscalls"]):
        one = (entry["action"], entry.get("errnoRet", 1))
        if one[0] == default[0] and (one[0] != "SCMP_ACT_ERRNO" or one == default):
            continue
        arguments = [
            seccomp.Arg(arg["index"], OPERATIONS[arg["op"]], arg["value"], arg["valueTwo"])
            for arg in entry.get("args") or []
        ]
        for name in entry["names"]:
            # Negative numbers are calls of other architectures.
            if seccomp.resolve_syscall(seccomp.Arch(), name) >= 0:
                result.add_rule_exactly(action(*one), name, *arguments)
    with open(sys.argv[2], "wb") as file:
        result.export_bpf(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
