"""What holds for all simulations of a script: where they are computed, and how much is said."""

machine = {}  # keys of a case's [machine]: {"threads": 1, "precision": "double"}


class Verbosity:
    """verbosity(0) says nothing, 1 (the default) what Meep's scripts read, 2 more."""

    def __init__(self):
        self.level = 1

    def __call__(self, level=None):
        before = self.level
        if level is not None:
            self.level = int(level)
        return before

    meep = property(lambda self: self.level, lambda self, level: self(level))


verbosity = Verbosity()


def quiet(quietval=True):
    verbosity(0 if quietval else 1)
