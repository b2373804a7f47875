"""Compares generated patterns with V8: ``python -m tests.bench.pattern_differential``.

Prints how many cases agree, every difference, and what is refused, by reason. The same seed draws
the same cases. Stopped with Ctrl-C, it prints what it has.
"""

import argparse
import sys
import time
from collections import Counter
from contextlib import suppress
from random import Random

from tests.core.patterns import v8
from tests.core.patterns.compare import verdict
from tests.core.patterns.generator import Generator

_BATCH = 200


def main() -> int:
    """Run the comparison; 1 if anything differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", type=int, default=20, help="differences to print")
    chosen = options.parse_args()
    engine = v8.start()
    began = time.perf_counter()
    generator = Generator(Random(chosen.seed))
    results: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    left = chosen.count
    with suppress(KeyboardInterrupt):
        while left > 0:
            cases = [generator.case() for _ in range(min(left, _BATCH))]
            left -= len(cases)
            for case, answer in zip(cases, engine.ask(cases), strict=True):
                result = verdict(case, answer)
                kind, _, reason = result.partition(": ")
                if kind == "refused":
                    refusals[reason] += 1
                if kind.startswith(("same", "refused", "gave up")):
                    results[kind] += 1
                    continue
                results["different"] += 1
                if results["different"] <= chosen.show:
                    print(f"{case!a}\n    {result!a}", flush=True)
    engine.close()
    seconds = time.perf_counter() - began
    print(f"{engine.name}; {sum(results.values())} cases, seed {chosen.seed}, {seconds:.0f} s")
    for kind, count in sorted(results.items()):
        print(f"{count:8d}  {kind}")
    for reason, count in refusals.most_common():
        print(f"{count:8d}  refused: {reason!a}")
    return 1 if results["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
