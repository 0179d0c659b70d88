"""The line that shows how far a run has come, in terminals and notebooks."""

import contextlib
import sys
import time


def _in_notebook():
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class _Line:
    """Begins half a second after the run: short ones show nothing."""

    def __init__(self, title, stream):
        self.title, self.stream, self.begun, self.width = title, stream, time.monotonic(), 0

    def __call__(self, fraction, text):
        if time.monotonic() - self.begun < 0.5:
            return
        line = f"{self.title}: {100 * fraction:3.0f} %, {text}"[:118]
        self.stream.write("\r" + line.ljust(self.width))
        self.stream.flush()
        self.width = len(line)

    def end(self):
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()


@contextlib.contextmanager
def shown(wanted, title):
    """What the run calls now and then, or None where nobody looks."""
    notebook = _in_notebook()
    stream = sys.stdout if notebook else sys.stderr
    if wanted is None:
        wanted = notebook or (hasattr(stream, "isatty") and stream.isatty())
    if not wanted:
        yield None
        return
    line = _Line(title, stream)
    try:
        yield line
    finally:
        line.end()
