"""Reads OpenMetrics text by the reference parser and prints one line for each family: name, type, number of samples.

usage: openmetrics_families.py FILE
"""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families


def main() -> int:
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        families = list(text_string_to_metric_families(text))
    except ValueError as error:
        print(f"no OpenMetrics: {error}")
        return 1
    for family in families:
        print(family.name, family.type, len(family.samples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
