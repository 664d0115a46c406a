#!/bin/sh
# A map is made of OpenStreetMap's data by tilemaker, whose layers keep the ids of places and their populations as
# numbers: they are other numbers, and a tap on one place opens another one.
#
# Guess: a number of a tag, or an id, is whole in the tile if it is whole, or has 64 bits, as the format has both.
# Found (Debian's tilemaker 2.2.0, nodes written by osmium 4.3.2, read by mapbox-vector-tile 2.2.0), without a warning:
# - AttributeNumeric writes floats of 32 bits: from 16777217 on whole numbers are rounded to even ones, then to
#   multiples of 4 and so on, to multiples of 1,024 where ids of nodes are by now. Neighbors become the same.
# - 0.1 is 0.10000000149011612, so that a style's filter for 0.1 finds nothing.
# - The feature's own id is another number, the node's id and its kind in the bits above 40.
# - As texts, by Attribute, all are kept.
# What follows: ids and dates are texts in such a tileset, or the feature's id is read without the bits of the kind.
#
#   usage: findings/ids-in-tilemaker.sh     prints what the tile has; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target python osmium==4.3.2 mapbox-vector-tile==2.2.0 2>log
for package in tilemaker libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-program-options1.74.0 \
  liblua5.1-0 libprotobuf32 libshp2; do
  apt-get download --quiet --quiet "$package" 2>>log || { echo "$package is missing" >&2; exit 69; }
done
for package in *.deb; do dpkg -x "$package" debian; done
library=$(dirname "$(find "$PWD/debian" -name 'liblua5.1.so.0')")
cat >process.lua <<'END_OF_LUA'
node_keys = {"place"}
function init_function() end
function exit_function() end
function node_function(node)
  node:Layer("place", false)
  node:Attribute("name", node:Find("name"))
  node:AttributeNumeric("id", node:Id())
  node:Attribute("id_text", node:Id())
  node:AttributeNumeric("number", tonumber(node:Find("number")))
end
function way_function() end
END_OF_LUA
cat >config.json <<'END_OF_JSON'
{"layers": {"place": {"minzoom": 0, "maxzoom": 0}},
 "settings": {"minzoom": 0, "maxzoom": 0, "basezoom": 0, "include_ids": true, "compress": "none", "name": "places",
              "version": "1", "description": "places", "bounding_box": [-10, 40, 20, 60]}}
END_OF_JSON
cat >make.py <<'END_OF_PYTHON'
import osmium
from osmium.osm.mutable import Node

PLACES = {"Ulm": (5, "126405"), "Bern": (16777217, "16777217"), "Rome": (9000000001, "20261130"),
          "Lyon": (9000000002, "20261131"), "Graz": (12345678901, "0.1")}
writer = osmium.SimpleWriter("places.osm.pbf")
for place, (name, (id, number)) in enumerate(PLACES.items()):
    tags = {"place": "city", "name": name, "number": number}
    writer.add_node(Node(id=id, version=1, location=(place, 48), tags=tags))
writer.close()
END_OF_PYTHON
cat >read.py <<'END_OF_PYTHON'
import sqlite3

import mapbox_vector_tile

data, = sqlite3.connect("places.mbtiles").execute("SELECT tile_data FROM tiles").fetchone()
for feature in mapbox_vector_tile.decode(data)["place"]["features"]:
    values = feature["properties"]
    print(f"{values['name']}: node {values['id_text']} is {values['id']:.0f}, number {values['number']!r}, "
          f"feature {feature['id']}, less its kind {feature['id'] & (1 << 40) - 1}")
END_OF_PYTHON
PYTHONPATH=python python3 make.py
LD_LIBRARY_PATH=$library debian/usr/bin/tilemaker --input places.osm.pbf --output places.mbtiles --config config.json \
  --process process.lua >>log 2>&1
{
  LD_LIBRARY_PATH=$library debian/usr/bin/tilemaker --help | head -1
  PYTHONPATH=python python3 read.py
} >found
cat found
diff - found <<'END_OF_FOUND'
tilemaker 2.2.0
Ulm: node 5 is 5, number 126405.0, feature 1099511627781, less its kind 5
Bern: node 16777217 is 16777216, number 16777216.0, feature 1099528404993, less its kind 16777217
Rome: node 9000000001 is 9000000512, number 20261130.0, feature 1108511627777, less its kind 9000000001
Lyon: node 9000000002 is 9000000512, number 20261132.0, feature 1108511627778, less its kind 9000000002
Graz: node 12345678901 is 12345678848, number 0.10000000149011612, feature 1111857306677, less its kind 12345678901
END_OF_FOUND
