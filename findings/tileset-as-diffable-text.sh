#!/bin/sh
# A tileset is kept in Git as text by sqlite-diffable, and made again: its tiles are texts in Python's notation.
#
# Guess: what a dump cannot hold, such as a blob in JSON, it encodes or refuses; load makes what was dumped.
# Found (sqlite-diffable 0.6), without an error:
# - A tile, a blob that begins with 1f 8b, is a text in the new file that begins with b' and is four times as long.
# - The unique index of the tiles, a view and a trigger are gone: a tile can be inserted twice.
# - Right: integers beyond 2^53, real numbers, NULL, texts with a zero, and COLLATE NOCASE. With AUTOINCREMENT or a
#   full-text table load ended with an error when it was tried.
# - sqlite-utils 4.2.1 writes a blob of a row as base64, and reads it as a blob again.
# What follows: a database with blobs is kept as it is, or as hex in SQL, as SQLite's .dump writes it.
#
#   usage: findings/tileset-as-diffable-text.sh     prints both databases; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-compile sqlite-diffable==0.6 \
  sqlite-utils==4.2.1
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import gzip, os, sqlite3, subprocess, sys

folder = sys.argv[1]
paths = {name: os.path.join(folder, name) for name in ("before.mbtiles", "diffable.mbtiles", "utils.mbtiles")}

def run(tool, *arguments, **options):
    path = os.path.join(os.path.dirname(sys.executable), tool)
    return subprocess.run([path, *arguments], check=True, stdout=subprocess.PIPE, **options).stdout

connection = sqlite3.connect(paths["before.mbtiles"])
connection.executescript("""
CREATE TABLE metadata (name TEXT COLLATE NOCASE, value TEXT);
CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
CREATE VIEW zooms AS SELECT DISTINCT zoom_level FROM tiles;
CREATE TRIGGER kept BEFORE DELETE ON tiles BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TABLE number (value);
INSERT INTO metadata VALUES ('format', 'pbf');
INSERT INTO number VALUES (9007199254740993), (0.1), (NULL), ('a' || char(0) || 'b')""")
tile = gzip.compress(b"tile", mtime=0)
connection.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [tile])
connection.commit()
connection.close()
dump = os.path.join(folder, "dump")
run("sqlite-diffable", "dump", paths["before.mbtiles"], dump, "--all")
run("sqlite-diffable", "load", paths["diffable.mbtiles"], dump)
rows = run("sqlite-utils", "rows", paths["before.mbtiles"], "tiles")
run("sqlite-utils", "insert", paths["utils.mbtiles"], "tiles", "-", input=rows)
for name, path in paths.items():
    connection = sqlite3.connect(path)
    kind, length, data = connection.execute(
        "SELECT typeof(tile_data), length(tile_data), tile_data FROM tiles").fetchone()
    print(f"{name}: a tile is a {kind} of {length}, {data[:2]!r}", "| the tile" if data == tile else "| not the tile",
          "|", *sorted(name for name, in connection.execute("SELECT name FROM sqlite_schema")))
    if name != "utils.mbtiles":
        print(" ", *[repr(value) for value, in connection.execute("SELECT value FROM number")],
              *connection.execute("SELECT value FROM metadata WHERE name = 'FORMAT'").fetchone())
END_OF_PYTHON
"$folder/python/bin/python" "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
before.mbtiles: a tile is a blob of 24, b'\x1f\x8b' | the tile | kept metadata number tile_index tiles zooms
  9007199254740993 0.1 None 'a\x00b' pbf
diffable.mbtiles: a tile is a text of 90, "b'" | not the tile | metadata number tiles
  9007199254740993 0.1 None 'a\x00b' pbf
utils.mbtiles: a tile is a blob of 24, b'\x1f\x8b' | the tile | tiles
END_OF_FOUND
