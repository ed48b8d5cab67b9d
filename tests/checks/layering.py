#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the #include lines of every source file and fails on an arrow that runs the wrong way.

The allowed arrows are ALLOWED below; they are the architecture. `--self-test` proves that the check
can fail: it feeds a forbidden arrow of each kind and requires a complaint.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

ENGINE_CHAIN = ["base", "numeric", "kernels", "model", "run"]
TRACE_CHAIN = ["base", "trace", "compare", "audit"]
# trace meets run at the observer only.
EXCEPTIONS = {("engine/trace", "engine/run/observer.h")}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
QT = re.compile(r"^(Q[A-Z]\w*|qcustomplot\.h|Qt\w+/.*)$")


def part_of(path):
    """engine/run/decoder.h -> engine/run; views/x.h -> views; app/gui/x.h -> app/gui."""
    pieces = path.split("/")
    if pieces[0] in ("engine", "app") and len(pieces) > 2:
        return "/".join(pieces[:2])
    return pieces[0]


def allowed_parts(part):
    if part.startswith("engine/"):
        name = part.split("/")[1]
        seen = set()
        for chain in (ENGINE_CHAIN, TRACE_CHAIN):
            if name in chain:
                seen |= {"engine/" + n for n in chain[: chain.index(name) + 1]}
        return seen
    if part == "views":
        return {"views", "engine/base", "engine/trace", "engine/compare", "engine/audit"}
    engine = {"engine/" + n for n in ENGINE_CHAIN + TRACE_CHAIN}
    if part == "app/worker":
        return engine | {"app/worker"}
    if part == "app/cli":
        return engine | {"app/worker", "app/cli"}
    if part == "app/gui":
        return engine | {"app/worker", "app/gui", "views"}
    return None


def complaints(path, text):
    part = part_of(path)
    allowed = allowed_parts(part)
    if allowed is None:
        return [f"{path}: no layer is known for this folder"]
    found = []
    for match in INCLUDE.finditer(text):
        quote, target = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        if quote == '"':
            goal = part_of(target)
            if goal not in allowed and (part, target) not in EXCEPTIONS:
                found.append(f"{path}:{line}: {part} must not include {target}")
        elif QT.match(target) and part not in ("views", "app/gui"):
            found.append(f"{path}:{line}: {part} must not include Qt ({target})")
        elif part == "views" and re.match(r"^(thread|fstream|future|QThread|QFile|QSaveFile)$", target):
            found.append(f"{path}:{line}: views start no threads and open no files ({target})")
    return found


def self_test():
    bad = [
        ("engine/base/a.h", '#include "engine/numeric/b.h"'),
        ("engine/kernels/a.h", '#include "engine/run/b.h"'),
        ("engine/run/a.h", '#include "engine/trace/b.h"'),
        ("engine/trace/a.h", '#include "engine/run/decoder.h"'),
        ("engine/trace/a.h", '#include "engine/compare/b.h"'),
        ("engine/audit/a.h", "#include <QString>"),
        ("views/a.h", '#include "engine/run/b.h"'),
        ("views/a.h", '#include "app/gui/b.h"'),
        ("views/a.cpp", "#include <QThread>"),
        ("app/cli/a.h", '#include "views/b.h"'),
        ("app/worker/a.h", "#include <QObject>"),
    ]
    good = [
        ("engine/trace/a.h", '#include "engine/run/observer.h"'),
        ("engine/run/a.h", '#include "engine/kernels/b.h"'),
        ("app/gui/a.h", '#include "views/b.h"\n#include <QWidget>'),
    ]
    wrong = [b for b in bad if not complaints(*b)] + [g for g in good if complaints(*g)]
    for case in wrong:
        print("self-test: judged wrongly:", case)
    return not wrong


def main():
    if not self_test():
        return 1
    found = []
    count = 0
    for folder in ("engine", "views", "app"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu", ".cuh", ".inc"):
                count += 1
                name = path.relative_to(ROOT).as_posix()
                found += complaints(name, path.read_text(encoding="utf-8"))
    for line in found:
        print(line)
    print(f"{count} files read, {len(found)} forbidden includes")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
