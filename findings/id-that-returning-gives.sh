#!/bin/sh
# A text is inserted into a search index, a place into an R*Tree, a vector into a table of vectors, and INSERT returns
# its id: it is -1, or NULL.
#
# Guess: RETURNING has the row as it was inserted, with the id that the table has given it; its page excludes UPDATE and
# DELETE of virtual tables, and INSERT not (https://www.sqlite.org/lang_returning.html#limitations_and_caveats).
# Found (SQLite 3.40 and 3.54 in apsw's wheels, sqlite-vec 0.1.9), without an error:
# - RETURNING rowid is -1 in FTS4, FTS5, R*Tree and geopoly, where no id is given. The table's own name of its id is
#   NULL in FTS4 (docid), R*Tree (id) and sqlite-vec.
# - INSERT OR IGNORE of an id that is there returns it, and inserts nothing, in FTS4, R*Tree and geopoly, and in FTS5
#   from 3.44 on. So a row that was not inserted seems to be there.
# - Right: an id that is given, also as a text; OR REPLACE; last_insert_rowid() right after INSERT.
# What follows: the id of a new row of an index is given to it, or taken from last_insert_rowid() at once.
#
#   usage: findings/id-that-returning-gives.sh     prints the ids; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw, sqlite_vec

connection = apsw.Connection("")
if hasattr(connection, "enable_load_extension"):
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())

def run(sql):
    try:
        rows = connection.cursor().execute(sql).fetchall()
        return ", ".join("NULL" if value is None else str(value) for row in rows for value in row) or "nothing"
    except apsw.Error as error:
        return "refused" if "onstraint failed" in str(error) else str(error)

print(apsw.sqlitelibversion())
TABLES = {
    "FTS4": ("fts4 (body)", "docid", "body", "'quay'"),
    "FTS5": ("fts5 (body)", "rowid", "body", "'quay'"),
    "R*Tree": ("rtree (id, west, east)", "id", "west, east", "1, 2"),
    "geopoly": ("geopoly (note)", "rowid", "_shape", "'[[0,0],[1,0],[1,1],[0,0]]'"),
    "sqlite-vec": ("vec0 (id INTEGER PRIMARY KEY, place FLOAT[2])", "id", "place", "'[1, 2]'"),
}
for name, (module, key, columns, values) in TABLES.items():
    if "no such module" in run(f"CREATE VIRTUAL TABLE entry USING {module}"):
        continue # apsw 3.40 loads no extensions.
    new = run(f"INSERT INTO entry ({columns}) VALUES ({values}) RETURNING {key}")
    last = run("SELECT last_insert_rowid()")
    rowid = run(f"INSERT INTO entry ({columns}) VALUES ({values}) RETURNING rowid")
    given = run(f"INSERT INTO entry ({key}, {columns}) VALUES (50, {values}) RETURNING {key}")
    before = run("SELECT count(*) FROM entry")
    ignored = run(f"INSERT OR IGNORE INTO entry ({key}, {columns}) VALUES (50, {values}) RETURNING {key}")
    is_there = "a row more" if run("SELECT count(*) FROM entry") != before else "no row more"
    print(f"  {name}: {key} {new}, last_insert_rowid() {last}; rowid {rowid}; given 50: {given}; "
          f"OR IGNORE 50: {ignored}, {is_there}")
    run("DROP TABLE entry")
END_OF_PYTHON
for version in 3.40.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version" sqlite-vec==0.1.9
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  FTS4: docid NULL, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  FTS5: rowid -1, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: refused, no row more
  R*Tree: id NULL, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  geopoly: rowid -1, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
3.54.1
  FTS4: docid NULL, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  FTS5: rowid -1, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  R*Tree: id NULL, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  geopoly: rowid -1, last_insert_rowid() 1; rowid -1; given 50: 50; OR IGNORE 50: 50, no row more
  sqlite-vec: id NULL, last_insert_rowid() 1; rowid no such column: rowid; given 50: 50; OR IGNORE 50: refused, no row more
END_OF_FOUND
