"""Writes policy/demo.json: policy/strict.json, and what a made-up server on this machine needs besides.

Run it again when strict.json has changed; a test holds the two to each other.
"""

import json
import pathlib

POLICY = pathlib.Path(__file__).resolve().parents[2] / "policy"
JAMF = "com.forsetti.jamfpro.service.jamf"
REASON = (
    "For `make demo`: what strict.json says, and besides that a web console, and the made-up Jamf Pro server on this "
    "machine in the place of a real one.")
NETWORKING = {
    "reason": "The made-up server listens on this machine alone; `make demo` puts its port in the place of this one.",
    "allow": [{
        "hosts": ["127.0.0.1"], "schemes": ["http"], "ports": [8667],
        "methods": ["GET", "POST", "PUT", "PATCH", "DELETE"],
    }],
}


def text(value, indent=0):
    """JSON with short values on one line, as the other policies are written."""
    line = json.dumps(value, ensure_ascii=False)
    if isinstance(value, (dict, list)) and value:
        if isinstance(value, dict):
            line = "{ " + line[1:-1] + " }"
        if indent > 0 and len(line) <= 100 and "{" not in line[1:]:
            return line
        inner = " " * (indent + 2)
        if isinstance(value, dict):
            parts = [f"{json.dumps(key)}: {text(member, indent + 2)}" for key, member in value.items()]
        else:
            parts = [text(element, indent + 2) for element in value]
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        return opening + "\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + closing
    return line


def demo(strict):
    policy = {}
    for key, value in strict.items():
        policy[key] = REASON if key == "reason" else value
        if key == "ui":
            policy["console"] = {"listen": "127.0.0.1:0"}
    for rule in policy["rules"]:
        if rule["modules"] == JAMF:
            rule["networking"] = NETWORKING
    return policy


if __name__ == "__main__":
    strict = json.loads((POLICY / "strict.json").read_text())
    (POLICY / "demo.json").write_text(text(demo(strict)) + "\n")
