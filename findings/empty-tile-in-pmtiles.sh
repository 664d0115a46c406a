#!/bin/sh
# A tileset of a coast has tiles of no bytes where there is only water; as PMTiles, the water has the tile of the land.
#
# Guess: a tile without bytes is left out or stays one, since no reader can draw it; no tile is drawn at another place.
# Found (pmtiles 3.8.1, the reference in Python, and pmtiles-mbtiles-util 1.1.0, which writes with it):
# - Of four tiles, empty, land, empty, empty in the order of PMTiles, all but the first have the bytes of the land,
#   without an error. An empty tile takes no place in the file, so that the land begins where it began, and the next
#   empty one, whose place is known, is taken for a repetition of the land.
# - With one byte in each of them, and with the land first, each tile is as it was.
# - The header counts four tiles of two contents, and the directory is in order, so that no check can see it.
# What follows: tiles without bytes are left out of what is converted, as `map convert` does, which counts them.
#
#   usage: findings/empty-tile-in-pmtiles.sh     prints the tiles; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" pmtiles==3.8.1 pmtiles-mbtiles-util==1.1.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, subprocess, sys

from pmtiles.reader import MmapSource, Reader

folder = sys.argv[1]
LAND = b"\x89PNG land"
PLACES = [(1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)]  # in the order of PMTiles

def ask(number, name, tiles):
    source = os.path.join(folder, f"{number}.mbtiles")
    file = sqlite3.connect(source)
    file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    file.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "coast"), ("format", "png"), ("minzoom", "1"), ("maxzoom", "1"), ("bounds", "-180,-85,180,85")])
    file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    file.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)",
                     [(zoom, x, 1 - y, tile) for (zoom, x, y), tile in zip(PLACES, tiles)])
    file.commit()
    file.close()
    for tool in ("pmtiles-convert", "pmtiles-mbtiles-util"):
        archive = os.path.join(folder, f"{number}-{tool}.pmtiles")
        subprocess.run([sys.executable, os.path.join(folder, "python", "bin", tool), source, archive], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(archive, "rb") as file:
            reader = Reader(MmapSource(file))
            found = [reader.get(*place) for place in PLACES]
            header = reader.header()
        print(f"{name}, {tool}:", *["land" if tile == LAND else "empty" if not tile else "one byte" for tile in found],
              "| tiles", header["addressed_tiles_count"], "contents", header["tile_contents_count"])

ask(0, "empty, land, empty, empty", [b"", LAND, b"", b""])
ask(1, "land, empty, empty, empty", [LAND, b"", b"", b""])
ask(2, "one byte in place of none", [b"x", LAND, b"x", b"x"])
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
empty, land, empty, empty, pmtiles-convert: empty land land land | tiles 4 contents 2
empty, land, empty, empty, pmtiles-mbtiles-util: empty land land land | tiles 4 contents 2
land, empty, empty, empty, pmtiles-convert: land empty empty empty | tiles 4 contents 2
land, empty, empty, empty, pmtiles-mbtiles-util: land empty empty empty | tiles 4 contents 2
one byte in place of none, pmtiles-convert: one byte land one byte one byte | tiles 4 contents 2
one byte in place of none, pmtiles-mbtiles-util: one byte land one byte one byte | tiles 4 contents 2
END_OF_FOUND
