#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the published chat templates of golden.json again with jinja2 and write what they give.

Set up as model publishers' libraries set jinja2 up. BOS is rendered as nothing, EOS as </s>; null
where the template raises. usage: make_golden.py golden.json   (needs: pip install jinja2)
"""
import json
import sys

import jinja2
import jinja2.sandbox

CASES = [
    {"system": "Be brief.", "user": "Who are you?"},
    {"system": None, "user": "Who are you?"},
    {"system": "  Be\nbrief. ", "user": " two\n lines \n"},
    {"system": None, "user": " \u00e9\u00a0"},
    {"system": "Say <|im_end|> and [/INST].", "user": "</s><|eot_id|><end_of_turn>"},
]


def fail(message):
    raise jinja2.exceptions.TemplateError(message)


def render(template, case):
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = fail
    messages = [{"role": "system", "content": case["system"]}] if case["system"] is not None else []
    messages.append({"role": "user", "content": case["user"]})
    try:
        return environment.from_string(template).render(
            messages=messages, add_generation_prompt=True, bos_token="", eos_token="</s>")
    except jinja2.exceptions.TemplateError:
        return None


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        golden = json.load(file)
    golden["cases"] = CASES
    for entry in golden["templates"]:
        if entry["family"]:
            entry["rendered"] = [render(entry["template"], case) for case in CASES]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


main()
