#!/usr/bin/env python3
"""Makes the files of the Lantern Fair of Port Merrow, an invented festival, in two versions.

    usage: make.py [FOLDER]

The same script writes the same bytes on each machine: tiles are stored in gzip without compression, so
that no version of zlib matters, and the number of the SQLite version in the header of a database, which
no reader needs, is a constant.
"""

import json
import math
import pathlib
import sqlite3
import struct
import sys
import zlib

# The fair lies on the western shore of the harbor.
CENTER = (173.0125, -41.2640)
EXTENT = 4096
ZOOMS = range(13, 16)

# The grounds in metres east and north of the center: three rings of lanterns around a pond, and lanes.
RINGS = [("Inner Ring", 90), ("Middle Ring", 160), ("Outer Ring", 230)]
LANES = [("Heron Lane", 20), ("Kelp Lane", 110), ("Tern Lane", 200), ("Whelk Lane", 290)]
STAGES = {
    "1.0": [("Pond Stage", 0, 0), ("Moth Tent", 120, 60), ("Signal Fire", -140, 90)],
    "1.1": [("Pond Stage", 0, 0), ("Moth Tent", 120, 60), ("Signal Fire", -140, 90),
            ("Night Market", 60, -170)],
}
PROGRAM = {
    "1.0": [(1, "Pond Stage", "Lighting of the first lantern", "2026-06-19T19:30:00+12:00"),
            (2, "Moth Tent", "Shadow plays for children", "2026-06-20T17:00:00+12:00"),
            (3, "Signal Fire", "Songs of the ferry crews", "2026-06-20T21:00:00+12:00")],
    "1.1": [(1, "Pond Stage", "Lighting of the first lantern", "2026-06-19T20:00:00+12:00"),
            (2, "Moth Tent", "Shadow plays for children", "2026-06-20T17:00:00+12:00"),
            (3, "Signal Fire", "Songs of the ferry crews", "2026-06-20T21:00:00+12:00"),
            (4, "Night Market", "Dumplings until midnight", "2026-06-20T22:00:00+12:00")],
}
COLORS = {
    "light": {"ground": "#eef2e6", "pond": "#9fc9d8", "path": "#b79d6d", "stage": "#b3442c"},
    "dark": {"ground": "#141a22", "pond": "#1f3f52", "path": "#6f5f3f", "stage": "#ffb347"},
}


# The Mapbox Vector Tile format 2.1, https://github.com/mapbox/vector-tile-spec

def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def scalar(number, value):
    return varint(number << 3) + varint(value)


def zigzag(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def geometry(points, closes):
    words, last = [], (0, 0)
    for index, point in enumerate(points):
        if index == 0:
            words.append(1 | 1 << 3)  # MoveTo
        elif index == 1:
            words.append(2 | (len(points) - 1) << 3)  # LineTo
        words += [zigzag(point[0] - last[0]), zigzag(point[1] - last[1])]
        last = point
    if closes:
        words.append(7 | 1 << 3)  # ClosePath
    return b"".join(varint(word) for word in words)


def layer(name, features):
    """A layer of features: (kind 1 point, 2 line or 3 polygon; points; the value of `name`)."""
    values = sorted({feature[2] for feature in features})
    body = field(1, name.encode())
    for kind, points, title in features:
        body += field(2, field(2, varint(0) + varint(values.index(title))) + scalar(3, kind)
                      + field(4, geometry(points, kind == 3)))
    body += field(3, b"name")
    for value in values:
        body += field(4, field(1, value.encode()))
    return field(3, body + scalar(5, EXTENT) + scalar(15, 2))


def gzip_stored(data):
    """A gzip member of one stored block, RFC 1951 and 1952, without a time."""
    assert len(data) < 65536
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
            + b"\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data
            + struct.pack("<II", zlib.crc32(data), len(data)))


# Web Mercator

def world(lon, lat, zoom):
    size = 2 ** zoom
    y = (1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2
    return ((lon + 180) / 360 * size, y * size)


def place(east, north):
    lat = CENTER[1] + north / 111_320
    return (CENTER[0] + east / (111_320 * math.cos(math.radians(CENTER[1]))), lat)


def circle(radius, steps=24):
    return [(radius * math.sin(2 * math.pi * n / steps), radius * math.cos(2 * math.pi * n / steps))
            for n in range(steps)]


def features(version):
    found = [("pond", 3, circle(40, 12), "Pond")]
    for name, radius in RINGS:
        ring = circle(radius)
        found.append(("paths", 2, ring + ring[:1], name))
    for name, bearing in LANES:
        east, north = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
        found.append(("paths", 2, [(50 * east, 50 * north), (260 * east, 260 * north)], name))
    for name, east, north in STAGES[version]:
        found.append(("stages", 1, [(east, north)], name))
    return found


def tile(version, zoom, column, row):
    layers = {}
    for name, kind, points, title in features(version):
        places = [world(*place(*point), zoom) for point in points]
        # A feature is in each tile that it may touch; what reaches beyond is clipped by the reader.
        xs, ys = [x for x, _ in places], [y for _, y in places]
        if max(xs) < column or min(xs) >= column + 1 or max(ys) < row or min(ys) >= row + 1:
            continue
        inside = [(round((x - column) * EXTENT), round((y - row) * EXTENT)) for x, y in places]
        layers.setdefault(name, []).append((kind, inside, title))
    return gzip_stored(b"".join(layer(name, layers[name]) for name in sorted(layers)))


# Files

def make_database(path, application, version, script, rows):
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        f"PRAGMA page_size = 1024; PRAGMA application_id = {application};"
        f"PRAGMA user_version = {version}; BEGIN; {script}")
    for sql, values in rows:
        connection.executemany(sql, values)
    connection.execute("COMMIT")
    connection.close()
    data = bytearray(path.read_bytes())
    data[96:100] = struct.pack(">I", 3_040_001)  # the version of SQLite that wrote it
    path.write_bytes(data)


def make_map(path, version):
    low, high = place(-280, -280), place(280, 280)
    bounds = [round(low[0], 6), round(low[1], 6), round(high[0], 6), round(high[1], 6)]
    tiles = []
    for zoom in ZOOMS:
        left, bottom = (int(number) for number in world(*low, zoom))
        right, top = (int(number) for number in world(*high, zoom))
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                # MBTiles counts rows from the south.
                tiles.append((zoom, column, 2 ** zoom - 1 - row, tile(version, zoom, column, row)))
    layers = [{"id": name, "fields": {"name": "String"}, "minzoom": min(ZOOMS), "maxzoom": max(ZOOMS)}
              for name in ("paths", "pond", "stages")]
    metadata = {
        "name": "Lantern Fair", "format": "pbf", "type": "overlay", "version": version,
        "description": "The grounds of a festival that does not exist.",
        "attribution": "Port Merrow Lantern Society (invented)",
        "bounds": ",".join(map(str, bounds)), "center": f"{CENTER[0]},{CENTER[1]},14",
        "minzoom": str(min(ZOOMS)), "maxzoom": str(max(ZOOMS)),
        "json": json.dumps({"vector_layers": layers}, sort_keys=True),
    }
    make_database(
        path, 0x4D504258, 0,  # "MPBX", as the specification asks for
        "CREATE TABLE metadata (name TEXT, value TEXT);"
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
        "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);",
        [("INSERT INTO metadata VALUES (?, ?)", sorted(metadata.items())),
         ("INSERT INTO tiles VALUES (?, ?, ?, ?)", sorted(tiles))])


def make_program(path, version):
    make_database(
        path, 0x4C465052, int(version.split(".")[1]) + 1,  # "LFPR"
        "CREATE TABLE event (id INTEGER PRIMARY KEY, stage TEXT NOT NULL, title TEXT NOT NULL,"
        " starts TEXT NOT NULL);"
        "CREATE TABLE favorite (event INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT '');",
        [("INSERT INTO event VALUES (?, ?, ?, ?)", PROGRAM[version])])


def make_style(path, appearance):
    colors = COLORS[appearance]

    def fair(name, kind, **paint):
        return {"id": name, "type": kind, "source": "fair", "source-layer": name,
                "paint": {key.replace("_", "-"): value for key, value in paint.items()}}

    style = {
        "version": 8,
        "name": f"Lantern Fair, {appearance}",
        "center": list(CENTER),
        "zoom": 14,
        "sources": {"fair": {"type": "vector", "url": "mbtiles://{{mbtiles_path}}"}},
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": colors["ground"]}},
            fair("pond", "fill", fill_color=colors["pond"]),
            fair("paths", "line", line_color=colors["path"], line_width=2),
            fair("stages", "circle", circle_color=colors["stage"], circle_radius=6),
        ],
    }
    path.write_text(json.dumps(style, indent=2) + "\n", encoding="utf-8")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for version in ("1.0", "1.1"):
        folder = root / version
        folder.mkdir(parents=True, exist_ok=True)
        make_map(folder / "map.mbtiles", version)
        make_program(folder / "program.sqlite", version)
        description = {"name": "lantern-fair", "version": version,
                       "files": {"program.sqlite": {"storage": "seeded"}}}
        (folder / "pack-source.json").write_text(
            json.dumps(description, indent=2) + "\n", encoding="utf-8")
        for appearance in COLORS:
            make_style(folder / f"style-{appearance}.json", appearance)


if __name__ == "__main__":
    main()
