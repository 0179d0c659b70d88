"""How Sphinx makes the site: the pages of docs/, examples/ and findings/ as they lie in the tree (`make site`)."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

project = "umov"
author = "the umov developers"
copyright = "the umov developers"
version = release = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project(", 1)[1])[1]

extensions = ["myst_parser", "nbsphinx", "sphinx.ext.autodoc", "sphinxcontrib.bibtex",
              "links", "gallery", "reference", "schemas", "equations"]
root_doc = "docs/index"
include_patterns = ["docs/**", "examples/*/README.md", "findings/README.md", "benchmarks/*.md", "tests/data/README.md", "*.md"]
exclude_patterns = ["README.md", "docs/site", "**/.ipynb_checkpoints", "build*", "page", "out", "run*", ".git", "src"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_heading_anchors = 5
myst_all_links_external = False
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

bibtex_bibfiles = ["docs/papers.bib"]
bibtex_default_style = "unsrt"

nbsphinx_execute = os.environ.get("UMOV_NOTEBOOKS", "always")  # "never": for a quick look at the pages
nbsphinx_timeout = 300
nbsphinx_execute_arguments = ["--InlineBackend.figure_formats={'svg'}", "--InlineBackend.rc=figure.dpi=96"]
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
autodoc_typehints = "none"
# Nothing is fetched from elsewhere: equations are drawn while the site is built, notebooks need no scripts.
html_math_renderer = "svg"
nbsphinx_requirejs_path = ""

html_theme = "furo"
html_title = f"umov {release}"
html_static_path = ["static"]
html_css_files = ["umov.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_additional_pages = {"index": "to_front.html"}
templates_path = ["templates"]
