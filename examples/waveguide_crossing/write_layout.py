"""Writes crossing.gds: two guides, 500 nm wide, that cross at right angles, and the names of their four ends."""
import struct

DATES = [2024, 1, 1, 0, 0, 0] * 2
UNITS = bytes.fromhex("3e4189374bc6a7f0" "3944b82fa09b5a54")  # 1e-3 user units and 1e-9 m, in excess-64 reals


def record(tag, kind, data=b""):
    return struct.pack(">HBB", len(data) + 4, tag, kind) + data


def shorts(tag, *values):
    return record(tag, 2, struct.pack(f">{len(values)}h", *values))


def longs(tag, *values):
    return record(tag, 3, struct.pack(f">{len(values)}i", *values))


def text(tag, words):
    data = words.encode()
    return record(tag, 6, data + b"\0" * (len(data) % 2))


def path(layer, width, *points):
    return record(0x09, 0) + shorts(0x0D, layer) + shorts(0x0E, 0) + longs(0x0F, width) + longs(0x10, *points) + record(0x11, 0)


def boundary(layer, *points):
    return record(0x08, 0) + shorts(0x0D, layer) + shorts(0x0E, 0) + longs(0x10, *points, *points[:2]) + record(0x11, 0)


def label(layer, x, y, words):
    return record(0x0C, 0) + shorts(0x0D, layer) + shorts(0x16, 0) + longs(0x10, x, y) + text(0x19, words) + record(0x11, 0)


def library(name, elements):
    """A file with one structure; coordinates are nm."""
    return b"".join([shorts(0x00, 600), shorts(0x01, *DATES), text(0x02, name.upper()), record(0x03, 5, UNITS),
                     shorts(0x05, *DATES), text(0x06, name), *elements, record(0x07, 0), record(0x04, 0)])


if __name__ == "__main__":
    HALF = 1250  # nm
    with open("crossing.gds", "wb") as out:
        out.write(library("crossing", [
            path(1, 500, -HALF, 0, HALF, 0), path(1, 500, 0, -HALF, 0, HALF),
            label(10, -HALF, 0, "west"), label(10, HALF, 0, "east"), label(10, 0, -HALF, "south"), label(10, 0, HALF, "north")]))
