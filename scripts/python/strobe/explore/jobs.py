# SPDX-License-Identifier: Apache-2.0
"""The simulations of a study as shell commands, for GNU parallel or an array of jobs."""
from __future__ import annotations

import shlex

from strobe.explore import cache as caches
from strobe.explore import images, search
from strobe.explore.study import Study
from strobe.run import StrobeError, program, resolved, setting_options


def commands(study: Study, cache: caches.Cache, build: str, has_images: bool) -> list[str]:
    """One line per simulation that the cache does not have. The first command that needs an image makes it, others wait for it."""
    if study.search.method not in ("grid", "random", "sobol"):
        raise StrobeError(f"{study.file}: --emit-jobs needs points that are known beforehand: --method grid, random or sobol")
    library = caches.scenarios_directory(program())
    folders = [file.parent.resolve() for file in caches.family(study.scenario, library)] + [library]
    lines = []
    for values in search.plan(study):
        for seed in study.seeds:
            settings = {**study.settings, **study.space.settings(values), **({} if seed is None else {"seed": seed})}
            try:
                image = images.key_of(study.scenario, settings) if has_images else None
                key = caches.key_of(resolved(study.scenario, settings), program=program(), build=build, folders=folders, image=image)
            except StrobeError:
                continue  # recorded as failed when the study runs
            target = cache.file(key).resolve()
            if cache.get(key) is None:
                words = [program(), "run", study.scenario, "--quiet", *setting_options(settings)]
                line = f"mkdir -p {shlex.quote(str(target.parent))} && "
                if image:
                    saved = cache.image(image).resolve()
                    made = f"test -e {shlex.quote(str(saved))} || {shlex.join([*words, '--until-measured', '--save-image', str(saved)])}"
                    lock = shlex.quote(str(saved.with_suffix(".lock")))
                    line += f"mkdir -p {shlex.quote(str(saved.parent))} && flock {lock} sh -c {shlex.quote(made)} && "
                    words += ["--image", str(saved)]
                lines.append(f"{line}{shlex.join([*words, '--json', str(target)])}\n")
    return lines
