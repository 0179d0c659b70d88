"""Links of the tree's pages to what is no page of the site: folders lead to their README, files are given as they are."""

import os
import posixpath

from docutils import nodes
from sphinx.util.nodes import make_refnode


def resolve(app, env, node, contnode):
    """A folder with a page, or a place in the tree that exists: its name."""
    target = node["reftarget"].split("#")[0]
    place = posixpath.normpath(posixpath.join(posixpath.dirname(node.get("refdoc", "")), target))
    for page in (f"{place}/README", place.removesuffix(".md"), "docs/index" if place == "README.md" else ""):
        if page in env.found_docs:
            return make_refnode(app.builder, node["refdoc"], page, "", contnode)
    if os.path.exists(os.path.join(app.srcdir, place)):
        return nodes.inline("", "", contnode)
    return None


BELOW = {"docs/decisions/README": "0*", "docs/performance": "../benchmarks/*", "docs/gallery": "../examples/*/README",
         "docs/tools": "../findings/README", "docs/developer": "../tests/data/README"}


def nest(app, name, source):
    """Pages that others list by links stand below them in the side bar."""
    if name in BELOW:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{BELOW[name]}\n```\n"


def setup(app):
    app.connect("source-read", nest)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
