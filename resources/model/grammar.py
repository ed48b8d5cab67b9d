# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The story grammar: templates in, stories out, the same ones for the same seed.

Every choice is uniform and is counted, so a story comes with the entropy of its derivation: an upper bound on
what a perfect model would still have to guess. Run as a script to read some stories:

    python grammar.py --seed 7 --stories 3
"""
import argparse
import functools
import math
import random
import re

import lexicon as lx
from plots import OPENINGS, PLOTS as PLOTS_1, ENDINGS, LINKS, LONG_OPENERS
from plots_more import PLOTS as PLOTS_2

PLOTS = {**PLOTS_1, **PLOTS_2}
MADE_UP_NAMES = 12          # one story in so many has a hero with an invented name
LONG_STORIES = 5            # one story in so many is a long one made of two or three plots


class Chooser:
    """A random source that adds up the entropy (in nats) of every choice it makes."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.nats = 0.0

    def pick(self, options, avoid=()):
        options = list(options)
        if avoid:
            options = [o for o in options if o not in avoid] or options
        self.nats += math.log(len(options))
        return options[self.rng.randrange(len(options))]

    def one_in(self, n):
        hit = self.rng.randrange(n) == 0
        self.nats -= math.log((1 if hit else n - 1) / n)
        return hit


@functools.lru_cache(maxsize=None)
def parse(text):
    """Template text -> tuple of parts: str, ("var", key) or ("alt", [parts, ...])."""
    parts, pos = [], 0
    while pos < len(text):
        if text[pos] == "{":
            depth, start, options, i = 1, pos + 1, [], pos + 1
            while depth:
                if text[i] == "{":
                    depth += 1
                elif text[i] == "}":
                    depth -= 1
                if (text[i] == "|" and depth == 1) or depth == 0:
                    options.append(parse(text[start:i]))
                    start = i + 1
                i += 1
            parts.append(("alt", options))
            pos = i
        elif text[pos] == "<":
            end = text.index(">", pos)
            parts.append(("var", text[pos + 1:end]))
            pos = end + 1
        else:
            nxt = min((k for k in (text.find("{", pos), text.find("<", pos)) if k >= 0), default=len(text))
            parts.append(text[pos:nxt])
            pos = nxt
    return tuple(parts)


PRONOUNS = {"f": dict(he="she", him="her", his="her", self="herself", hers="hers"),
            "m": dict(he="he", him="him", his="his", self="himself", hers="his")}


def article(noun):
    return ("an " if noun[0] in "aeiou" else "a ") + noun


class Story:
    """The variables of one story, chosen when first asked for."""

    def __init__(self, chooser, recent):
        self.c, self.recent, self.v, self.friends = chooser, recent, {}, set()

    # -- cast and props -------------------------------------------------------------------------------------
    def character(self, key, avoid, may_work):
        c = self.c
        kind = c.pick(["girl", "boy", "she-beast", "he-beast"] + (["worker"] if may_work else []))
        if kind == "worker":
            sex, noun = c.pick("fm"), "young " + c.pick(lx.WORKERS)
        elif kind.endswith("beast"):
            sex = "f" if kind[0] == "s" else "m"
            noun = c.pick(["little ", "young ", "small "]) + c.pick(lx.BEASTS, {self.v.get("f.beast"), self.v.get("h.beast")})
            self.v[key + ".beast"] = noun.split(" ", 1)[1]
        else:
            sex = "f" if kind == "girl" else "m"
            noun = c.pick(["", "little ", "young "]) + kind
        if c.one_in(MADE_UP_NAMES):
            name = c.pick(lx.SYLLABLES_1) + c.pick(lx.SYLLABLES_2) + c.pick(lx.SHE_TAILS if sex == "f" else lx.HE_TAILS)
        elif kind.endswith("beast"):
            name = c.pick(lx.SHE_BEASTS if sex == "f" else lx.HE_BEASTS, avoid)
        else:
            name = c.pick(lx.GIRLS if sex == "f" else lx.BOYS, avoid)
        self.v[key], self.v[key + ".a"], self.v[key + ".noun"] = name, article(noun), noun
        self.pronouns(key, sex)

    def pronouns(self, key, sex):
        for k, p in PRONOUNS[sex].items():
            self.v[key + "." + k] = p
            self.v[key + "." + k.capitalize()] = p.capitalize()

    def make(self, key):
        """Choose the variable `key` (and those that come with it)."""
        c, v, base = self.c, self.v, key.split(".")[0]
        if base == "h":
            self.character("h", self.recent["names"], True)
        elif base == "f":
            self.character("f", self.recent["names"] | {self.get("h")} | self.friends, False)
            self.friends.add(v["f"])
        elif base == "g":
            v["g"], sex = c.pick(lx.ELDERS)
            self.pronouns("g", sex)
        elif base == "trait":
            v["trait"] = c.pick(lx.TRAITS)
            v["trait.a"] = article(v["trait"])
        elif base == "region":
            v["region"] = c.pick(lx.REGIONS, self.recent["regions"])
        elif base == "season":
            v["season"] = c.pick(lx.SEASONS, self.recent["seasons"])
        elif base in ("p", "q", "r"):
            used = {v[k] for k in ("p", "q", "r") if k in v}
            place, prep = c.pick([x for x in lx.REGIONS[self.get("region")]["places"] if x[0] not in used])
            v[base], v[base + ".at"] = place, prep + " " + place
        elif base in ("c", "d"):                       # two helpers of the region
            other = v.get("d.noun" if base == "c" else "c.noun")
            own = v.get("h.beast"), v.get("f.beast"), other
            noun = c.pick(lx.REGIONS[self.get("region")]["helpers"], own)
            full = c.pick(lx.HELPER_ADJ, {v.get("d.adj" if base == "c" else "c.adj")})
            v[base + ".adj"], v[base + ".noun"] = full, noun
            v[base], v[base + ".a"] = "the " + noun, article(full + " " + noun)
            v[base + ".full"] = "the " + full + " " + noun
            self.pronouns(base, "m" if noun in lx.PEOPLE_HELPERS else c.pick("fm"))
        elif base == "o":
            noun = c.pick(lx.THINGS, self.recent["things"])
            full = c.pick(lx.COLOURS, {"silver"} if "silver" in noun else ()) + " " + noun
            v["o"], v["o.full"], v["o.a"] = noun, full, article(full)
        else:
            table = {"food": lx.FOODS, "baby": lx.BABIES, "fear": lx.FEARS, "feast": lx.FEASTS, "vehicle": lx.VEHICLES,
                     "cure": lx.CURES}[base]
            v[base] = c.pick(table, {v.get("h.beast"), v.get("f.beast")})

    def get(self, key):
        # Words that are chosen anew at each use.
        if key in ("path", "sound", "home"):
            return self.expand(self.c.pick(lx.REGIONS[self.get("region")][key]))
        if key.startswith("season."):
            return self.expand(self.c.pick(lx.SEASONS[self.get("season")][key[7:]]))
        if key == "trait.tell":
            return self.expand(self.c.pick(lx.TRAITS[self.get("trait")]))
        if key == "o.from":
            return self.expand(self.c.pick(lx.FROM))
        if key not in self.v:
            self.make(key)
        return self.v[key]

    # -- text -----------------------------------------------------------------------------------------------
    def expand(self, template):
        return self._walk(parse(template))

    def _walk(self, parts):
        out = []
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif part[0] == "var":
                out.append(self.get(part[1]))
            else:
                out.append(self._walk(self.c.pick(part[1])))
        return "".join(out)

    def tell(self, item):
        """A str is a sentence ("?" in front: told every other time), a list a sequence, a tuple a choice."""
        if isinstance(item, list):
            return " ".join(s for s in map(self.tell, item) if s)
        if isinstance(item, tuple):
            return self.tell(self.c.pick(item))
        if item.startswith("?"):
            return "" if self.c.one_in(2) else self.tell(item[1:])
        return self.expand(item)


CAPITAL = re.compile(r'(^|\n|[.]"? |[!?] |\n")([a-z])')


def tidy(text):
    text = re.sub(r" +", " ", text).strip()
    return CAPITAL.sub(lambda m: m.group(1) + m.group(2).upper(), text)


class Corpus:
    """An endless, deterministic stream of stories. Neighbours differ in plot, names, land and season, so a model
    that keeps writing past the end of one story moves on to a new one."""

    def __init__(self, seed):
        self.c = Chooser(seed)
        self.recent = {k: [] for k in ("plots", "names", "regions", "seasons", "things", "openings")}

    def remember(self, key, values, n):
        self.recent[key] = (self.recent[key] + values)[-n:]

    def story(self):
        """-> (text, nats)"""
        c = self.c
        start = c.nats
        recent = {k: set(v) for k, v in self.recent.items()}
        s = Story(c, recent)
        count = c.pick([2, 3]) if c.one_in(LONG_STORIES) else 1
        opening = c.pick(range(len(OPENINGS)), recent["openings"])
        paragraphs = [s.tell(OPENINGS[opening] if count == 1 else OPENINGS[opening] + [LONG_OPENERS])]
        plots = []
        for i in range(count):
            name = c.pick(PLOTS, recent["plots"] | set(plots))
            plots.append(name)
            if i:                                      # a long story: the same hero, new friends, things and places
                for k in list(s.v):
                    if k.split(".")[0] not in ("h", "g", "trait", "region", "season"):
                        del s.v[k]
            body = [s.tell(p) for p in PLOTS[name]]
            if i:
                body[0] = s.tell(LINKS) + " " + body[0]
            paragraphs += body
        paragraphs.append(s.tell(ENDINGS))
        self.remember("plots", plots, 5)
        self.remember("names", [s.v["h"], *sorted(s.friends)], 8)
        self.remember("regions", [s.v[k] for k in ("region",) if k in s.v], 2)
        self.remember("seasons", [s.v[k] for k in ("season",) if k in s.v], 2)
        self.remember("things", [s.v[k] for k in ("o",) if k in s.v], 3)
        self.remember("openings", [opening], 3)
        return tidy("\n".join(p for p in paragraphs if p)), c.nats - start


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--stories", type=int, default=3)
    a.add_argument("--stats", action="store_true", help="only count words and entropy")
    args = a.parse_args()
    corpus = Corpus(args.seed)
    words, nats, lengths = 0, 0.0, []
    for _ in range(args.stories):
        text, n = corpus.story()
        lengths.append(len(text.split()))
        words, nats = words + lengths[-1], nats + n
        if not args.stats:
            print(text, "\n\n---\n")
    lengths.sort()
    print(f"{args.stories} stories, {words} words, {nats / words:.3f} nats of choice per word, "
          f"words per story: least {lengths[0]}, median {lengths[len(lengths) // 2]}, most {lengths[-1]}")


if __name__ == "__main__":
    main()
