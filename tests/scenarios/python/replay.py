#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of a grid's front a search finds: searches are replayed with the results of a finished grid, nothing is simulated.

    build/python/bin/python tests/scenarios/python/replay.py STUDY POINTS.JSONL --method nsga2 --points 65 --seeds 24

STUDY: a study file with two objectives. POINTS.JSONL: points.jsonl of its results with --method grid, or a file of tests/data/studies.
STROBE in the environment names the program.
"""
import argparse
import dataclasses
import json
import pathlib
import statistics
import tempfile

from strobe.explore import points, search, study_file
from strobe.explore.study import Search

IN_FLIGHT = 3  # as with two processors
MEMORY = "/dev/shm"  # for the journals of the searches, which are flushed to disk otherwise


class Grid:
    def __init__(self, study, recorded):
        self.study = study_file.load(str(study))
        self.points = {}
        for line in pathlib.Path(recorded).read_text(encoding="utf-8").splitlines():
            content = json.loads(line)
            if content.get("status", "ok") != "ok":
                continue
            means = {name: measured["mean"] for name, measured in content["measured"].items()}
            self.points[points.identity(content["values"])] = points.Point(
                1, content["values"], "ok", "", {name: points.Measured(mean, mean, mean) for name, mean in means.items()},
                content.get("violations", {}))
        losses = [self.loss(point) for point in self.points.values()]
        self.worst = [max(loss[0] for loss in losses), max(loss[1] for loss in losses)]
        self.front = self.best(self.points.values())

    def loss(self, point):
        return tuple(objective.sign * value for objective, value in zip(self.study.objectives, point.objectives(self.study), strict=True))

    def best(self, some):
        """Losses that no other one beats."""
        found, least = [], float("inf")
        for first, second in sorted({self.loss(point) for point in some if point.is_feasible}):
            if second < least:
                found.append((first, second))
                least = second
        return found

    def volume(self, some):
        """The area that the points dominate, within the bounds of the grid."""
        volume, least = 0.0, self.worst[1]
        for first, second in self.best(some):
            volume += (self.worst[0] - first) * (least - second)
            least = second
        return volume

    def share(self, some):
        return self.volume(some) / self.volume(self.points.values())

    def searched(self, method, seed, count):
        """Points that a search chooses, in the order in which they finish; some are in flight at any time."""
        study = dataclasses.replace(self.study, search=Search(method, count, seed))
        with tempfile.TemporaryDirectory(dir=MEMORY if pathlib.Path(MEMORY).is_dir() else None) as folder:
            chosen, found, running = search.make(study, pathlib.Path(folder)), [], []
            while len(found) < count:
                while len(found) + len(running) < min(count, len(found) + IN_FLIGHT) and (proposed := chosen.next()) is not None:
                    running.append(proposed)
                if not running:
                    break
                values, handle = running.pop(0)
                found.append(self.points[points.identity(values)])
                chosen.tell(handle, found[-1])
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study")
    parser.add_argument("recorded")
    parser.add_argument("--method", default="nsga2")
    parser.add_argument("--points", type=int, required=True)
    parser.add_argument("--seeds", type=int, default=24)
    given = parser.parse_args()
    grid = Grid(given.study, given.recorded)
    shares, fronts = [], []
    for seed in range(1, given.seeds + 1):
        found = grid.searched(given.method, seed, given.points)
        shares.append(grid.share(found))
        fronts.append(len(set(grid.best(found)) & set(grid.front)))
        print(f"seed {seed}: {shares[-1]:.3f} of the volume, {fronts[-1]} of {len(grid.front)} points of the front", flush=True)
    print(f"mean {statistics.mean(shares):.3f}, median {statistics.median(shares):.3f}, worst {min(shares):.3f}, "
          f"{sum(share >= 0.95 for share in shares)} of {given.seeds} at least 0.95; {statistics.mean(fronts):.1f} of {len(grid.front)} "
          "points of the front")


if __name__ == "__main__":
    main()
