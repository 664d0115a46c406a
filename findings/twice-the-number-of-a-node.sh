#!/bin/sh
# An extract of OpenStreetMap with its nodes one by one, as the format allows, is read by DuckDB: each node has twice
# its number, so that ways go by other nodes, or by none. What was deleted is there in a file with the history.
#
# Guess: a reader of PBF has the ids of both forms of nodes, dense ones and single ones, and says what it cannot read
# (https://wiki.openstreetmap.org/wiki/PBF_Format); of a history it has each version, and whether it is visible.
# Found (DuckDB 1.5.5 with its extension spatial, files by osmium 4.3.2), without an error, of ST_ReadOSM():
# - With pbf_dense_nodes=false node 1 is 2, 2 is 4 and -5 is 9: the format writes the sign in the last bit, and it is
#   read as a part of the number. Tags and places are right. A way by the nodes 1, 2, 4 finds the nodes 2 and 4 alone,
#   which are 1 and 2.
# - In a history file versions that were deleted are nodes as the others, with the place that they have in the file, and
#   each version of a way is a way. No column tells the version.
# - Files without compression, and with LZ4, are an error, "end of buffer exception".
# - Right: dense nodes, also of negative ids and of more than 32 bits; ways, relations, tags.
# What follows: such a file is written anew by osmium, with dense nodes and zlib, before DuckDB reads it, and of a
# history a file of one time is made.
#
#   usage: findings/twice-the-number-of-a-node.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, importlib.metadata, os, sys

import duckdb, osmium
from osmium.osm.mutable import Node, Relation, Way

folder = sys.argv[1]
os.chdir(folder)
[extension] = glob.glob("packages/duckdb_extension_spatial/**/spatial.duckdb_extension", recursive=True)
database = duckdb.connect()
database.load_extension(extension)

def ask(what, options="pbf", history=False):
    path = f"{what.replace(' ', '-')}.osm.pbf"
    with osmium.SimpleWriter(osmium.io.File(path, options)) as writer:
        for number, place in ((-5, (13.0, 52.0)), (1, (13.125, 52.0)), (2, (13.25, 52.0)), (4, (13.5, 52.0))):
            writer.add_node(Node(id=number, version=1, location=place, tags={"name": f"N{number}"}))
            if history and number == 4:
                writer.add_node(Node(id=4, version=2, visible=False, location=place, tags={"name": "deleted"}))
        writer.add_node(Node(id=12000000001, version=1, location=(13.75, 52.0)))
        writer.add_way(Way(id=7, version=1, nodes=[1, 2, 4], tags={"highway": "road"}))
        if history:
            writer.add_way(Way(id=7, version=2, visible=False, nodes=[], tags={}))
        writer.add_relation(Relation(id=9, version=1, members=[("n", 1, "stop"), ("w", 7, "")], tags={"type": "route"}))
    print(f"{what}, by osmium:", ", ".join(f"{entity.type_str()}{entity.id}{'' if entity.visible else ' DELETED'}"
                                           for entity in osmium.FileProcessor(path)))
    try:
        nodes = database.execute("SELECT id, lon, tags['name'] FROM ST_ReadOSM(?) WHERE kind = 'node'",
                                 [path]).fetchall()
        print("  by DuckDB:", ", ".join(f"n{number} at {longitude}{f' {name}' if name else ''}"
                                        for number, longitude, name in nodes))
        print("  ways:", database.execute("SELECT id, refs FROM ST_ReadOSM(?) WHERE kind = 'way'", [path]).fetchall(),
              "by way of", database.execute("""
                  SELECT list(node.tags['name'] ORDER BY place) FROM (
                      SELECT unnest(refs) AS id, generate_subscripts(refs, 1) AS place
                      FROM ST_ReadOSM($1) WHERE kind = 'way') JOIN ST_ReadOSM($1) AS node USING (id)
                  WHERE node.kind = 'node'""", [path]).fetchone()[0],
              "| relations:", database.execute("SELECT id, refs FROM ST_ReadOSM(?) WHERE kind = 'relation'",
                                               [path]).fetchall())
    except duckdb.Error as error:
        print("  by DuckDB:", str(error).splitlines()[0])

print("DuckDB", duckdb.__version__, "| osmium", importlib.metadata.version("osmium"))
ask("dense")
ask("one by one", "pbf,pbf_dense_nodes=false")
ask("history", "pbf,history=true", history=True)
ask("without compression", "pbf,pbf_compression=none")
ask("with LZ4", "pbf,pbf_compression=lz4")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" duckdb==1.5.5 duckdb-extension-spatial==1.5.5 osmium==4.3.2
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
DuckDB 1.5.5 | osmium 4.3.2
dense, by osmium: n-5, n1, n2, n4, n12000000001, w7, r9
  by DuckDB: n-5 at 13.0 N-5, n1 at 13.125 N1, n2 at 13.25 N2, n4 at 13.5 N4, n12000000001 at 13.75
  ways: [(7, [1, 2, 4])] by way of ['N1', 'N2', 'N4'] | relations: [(9, [1, 7])]
one by one, by osmium: n-5, n1, n2, n4, n12000000001, w7, r9
  by DuckDB: n9 at 13.0 N-5, n2 at 13.125 N1, n4 at 13.25 N2, n8 at 13.5 N4, n24000000002 at 13.75
  ways: [(7, [1, 2, 4])] by way of ['N1', 'N2'] | relations: [(9, [1, 7])]
history, by osmium: n-5, n1, n2, n4, n4 DELETED, n12000000001, w7, w7 DELETED, r9
  by DuckDB: n-5 at 13.0 N-5, n1 at 13.125 N1, n2 at 13.25 N2, n4 at 13.5 N4, n4 at 13.5 deleted, n12000000001 at 13.75
  ways: [(7, [1, 2, 4]), (7, None)] by way of ['N1', 'N2', 'N4', 'deleted'] | relations: [(9, [1, 7])]
without compression, by osmium: n-5, n1, n2, n4, n12000000001, w7, r9
  by DuckDB: end of buffer exception
with LZ4, by osmium: n-5, n1, n2, n4, n12000000001, w7, r9
  by DuckDB: end of buffer exception
END_OF_FOUND
