#!/bin/sh
# A database of libSQL with a vector index is shipped after VACUUM, or copied by VACUUM INTO: integrity_check finds it
# damaged, and once the index is made anew, the check is ok, and a search finds nothing.
#
# Guess: VACUUM copies what is there; a file that was sound is sound afterwards.
# Found (libsql 0.1.11), without an error from VACUUM:
# - The table libsql_vector_meta_shadow, WITHOUT ROWID, whose key is the name of the index, has each row twice, and
#   three times after another VACUUM: row not in PRIMARY KEY order. VACUUM INTO leaves the file, and its copy is so.
# - A search finds what it did before. After DROP INDEX and CREATE INDEX integrity_check says ok, and it finds no row.
# - REINDEX ends with an error: UNIQUE constraint failed.
# - Right: DROP INDEX before VACUUM, and CREATE INDEX after it.
# What follows: a vector index is dropped before VACUUM and made after it; what is shipped is checked at the end.
#
#   usage: findings/vacuum-of-a-vector-index.sh     prints checks and searches; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/python" libsql==0.1.11
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

import libsql

os.chdir(sys.argv[1])
DROP, MAKE = "DROP INDEX stop_by_place", "CREATE INDEX stop_by_place ON stop (libsql_vector_idx(place))"

def look(connection):
    found = connection.execute("SELECT id FROM vector_top_k('stop_by_place', vector('[1, 1]'), 3)").fetchall()
    names = connection.execute("SELECT name FROM libsql_vector_meta_shadow").fetchall()
    checks = connection.execute("PRAGMA integrity_check").fetchall()
    return (f"{len(names)} rows of the key, found {' '.join(str(id) for (id,) in found) or 'none'}, "
            + "; ".join(check for (check,) in checks))

def case(*statements):
    name = f"{' '.join(statements)}.db".replace("'", "")[:40]
    connection = libsql.connect(name)
    said = ""
    for statement in ["CREATE TABLE stop (id INTEGER PRIMARY KEY, place F32_BLOB(2))", MAKE,
                      *(f"INSERT INTO stop VALUES ({id}, vector('[1, {id}]'))" for id in range(1, 9)), *statements]:
        try:
            connection.execute(statement)
            connection.commit()
        except ValueError as error:
            said = f" ({error})"
    steps = ", ".join(statement.split(" stop")[0] for statement in statements) or "as it was"
    print(f"{steps}{said}: {look(connection)}")

print("libsql", importlib.metadata.version("libsql"))
case()
case("VACUUM")
case("VACUUM", "VACUUM")
case("VACUUM", "REINDEX")
case("VACUUM", DROP, MAKE)
case(DROP, "VACUUM", MAKE)
case("VACUUM INTO 'copy.db'")
print("the copy:", look(libsql.connect("copy.db")))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
libsql 0.1.11
as it was: 1 rows of the key, found 1 2 3, ok
VACUUM: 2 rows of the key, found 1 2 3, row not in PRIMARY KEY order for libsql_vector_meta_shadow
VACUUM, VACUUM: 3 rows of the key, found 1 2 3, row not in PRIMARY KEY order for libsql_vector_meta_shadow; row not in PRIMARY KEY order for libsql_vector_meta_shadow
VACUUM, REINDEX (UNIQUE constraint failed: libsql_vector_meta_shadow.name): 2 rows of the key, found 1 2 3, row not in PRIMARY KEY order for libsql_vector_meta_shadow
VACUUM, DROP INDEX, CREATE INDEX: 1 rows of the key, found none, ok
DROP INDEX, VACUUM, CREATE INDEX: 1 rows of the key, found 1 2 3, ok
VACUUM INTO 'copy.db': 1 rows of the key, found 1 2 3, ok
the copy: 2 rows of the key, found 1 2 3, row not in PRIMARY KEY order for libsql_vector_meta_shadow
END_OF_FOUND
