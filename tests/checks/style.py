#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""House rules that a machine can see: clang-format, licence heads, include guards, file length."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = (".h", ".cpp", ".cu", ".cuh")
SCRIPTS = (".py", ".sh", ".cmake")
MAX_LINES = 520


def files(suffixes):
    for folder in ("engine", "views", "app", "tests", "packaging", "resources"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def main():
    found = []
    sources = list(files(SOURCES))
    for path in sources + list(files(SCRIPTS)):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in "\n".join(text.split("\n")[:4]):
            found.append(f"{name}: no SPDX licence line in its head")
        if path.suffix == ".h" and "#pragma once" not in text:
            found.append(f"{name}: no #pragma once")
        if text.count("\n") > MAX_LINES:
            found.append(f"{name}: {text.count(chr(10))} lines; find a seam and split it")
    formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
    if formatter is None:
        found.append("clang-format is missing; install clang-format-14")
    else:
        for path in sources:
            run = subprocess.run([formatter, "--dry-run", "-Werror", str(path)], capture_output=True)
            if run.returncode != 0:
                found.append(f"{path.relative_to(ROOT)}: not formatted; run clang-format -i on it")
    for line in found:
        print(line)
    print(f"{len(sources)} sources read, {len(found)} complaints")
    return 1 if found or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
