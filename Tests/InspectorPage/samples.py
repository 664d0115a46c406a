"""What the tests of the inspector's page look at: a container of the demonstration, and names that are meant to harm."""

import json
import math
import os
import plistlib
import sqlite3
import struct
import subprocess
import uuid
import zlib

# Each would be seen: the first three run as scripts if they become elements, the last two push the page out of shape.
HOSTILE = [
    "<script>window.hostile='script'</script>",
    "<img src=x onerror=\"window.hostile='image'\">",
    "\"'><svg onload=window.hostile='svg'>",
    "quotes \" ' ` and a % and a \\ and a : and a ]",
    "מימין לשמאל \u202eesrever",
    "x" * 10_000,
]


def quoted(name):
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def png(width, height):
    """An image with a gradient."""
    rows = b"".join(
        b"\0" + bytes(v for x in range(width) for v in (40 + x * 200 // width, 90 + y * 120 // height, 140))
        for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


TITLES = ["Ulysses", "Dubliners", "Mrs Dalloway", "The Waves", "Orlando", "Middlemarch", "Silas Marner", "Bleak House",
          "Hard Times", "Emma", "Persuasion", "Moby-Dick", "Typee", "Walden"]
AUTHORS = ["James Joyce", "Virginia Woolf", "George Eliot", "Charles Dickens", "Jane Austen", "Herman Melville",
           "Henry David Thoreau"]


def books(path):
    """A database with foreign keys, blobs of several kinds, and a search index."""
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, settings TEXT);
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL,
          authorId INTEGER NOT NULL REFERENCES author (id) ON DELETE CASCADE,
          publisherId INTEGER REFERENCES publisher (id),
          cover BLOB, identifier BLOB, state BLOB, price REAL, notes TEXT);
        CREATE INDEX book_title ON book (title);
        CREATE TABLE chapter (
          id INTEGER PRIMARY KEY, bookId INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE, title TEXT);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE bookTag (
          bookId INTEGER REFERENCES book (id), tagId INTEGER REFERENCES tag (id), PRIMARY KEY (bookId, tagId)) WITHOUT ROWID;
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, parentId INTEGER REFERENCES shelf (id), name TEXT);
        CREATE VIEW bookCount AS SELECT name, count(*) AS books FROM author JOIN book ON authorId = author.id GROUP BY 1;
        CREATE VIRTUAL TABLE bookSearch USING fts5(title, content=book, content_rowid=id);
        CREATE TRIGGER bookInserted AFTER INSERT ON book BEGIN
          INSERT INTO bookSearch (rowid, title) VALUES (new.id, new.title);
        END;
    """)
    settings = '{"theme": "dark", "size": 17, "largest": 9007199254740993}'
    db.executemany("INSERT INTO author VALUES (?, ?, ?)", [(i + 1, name, settings) for i, name in enumerate(AUTHORS)])
    db.executemany("INSERT INTO publisher VALUES (?, ?)", [(1, "Shakespeare and Company"), (2, "Hogarth Press")])
    for i in range(420):
        title = TITLES[i % 14] + (f", volume {i // 14 + 1}" if i >= 14 else "")
        state = plistlib.dumps({"position": i * 1.5, "marks": [1, 2, 3]}, fmt=plistlib.FMT_BINARY)
        db.execute("INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (
            i + 1, title, i % 7 + 1, i % 2 + 1 if i % 3 else None, png(48, 64) if i % 2 == 0 else None,
            uuid.uuid5(uuid.NAMESPACE_DNS, str(i)).bytes, state, 9.5 + i / 4, "A long note. " * 150 if i == 2 else None))
    db.executemany("INSERT INTO chapter (bookId, title) VALUES (?, ?)", [(i // 3 + 1, f"Chapter {i % 3 + 1}") for i in range(1260)])
    db.commit()
    db.close()


def hostile_database(path):
    """A database whose every name and value is meant to harm."""
    db = sqlite3.connect(path)
    for name in HOSTILE:
        # SQLite accepts columns of such names, and 10,000 characters.
        columns = ", ".join(f"{quoted(other)} TEXT" for other in HOSTILE)
        db.execute(f"CREATE TABLE {quoted(name)} (id INTEGER PRIMARY KEY, {columns})")
        marks = ", ".join("?" * len(HOSTILE))
        db.execute(f"INSERT INTO {quoted(name)} VALUES (1, {marks})", HOSTILE)
        db.execute(f"CREATE INDEX {quoted('i ' + name)} ON {quoted(name)} ({quoted(HOSTILE[0])})")
    parent = quoted(HOSTILE[0])
    db.execute(f"CREATE TABLE {quoted('k ' + HOSTILE[1])} (id INTEGER PRIMARY KEY, {quoted('to ' + HOSTILE[2])} INTEGER REFERENCES {parent} (id))")
    db.execute(f"INSERT INTO {quoted('k ' + HOSTILE[1])} VALUES (1, 1)")
    db.execute(f"CREATE VIRTUAL TABLE {quoted('s ' + HOSTILE[0])} USING fts5({quoted('t' + HOSTILE[1])})")
    db.executemany(f"INSERT INTO {quoted('s ' + HOSTILE[0])} VALUES (?)", [(name,) for name in HOSTILE])
    db.commit()
    db.close()


def image_tileset(path, zoom=0, around=(0, 0), **metadata):
    """A tileset of one image for each tile at a longitude and a latitude and next to it: that of the whole earth, or of a town."""
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
    """)
    metadata = {"format": "png", "bounds": "-180,-85,180,85", "minzoom": str(zoom), "maxzoom": str(zoom), "type": "baselayer", **metadata}
    db.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
    count = 2**zoom
    column = int((around[0] + 180) / 360 * count)
    row = int((0.5 + math.asinh(math.tan(math.radians(around[1]))) / math.tau) * count)
    places = {(x % count, y) for x in range(column - 1, column + 2) for y in range(row - 1, row + 2) if 0 <= y < count}
    db.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [(zoom, x, y, png(256, 256)) for x, y in places])
    db.commit()
    db.close()


def hostile_feed(folder):
    """A GTFS feed whose names are meant to harm."""
    os.makedirs(folder)

    def write(name, header, *rows):
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
            for row in (header, *rows):
                file.write(",".join('"' + str(field).replace('"', '""') + '"' for field in row) + "\r\n")

    write("agency.txt", ["agency_id", "agency_name", "agency_url", "agency_timezone"], ["a", HOSTILE[0], "https://example.org", "Europe/Zurich"])
    write("stops.txt", ["stop_id", "stop_name", "stop_lat", "stop_lon", "platform_code"],
          *[[f"s{i}", "Stop " + name, 47 + i / 100, 8 + i / 100, name[:60]] for i, name in enumerate(HOSTILE)])
    write("routes.txt", ["route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color"],
          *[[f"r{i}", "a", name[:2000], name, 3, "AA0000"] for i, name in enumerate(HOSTILE)])
    write("calendar.txt", ["service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "start_date", "end_date"],
          ["d", 1, 1, 1, 1, 1, 1, 1, "20200101", "20991231"])
    write("trips.txt", ["route_id", "service_id", "trip_id", "trip_headsign"], *[[f"r{i}", "d", f"t{i}", name] for i, name in enumerate(HOSTILE)])
    write("stop_times.txt", ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"],
          *[[f"t{i}", f"{8 + at:02}:{i:02}:00", f"{8 + at:02}:{i:02}:00", f"s{at}", at + 1] for i in range(len(HOSTILE)) for at in range(len(HOSTILE))])


def container(tool, folder):
    """Makes a container that has something of each kind, and returns its folder."""
    stage = os.path.join(folder, "stage")
    run(tool, "demo", "--container", stage)
    applications = os.path.join(stage, "Containers", "Data", "Application")
    home = os.path.join(applications, os.listdir(applications)[0])
    library = os.path.join(home, "Library", "Application Support")
    books(os.path.join(library, "books.sqlite"))
    live = sqlite3.connect(os.path.join(library, "live.sqlite"))
    live.executescript("PRAGMA journal_mode = wal; CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);")
    live.close()
    return home


def hostile_container(tool, folder):
    """Makes a folder in which every name is meant to harm, and returns it."""
    home = os.path.join(folder, "<b>container<img src=x onerror=window.hostile=1>")
    inner = os.path.join(home, "Library", "מימין\u202e 'quoted' \"twice\"")
    os.makedirs(inner)
    hostile_database(os.path.join(inner, "<script>window.hostile=2<%2fscript>.sqlite"))
    image_tileset(os.path.join(inner, "\"><img src=x onerror=window.hostile=3>.mbtiles"),
                  name=HOSTILE[0], description=HOSTILE[5], attribution=HOSTILE[1] + "<b>Bold</b>", version=HOSTILE[2])
    hostile_feed(os.path.join(folder, "feed"))
    run(tool, "transit", "import", os.path.join(folder, "feed"), os.path.join(inner, "'><svg onload=window.hostile=4>.db"))
    with open(os.path.join(inner, "style.json"), "w", encoding="utf-8") as file:
        json.dump({"path": "/var/mobile/Containers/Data/Application/00000000-0000-0000-0000-000000000000/<script>window.hostile=5</script>"}, file)
    return home


def run(tool, *words):
    """Runs the tool, and fails with what it says."""
    done = subprocess.run([tool, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr or done.stdout}")
