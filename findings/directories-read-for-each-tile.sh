#!/bin/sh
# A program reads the tiles of an area from a PMTiles archive, one by one, by the format's own Python library: it asks
# for the header and the directories again for each tile, and decodes them.
#
# Guess: what is opened once knows its header and root directory, and keeps the leaf directories that it has read: a
# hundred neighbors cost a hundred requests and three.
# Found (pmtiles 3.8.1, async-pmtiles 0.1.0; an archive of 40,000 tiles with leaf directories, and ones without):
# - Reader.get() of pmtiles makes four requests for each tile: header, root, leaf, tile. For a hundred small tiles
#   it reads more than a hundred times their bytes.
# - PMTilesReader of async-pmtiles keeps the header, and makes three.
# - Where the archive has no leaves, each get() decodes all of its entries: twice the tiles take four times as long to
#   read them all, 8,000 of them three quarters of a minute. all_tiles() takes a fiftieth of a second.
# - Right: the tiles.
# What follows: a server in Python keeps directories itself, or reads through a cache of ranges; a whole archive is
# read by all_tiles().
#
#   usage: findings/directories-read-for-each-tile.sh     prints the requests; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pmtiles==3.8.1 async-pmtiles==0.1.0 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import asyncio, importlib.metadata, os, random, sys, time

from async_pmtiles import PMTilesReader
from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import Compression, TileType, tileid_to_zxy, zxy_to_tileid
from pmtiles.writer import Writer

ZOOM = 9
FIRST = zxy_to_tileid(ZOOM, 0, 0)

def archive(count, length):
    path = os.path.join(sys.argv[1], f"{count}.pmtiles")
    numbers = random.Random(1)
    header = {"tile_type": TileType.PNG, "tile_compression": Compression.NONE, "min_zoom": ZOOM, "max_zoom": ZOOM,
              "min_lon_e7": 0, "min_lat_e7": 0, "max_lon_e7": 1, "max_lat_e7": 1, "center_zoom": ZOOM,
              "center_lon_e7": 0, "center_lat_e7": 0}
    with open(path, "wb") as file:
        writer = Writer(file)
        for number in range(count):
            writer.write_tile(FIRST + number, b"%d " % number + bytes(length(numbers)))
        writer.finalize(header, {})
    return MmapSource(open(path, "rb"))

class Requests:
    """Counts what a reader asks for."""
    def __init__(self, source):
        self.source, self.count, self.bytes = source, 0, 0

    def __call__(self, offset, length):
        self.count, self.bytes = self.count + 1, self.bytes + length
        return self.source(offset, length)

    async def get_range_async(self, path, *, start, end=None, length=None):
        return self(start, end - start if length is None else length)

source = archive(40_000, lambda numbers: numbers.randrange(40))
tiles = [tileid_to_zxy(FIRST + number) for number in range(100)]

requests = Requests(source)
reader = Reader(requests)
found = [reader.get(*tile) for tile in tiles]
times = requests.bytes / sum(len(tile) for tile in found)
print(f"pmtiles {importlib.metadata.version('pmtiles')}: {requests.count} requests for 100 tiles, "
      f"{times:.0f} times their bytes")

async def ask():
    requests = Requests(source)
    reader = await PMTilesReader.open("a", store=requests)
    others = [bytes(await reader.get_tile(x=x, y=y, z=z)) for z, x, y in tiles]
    assert others == found
    print(f"async-pmtiles {importlib.metadata.version('async-pmtiles')}: {requests.count} requests")

asyncio.run(ask())

def durations(count):
    source = archive(count, lambda numbers: 0)
    reader = Reader(source)
    assert reader.header()["leaf_directory_length"] == 0
    begin = time.process_time()
    for number in range(0, count, count // 50):
        reader.get(*tileid_to_zxy(FIRST + number))
    one = (time.process_time() - begin) / 50
    begin = time.process_time()
    assert sum(1 for _ in all_tiles(source)) == count
    return one * count, time.process_time() - begin

few, _ = durations(2000)
many, at_once = durations(8000)
print("all tiles by get():", "WITH THE SQUARE" if many > few * 9 else "less",
      "| over all_tiles()", "HUNDRED TIMES AND MORE" if many > at_once * 100 else "less")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pmtiles 3.8.1: 400 requests for 100 tiles, 135 times their bytes
async-pmtiles 0.1.0: 301 requests
all tiles by get(): WITH THE SQUARE | over all_tiles() HUNDRED TIMES AND MORE
END_OF_FOUND
