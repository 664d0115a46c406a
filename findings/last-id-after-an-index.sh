#!/bin/sh
# An app inserts a stop, moves the box of another stop or corrects a text in a search index, and asks SQLite for the id
# of the row that it inserted: it is 1, 3, 0, or 9007336693694464.
#
# Guess: last_insert_rowid() is the id of the last INSERT, whatever was updated or deleted since. What virtual tables
# insert while they commit may show, says its page; a table of SQLite itself restores the id.
# Found (apsw's wheels of SQLite 3.40 to 3.54, the same in each), after INSERT of a stop with the id 4711:
# - After UPDATE or DELETE of a row of an R*Tree, or DELETE of one of geopoly, it is the number of one of its nodes.
# - After UPDATE or DELETE in FTS4 it is 0. After UPDATE in FTS5 it is the id of the row that was updated, and after a
#   DELETE in one without texts (contentless_delete) a number of the index's own.
# - COMMIT does not bring it back.
# - Right: after a trigger of the stop's table that does all this, and after DELETE in other FTS5 tables. An UPDATE of
#   a column that geopoly does not index leaves the id.
# What follows: the id of a new row is taken from RETURNING, or at once after its INSERT; or triggers keep the index.
#
#   usage: findings/last-id-after-an-index.sh     prints the ids; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

SQUARE = "'[[0,0],[1,0],[1,1],[0,0]]'"
INDEXES = {
    "R*Tree": ("rtree (id, west, east)", "id, west, east", "1, 2", "east = 5 WHERE id"),
    "geopoly": ("geopoly (note)", "rowid, _shape", SQUARE, "note = 5 WHERE rowid"),
    "FTS4": ("fts4 (body)", "docid, body", "'quay'", "body = 'park' WHERE docid"),
    "FTS5": ("fts5 (body)", "rowid, body", "'quay'", "body = 'park' WHERE rowid"),
    "FTS5 without texts": ("fts5 (body, content = '', contentless_delete = 1)", "rowid, body", "'quay'",
                           "body = 'park' WHERE rowid"),
}
for name, (module, columns, values, change) in INDEXES.items():
    connection = apsw.Connection("")
    run = lambda sql: connection.cursor().execute(sql).fetchall()
    def ids(*statements):
        found = []
        for statement in statements:
            run(statement)
            found.append(str(run("SELECT last_insert_rowid()")[0][0]))
        return " ".join(found)
    run("CREATE TABLE stop (id INTEGER PRIMARY KEY)")
    try:
        run(f"CREATE VIRTUAL TABLE entry USING {module}")
    except apsw.SQLError:
        continue # contentless_delete is one of 3.43.
    with connection:
        for id in range(100, 400):
            run(f"INSERT INTO entry ({columns}) VALUES ({id}, {values})")
    key = change.split()[-1]
    insert, update, delete = (f"INSERT INTO entry ({columns}) VALUES (new.id, {values})",
                              f"UPDATE entry SET {change} = 200", f"DELETE FROM entry WHERE {key} = 201")
    print(apsw.sqlitelibversion(), name + ":",
          "inserted and updated", ids("INSERT INTO stop VALUES (4711)", update) + ", deleted", ids(delete) + ",",
          "in a transaction", ids("BEGIN", "INSERT INTO stop VALUES (4712)", update.replace("200", "202"), "COMMIT")
          .split(" ", 1)[1] + ",", end=" ")
    run(f"CREATE TRIGGER follow AFTER INSERT ON stop BEGIN {insert}; {update}; {delete.replace('201', '203')}; END")
    print("with a trigger", ids("INSERT INTO stop VALUES (4713)"))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 R*Tree: inserted and updated 4711 3, deleted 1, in a transaction 4712 3 3, with a trigger 4713
3.40.0 geopoly: inserted and updated 4711 4711, deleted 1, in a transaction 4712 4712 4712, with a trigger 4713
3.40.0 FTS4: inserted and updated 4711 0, deleted 0, in a transaction 4712 0 0, with a trigger 4713
3.40.0 FTS5: inserted and updated 4711 200, deleted 200, in a transaction 4712 202 202, with a trigger 4713
3.46.1 R*Tree: inserted and updated 4711 3, deleted 1, in a transaction 4712 3 3, with a trigger 4713
3.46.1 geopoly: inserted and updated 4711 4711, deleted 1, in a transaction 4712 4712 4712, with a trigger 4713
3.46.1 FTS4: inserted and updated 4711 0, deleted 0, in a transaction 4712 0 0, with a trigger 4713
3.46.1 FTS5: inserted and updated 4711 200, deleted 200, in a transaction 4712 202 202, with a trigger 4713
3.46.1 FTS5 without texts: inserted and updated 4711 200, deleted 9007336693694464, in a transaction 4712 202 202, with a trigger 4713
3.54.1 R*Tree: inserted and updated 4711 3, deleted 1, in a transaction 4712 3 3, with a trigger 4713
3.54.1 geopoly: inserted and updated 4711 4711, deleted 1, in a transaction 4712 4712 4712, with a trigger 4713
3.54.1 FTS4: inserted and updated 4711 0, deleted 0, in a transaction 4712 0 0, with a trigger 4713
3.54.1 FTS5: inserted and updated 4711 200, deleted 200, in a transaction 4712 202 202, with a trigger 4713
3.54.1 FTS5 without texts: inserted and updated 4711 200, deleted 9007336693694464, in a transaction 4712 202 202, with a trigger 4713
END_OF_FOUND
