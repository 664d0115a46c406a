#!/bin/sh
# A map of one file is read in parts through HAProxy's cache, until somebody downloads the file: from then on each part
# is the whole file, and readers fail.
#
# Guess: a cache that has a file answers a range of it with these bytes, or asks the server, as it did before; what has
# "Accept-Ranges: bytes" has ranges (https://www.rfc-editor.org/rfc/rfc9110#section-14.3).
# Found (HAProxy 2.6.12 of Debian 12; PMTiles of 21 tiles):
# - Parts come from the server, with 206, and are not kept. After one request of the whole file each range is answered
#   by 200 and the whole, with the server's "Accept-Ranges: bytes", also with If-Range and behind the end of the file.
# - async-pmtiles 0.1.0 has the tile before, and no tile afterwards: "Range request not supported". A reader that takes
#   what comes has the header in place of the tile. A tile of some bytes costs those of the archive.
# What follows: an archive that is read in parts has "Cache-Control: no-store", or no such cache before it. `Downloader`
# takes the whole for what it is.
#
#   usage: findings/map-behind-the-cache-of-haproxy.sh     prints what readers have; ends with 1 if it changes
set -eu
PATH=$PATH:/usr/sbin
for tool in python3 haproxy; do command -v $tool >/dev/null || { echo "$tool is missing" >&2; exit 69; }; done
folder=$(mktemp -d)
servers=
# shellcheck disable=SC2317 # the trap calls it
end() {
  for server in $servers; do kill "$server" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target python pmtiles==3.8.1 async-pmtiles==0.1.0 obstore==0.12.1
cat >serve.py <<'END_OF_PYTHON'
import http.server, re, sys

with open("map.pmtiles", "rb") as file:
    ARCHIVE = file.read()

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"] or "")
        first, last = map(int, part.groups()) if part else (0, len(ARCHIVE) - 1)
        content = ARCHIVE[first:last + 1]
        self.send_response(206 if part else 200)
        if part:
            self.send_header("Content-Range", f"bytes {first}-{first + len(content) - 1}/{len(ARCHIVE)}")
        for name, value in {"ETag": '"1"', "Cache-Control": "max-age=600", "Accept-Ranges": "bytes",
                            "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END_OF_PYTHON
cat >ask.py <<'END_OF_PYTHON'
import asyncio, http.client, os, sys, time

from async_pmtiles import PMTilesReader
from obstore.store import HTTPStore

def ask(**fields):
    for attempt in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
            names = {name.replace("_", "-"): text for name, text in fields.items()}
            connection.request("GET", "/map.pmtiles", headers=names)
            response = connection.getresponse()
            content = response.read()
            if response.status < 500:
                return response, content
        except ConnectionRefusedError:
            pass
        time.sleep(0.1)

def show(name, **fields):
    response, content = ask(**fields)
    print(f"{name}: {response.status}, Accept-Ranges {response.headers['Accept-Ranges']}, {len(content)} bytes")

async def tile():
    store = HTTPStore.from_url(f"http://127.0.0.1:{sys.argv[1]}", client_options={"allow_http": True})
    try:
        reader = await PMTilesReader.open("map.pmtiles", store=store)
        return bytes(await reader.get_tile(x=3, y=2, z=2)).decode()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"

show("a range of 10 bytes", Range="bytes=100-109")
print("async-pmtiles:", asyncio.run(tile()))
show("a range again", Range="bytes=100-109")
show("the whole file", Accept="*/*")
show("a range of 10 bytes", Range="bytes=100-109")
show("a range of this version", Range="bytes=100-109", If_Range='"1"')
show("a range behind the end", Range="bytes=5000-5009")
print("async-pmtiles:", asyncio.run(tile()), flush=True)
os._exit(0)
END_OF_PYTHON
PYTHONPATH=python python3 - <<'END_OF_PYTHON'
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer

with open("map.pmtiles", "wb") as file:
    writer = Writer(file)
    for zoom, x, y in [(zoom, x, y) for zoom in range(3) for x in range(1 << zoom) for y in range(1 << zoom)]:
        writer.write_tile(zxy_to_tileid(zoom, x, y), f"tile {zoom}/{x}/{y}".encode())
    writer.finalize({"tile_type": TileType.UNKNOWN, "tile_compression": Compression.NONE, "center_zoom": 0,
                     "min_lon_e7": -1800000000, "min_lat_e7": -850000000, "max_lon_e7": 1800000000,
                     "max_lat_e7": 850000000, "center_lon_e7": 0, "center_lat_e7": 0}, {"name": "map"})
END_OF_PYTHON
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
origin=$(free_port)
proxy=$(free_port)
cat >haproxy.cfg <<END_OF_SETTINGS
defaults
  mode http
  timeout connect 5s
  timeout client 20s
  timeout server 20s
cache files
  total-max-size 4
  max-object-size 100000
  max-age 600
frontend front
  bind 127.0.0.1:$proxy
  http-request cache-use files
  http-response cache-store files
  default_backend back
backend back
  server origin 127.0.0.1:$origin
END_OF_SETTINGS
python3 serve.py "$origin" 2>/dev/null &
servers="$servers $!"
haproxy -db -f haproxy.cfg 2>haproxy.log &
servers="$servers $!"
{
  haproxy -v | sed -n '1s/ version//; 1s/-.*//p'
  PYTHONPATH=python python3 ask.py "$proxy"
} >found
cat found
diff - found <<'END_OF_FOUND'
HAProxy 2.6.12
a range of 10 bytes: 206, Accept-Ranges bytes, 10 bytes
async-pmtiles: tile 2/3/2
a range again: 206, Accept-Ranges bytes, 10 bytes
the whole file: 200, Accept-Ranges bytes, 428 bytes
a range of 10 bytes: 200, Accept-Ranges bytes, 428 bytes
a range of this version: 200, Accept-Ranges bytes, 428 bytes
a range behind the end: 200, Accept-Ranges bytes, 428 bytes
async-pmtiles: NotSupportedError: Operation not supported: Range request not supported by map.pmtiles
END_OF_FOUND
