"""Reads a SARIF file by the models of sarif-pydantic and prints one line for each result: rule, level, line, open or suppressed.

usage: sarif_results.py FILE
"""

import pathlib
import sys

from sarif_pydantic import Sarif


def main() -> int:
    log = Sarif.model_validate_json(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    if log.version != "2.1.0" or len(log.runs) != 1:
        print(f"one run of version 2.1.0 is meant, not {len(log.runs)} of {log.version}")
        return 1
    run = log.runs[0]
    known = {rule.id for rule in run.tool.driver.rules}
    for result in run.results:
        if result.rule_id not in known:
            print(f"{result.rule_id} is no rule of the tool")
            return 1
        region = result.locations[0].physical_location.region
        state = "suppressed" if getattr(result, "suppressions", None) else "open"
        print(result.rule_id, result.level.value, region.start_line if region else 0, state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
