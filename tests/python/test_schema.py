"""`umov schema`: what the program takes is valid, and what it refuses by names, types and ranges is not."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

from support import PROGRAM, REPOSITORY, Test, command

try:
    import jsonschema
except ImportError:
    import unittest
    raise unittest.SkipTest("jsonschema is not here (python3-jsonschema)")

FAMILIES = ("dda", "fdtd", "harmonic", "eqs", "modes", "mie", "solve")


def schema(family):
    return json.loads(command("schema", family)[0])


def written(case):
    """Tables of plain values as TOML."""
    return "".join(f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
                   for table, keys in case.items())


def names_in(part):
    """Keys of all tables, "table.key" of nested lists among them, and the words of choices."""
    keys, words = set(), set()
    if isinstance(part, dict):
        for key, inner in part.get("properties", {}).items():
            keys.add(key)
            keys |= {f"{key}.{list}" for list in inner.get("items", {}).get("properties", {})}
        words |= {word for word in part.get("enum", []) if isinstance(word, str)}
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else []:
        more, others = names_in(inner)
        keys |= more
        words |= others
    return keys, words


class Schema(Test):
    schemas = {}

    def valid(self, family, case):
        jsonschema.Draft7Validator(self.schemas.setdefault(family, schema(family))).validate(case)

    def refused(self, family, case):
        with self.assertRaises(jsonschema.ValidationError):
            self.valid(family, case)
        file = self.folder() / "case.toml"
        file.write_text(written(case), encoding="utf-8")
        _, said = command(family, file, "--dry-run", expect=2)
        self.assertIn("case.toml", said)

    def test_each_is_a_schema(self):
        for family in FAMILIES:
            jsonschema.Draft7Validator.check_schema(schema(family))

    def test_every_example_is_valid(self):
        checked = 0
        for case in sorted((REPOSITORY / "examples").glob("*/case.toml")):
            tree = tomllib.loads(case.read_text(encoding="utf-8"))
            family = ("eqs" if case.parent.name.startswith("eqs") else "harmonic" if "harmonic" in tree else
                      "modes" if "modes" in tree else "fdtd" if "domain" in tree or "layout" in tree else
                      "mie" if "radius" in tree else "dda")
            with self.subTest(case=case.parent.name):
                self.valid(family, tree)
                checked += 1
        self.assertGreater(checked, 25)

    def test_every_resolved_case_is_valid(self):
        """It has all keys, with the defaults as the program writes them."""
        for family, name in (("dda", "sphere"), ("fdtd", "ring_resonator"), ("eqs", "eqs_two_layers"),
                             ("harmonic", "rough_solar_cell"), ("modes", "strip_modes")):
            with self.subTest(family=family):
                said, _ = command(family, REPOSITORY / "examples" / name / "case.toml", "--dry-run", "--quiet")
                self.valid(family, tomllib.loads(said))

    def test_what_is_wrong_by_itself_is_refused_by_both(self):
        for family, case in (("dda", {"shape": {"nam": "sphere"}}), ("dda", {"shape": {"grid": "many"}}),
                             ("dda", {"solver": {"name": "qmrr"}}), ("dda", {"solver": {"epsilon": 0}}),
                             ("fdtd", {"domain": {"polarization": "ty"}}), ("fdtd", {"run": {"normalize": 1}}),
                             ("fdtd", {"boundary": {"x": ["pml", "pml", "pml"]}}),
                             ("eqs", {"mesh": {"order": 3}}), ("eqs", {"time": {"scheme": "euler"}}),
                             ("harmonic", {"harmonic": {"wavelengths": [-1.0]}})):
            with self.subTest(family=family, case=case):
                self.refused(family, case)

    def test_lists_and_sweeps_are_known(self):
        self.valid("fdtd", {"domain": {"resolution": [10, 20]}, "vary": [{"parameter": "body.1.radius", "values": "1:2:3"}],
                            "batch": {"design": "all"}})
        for wrong in ({"vary": [{"values": [1, 2]}]}, {"vary": [{"parameter": "m", "value": [1]}]}, {"batch": {"designs": "all"}}):
            with self.assertRaises(jsonschema.ValidationError):
                self.valid("fdtd", wrong)

    def test_the_tables_for_users_of_other_programs_name_what_there_is(self):
        """Code in the last column of docs/coming_from: keys, tables, and words of choices."""
        checked = 0
        for page, family in (("meep", "fdtd"), ("openems", "fdtd"), ("lumerical", "fdtd"), ("comsol", "eqs"), ("getdp", "eqs")):
            keys, words = names_in(schema(family))
            words |= names_in(schema("modes"))[1] | {"T", "R", "scattered", "electrodes.csv", "fields.vtkhdf", "eqs"}
            text = (REPOSITORY / "docs" / "coming_from" / f"{page}.md").read_text(encoding="utf-8")
            for row in re.findall(r"^\|.*\| ([^|]*) \|$", text, flags=re.M):
                for code in re.findall(r"`([^`]+)`", row):
                    if code.startswith(("umov ", "mpirun", "--")):
                        continue
                    key, _, value = code.strip("[]").partition(" = ")
                    with self.subTest(page=page, code=code):
                        self.assertIn(key.strip('"'), keys if value else keys | words)
                        for word in re.findall(r'"([a-z_]+)"', value):
                            self.assertTrue(word in words or key.endswith(("formula", "name")), word)
                        checked += 1
        self.assertGreater(checked, 100)

    def test_the_block_of_its_page_runs(self):
        page = (REPOSITORY / "docs" / "guide" / "editors.md").read_text(encoding="utf-8")
        (block,) = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
        folder = self.folder()
        shutil.copy(REPOSITORY / "examples" / "eqs_two_layers" / "case.toml", folder)
        path = f"{pathlib.Path(PROGRAM).resolve().parent}:{os.environ['PATH']}"
        subprocess.run([sys.executable, "-W", "ignore", "-c", block], check=True, cwd=folder, env={**os.environ, "PATH": path})

    def test_another_name_is_refused_with_the_nearest(self):
        self.assertIn("did you mean 'fdtd'", command("schema", "fdtf", expect=2)[1])
        self.assertIn("dda, fdtd", command("schema", expect=2)[1])


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
