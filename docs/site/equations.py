"""Displayed equations: fences ```math in TeX, as GitHub shows them, drawn by matplotlib's mathtext as SVG.

Nothing is fetched, and no script runs in the page. A line of the fence is a line of the equation; what mathtext does not
know (environments, matrices) ends the build with the equation and its place.
"""

import html
import io
import re

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx.transforms import SphinxTransform

SIZE = 12.0  # points; the page's text has 12


class Fences(SphinxTransform):
    """Code in the language math becomes an equation."""

    default_priority = 400

    def apply(self):
        for node in list(self.document.findall(nodes.literal_block)):
            if node.get("language") == "math":
                block = nodes.math_block(node.astext(), node.astext(), number=None, nowrap=True)
                block.source, block.line = node.source, node.line
                node.replace_self(block)


def svg(tex):
    """A line of TeX as an SVG that takes the colour of the text around it."""
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import math_to_image

    out = io.BytesIO()
    with matplotlib.rc_context({"mathtext.fontset": "stix", "svg.fonttype": "path", "svg.hashsalt": "umov",
                                "savefig.transparent": True}):
        math_to_image(f"${tex}$", out, prop=FontProperties(size=SIZE), dpi=72, format="svg", color="#010203")
    picture = out.getvalue().decode()
    picture = re.sub(r"<metadata>.*?</metadata>", "", picture[picture.index("<svg"):], flags=re.S)
    return picture.replace("#010203", "currentColor")


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def visit(self, node):
    shown = []
    for tex in lines_of(node.astext()):
        try:
            picture = svg(tex)
        except ValueError as problem:
            raise SphinxError(f"{node.source}:{node.line}: {tex}\n{problem}") from None
        # glyphs are named in each picture anew
        mark = f"m{len(getattr(self, 'equations', []))}-"
        self.equations = [*getattr(self, "equations", []), tex]
        picture = re.sub(r'(id="|href="#|url\(#)', lambda m: m[1] + mark, picture)
        shown.append(f'<div role="img" aria-label="{html.escape(tex)}">{picture}</div>')
    self.body.append(f'<div class="equation">{"".join(shown)}</div>')
    raise nodes.SkipNode


def inline(self, node):
    raise SphinxError(f"{node.source}: an equation within a line ({node.astext()}); write it as text")


def setup(app):
    app.add_transform(Fences)
    app.add_html_math_renderer("svg", (inline, None), (visit, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
