"""Processes that were forked from one that had computed.

The threads of OpenMP are not forked with the process, and its next loop waits for them for ever (libgomp). That is refused.
"""

import os

_computed = False
_lost = False


def begin():
    """Before every computation. Throws RuntimeError where it would hang."""
    global _computed
    if _lost and os.environ.get("OMP_NUM_THREADS") != "1":
        raise RuntimeError("this process was forked from one that had computed with umov (its threads were not forked, and "
                           "OpenMP would wait for them for ever); start processes by multiprocessing.get_context('spawn'), or "
                           "compute only in processes that are forked before")
    _computed = True


def _in_child():
    global _lost
    _lost = _lost or _computed


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
