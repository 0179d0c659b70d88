"""The directive `gallery`: the pictures of the examples, each leading to its page."""

import pathlib

from docutils import nodes
from docutils.parsers.rst import Directive


def title(page):
    return next(line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))[2:]


class Gallery(Directive):
    has_content = True

    def run(self):
        """Its lines name the examples in their order; an example that has a picture and is not named is an error."""
        env = self.state.document.settings.env
        root = pathlib.Path(env.srcdir)
        names = [name for name in self.content if name]
        here = pathlib.PurePosixPath(env.docname).parent
        up = "/".join([".."] * len(here.parts))
        items = nodes.container(classes=["gallery"])
        for name in names:
            page = root / "examples" / name / "README.md"
            if not (page.parent / "overview.png").exists():
                raise self.error(f"examples/{name} has no overview.png")
            env.note_dependency(str(page))
            item = nodes.container(classes=["gallery-item"])
            link = nodes.reference("", "", refuri=f"{up}/examples/{name}/README.html", internal=True)
            link += nodes.image(uri=f"/examples/{name}/overview.png", alt=title(page))
            item += nodes.paragraph("", "", link)
            item += nodes.paragraph("", "", nodes.reference("", title(page).replace("`", ""),
                                                             refuri=f"{up}/examples/{name}/README.html", internal=True))
            items += item
        env.gallery = getattr(env, "gallery", set()) | set(names)
        return [items]


def all_shown(app, env):
    there = {folder.parent.name for folder in pathlib.Path(env.srcdir).glob("examples/*/overview.png")}
    missing = there - getattr(env, "gallery", there)
    if missing:
        raise RuntimeError(f"docs/gallery.md does not show examples/{', '.join(sorted(missing))}")


def setup(app):
    app.add_directive("gallery", Gallery)
    app.connect("env-updated", lambda app, env: all_shown(app, env) or [])
    return {"parallel_read_safe": False}
