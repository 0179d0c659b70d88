"""The blocks of docs/guide/python.md and the example, run as they stand."""

import os
import pathlib
import re
import subprocess
import sys

from support import REPOSITORY, Test


class Manual(Test):
    def test_its_blocks_run_in_order(self):
        page = (REPOSITORY / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
        self.assertGreater(len(blocks), 8)
        before = pathlib.Path.cwd()
        os.chdir(self.folder())
        try:
            names = {}
            for block in blocks:
                exec(compile(block, "docs/guide/python.md", "exec"), names)
        finally:
            os.chdir(before)

    def test_the_example_finds_what_its_page_says(self):
        example = REPOSITORY / "examples" / "python"
        said = subprocess.run([sys.executable, "-W", "ignore", example / "spectrum.py"], capture_output=True, text=True, check=True,
                              cwd=self.folder()).stdout
        lines = re.findall(r"^    (.*exactly)$", (example / "README.md").read_text(encoding="utf-8"), flags=re.M)
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertIn(line, said)


if __name__ == "__main__":
    import unittest
    unittest.main(warnings="ignore")
