"""Validates the shipped manifests and policies, and a crash report, against the published JSON Schemas.

Run with a Python that has `jsonschema` (PyPI). Further manifest files or folders may be named as arguments.
Exit code 0 if every file is as its schema says, and every broken sample is refused; 1 otherwise.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a schema accepts says little until something is refused: each sample breaks one thing.
BROKEN_POLICIES = [
    {},
    {"policyVersion": 2},
    {"policyVersion": 1, "rulez": []},
    {"policyVersion": 1, "rules": [{"modules": "com.ex*", "grant": []}]},
    {"policyVersion": 1, "rules": [{"modules": "forsetti.core.*"}]},
    {"policyVersion": 1, "rules": [{"modules": "com.example.*", "grant": ["netwroking"]}]},
    {"policyVersion": 1, "rules": [{"modules": "com.example.*", "publish": ["forsetti.lifecycle.started"]}]},
    {"policyVersion": 1, "rules": [{"modules": "com.example.a", "origin": {}}]},
    {"policyVersion": 1, "defaults": {"sandbox": {"direct": ["storage"]}}},
    {"policyVersion": 1, "defaults": {"sandbox": {"mayBeMissing": ["seccomp"]}}},
    {"policyVersion": 1, "defaults": {"deadlineMilliseconds": {"start": 9}}},
    {"policyVersion": 1, "userIDs": {"first": 0, "count": 10}},
    {"policyVersion": 1, "entitlements": {"provider": "file"}},
    {"policyVersion": 1, "entitlements": {"provider": "allowAll", "path": "x"}},
    {"policyVersion": 1, "host": {"standsInFor": ["Linux"]}},
    {"policyVersion": 1, "onDrift": {"reason": "no value"}},
    {"policyVersion": 1, "roles": {"ui": "host"}},
    {"policyVersion": 1, "views": {"home": "forsetti.core"}},
    {"policyVersion": 1, "views": {" ": "com.example.a"}},
    {"policyVersion": 1, "telemetry": {"destination": "collector", "url": "ftp://x"}},
    {"policyVersion": 1, "traces": {"url": "https://x", "rate": 0}},
    {"policyVersion": 1, "traces": {"url": "https://x"}},
    {"policyVersion": 1, "rules": [{"modules": "a.b", "networking": {"allow": [{"ports": [443]}]}}]},
    {"policyVersion": 1, "rules": [{"modules": "a.b", "networking": {"allow": [{"hosts": ["*"]}]}}]},
    {"policyVersion": 1, "rules": [{"modules": "a.b", "networking": {"allow": [{"hosts": ["a.b"], "methods": ["TRACE"]}]}}]},
]
BROKEN_MANIFEST_CHANGES = [
    ("moduleID", "forsetti.core"),
    ("moduleID", "single"),
    ("moduleVersion", "1.0.0"),
    ("moduleType", "plugin"),
    ("supportedPlatforms", []),
    ("capabilitiesRequested", ["network"]),
    ("entryPoint", "A..B"),
    ("defaultModuleRole", "ui"),
    ("manifestTemplateVersion", None),
]

# The decoder's tests read the same file.
CRASH_REPORT = ROOT / "Tests" / "Python" / "crash-report.json"
BROKEN_CRASH_REPORT_CHANGES = [
    ("schemaVersion", "2.0"),
    ("id", "../etc/passwd"),
    ("exit", {"status": {"signal": 9, "signalName": "SIGKILL"}, "reason": {"kind": "sad"}, "message": ""}),
    ("next", {"kind": "maybe", "message": "", "command": ""}),
    ("evidence", {}),
    ("unknown", 1),
]


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validator(name):
    schema = load(ROOT / "Resources" / "Schemas" / name)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def json_files(arguments):
    for argument in map(pathlib.Path, arguments):
        yield from sorted(argument.rglob("*.json")) if argument.is_dir() else [argument]


def main(arguments):
    policies, manifests = validator("policy.schema.json"), validator("manifest.schema.json")
    shipped = sorted((ROOT / "Resources" / "ForsettiManifests").glob("*.json"))
    good = [(policies, path) for path in sorted((ROOT / "policy").glob("*.json"))]
    examples = sorted((ROOT / "Resources" / "ExampleManifests").glob("*.json"))
    good += [(manifests, path) for path in shipped + examples + list(json_files(arguments))]
    crashes = validator("crash-report.schema.json")
    good.append((crashes, CRASH_REPORT))
    failures = []
    if len(shipped) != 11:
        failures.append(f"11 shipped manifests are meant, there are {len(shipped)}")
    if len(examples) != 2:
        failures.append(f"2 example manifests are meant, there are {len(examples)}")
    for schema, path in good:
        for error in schema.iter_errors(load(path)):
            failures.append(f"{path}: {error.json_path}: {error.message}")
    for sample in BROKEN_POLICIES:
        if policies.is_valid(sample):
            failures.append(f"the policy schema accepts {json.dumps(sample)}")
    service = load(ROOT / "Resources" / "ForsettiManifests" / "ForsettiScannerServiceModule.json")
    for key, value in BROKEN_MANIFEST_CHANGES:
        if manifests.is_valid({**service, key: value}):
            failures.append(f"the manifest schema accepts {key} = {json.dumps(value)}")
    report = load(CRASH_REPORT)
    for key, value in BROKEN_CRASH_REPORT_CHANGES:
        if crashes.is_valid({**report, key: value}):
            failures.append(f"the crash report schema accepts {key} = {json.dumps(value)}")
    print("\n".join(failures) if failures else f"{len(good)} files are as their schemas say")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
