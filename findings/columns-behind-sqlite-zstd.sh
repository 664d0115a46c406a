#!/bin/sh
# An app compresses the texts of a table by sqlite-zstd, which says that the table can be queried as normally: new rows
# have no defaults, a generated column is gone, NOCASE too, and a trigger sees two updates for one.
#
# Guess: the view that takes the table's place has the table's columns, with their defaults and collations; what an
# INSERT leaves out it computes, or is refused.
# Found (sqlite-zstd-build 0.3.5, the extension sqlite-zstd, in apsw 3.54.1), without an error where none is shown:
# - A column that an INSERT leaves out is NULL, whatever its DEFAULT. (With NOT NULL as well the INSERT fails.)
# - A generated column is not in the view. The compressed column has lost COLLATE NOCASE.
# - last_insert_rowid() after an INSERT is that of another table's row before; changes() is 0, as its page says.
# - An UPDATE of two columns is two updates for the app's own trigger.
# What follows: an app gives each column a value, and takes ids from max(id); or it compresses texts itself.
#
#   usage: findings/columns-behind-sqlite-zstd.sh     prints both tables' answers; ends with 1 if they change. On Linux
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/python" sqlite-zstd-build==0.3.5 apsw==3.54.1.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, json, os, sys

import apsw

[extension] = glob.glob(os.path.join(sys.argv[1], "python/sqlite_zstd/*.so"))

def answers(number, is_compressed, table, statements):
    connection = apsw.Connection(os.path.join(sys.argv[1], f"{number} {is_compressed}.db"))
    connection.enable_load_extension(True)
    connection.load_extension(extension)
    def run(sql, values=()):
        return connection.execute(sql, values).fetchall()
    run("PRAGMA foreign_keys = ON")
    run("CREATE TABLE other (id INTEGER PRIMARY KEY)")
    run("CREATE TABLE log (line TEXT)")
    run(f"CREATE TABLE note (id INTEGER PRIMARY KEY, {table})")
    run("CREATE TRIGGER follow AFTER UPDATE ON note BEGIN INSERT INTO log VALUES (old.body || ' to ' || new.body); END")
    with connection:
        for id in range(1, 200):
            run("INSERT INTO note (id, body) VALUES (?, ?)", (id, f"text {id}"))
    if is_compressed:
        settings = {"table": "note", "column": "body", "compression_level": 9, "dict_chooser": "'a'"}
        run("SELECT zstd_enable_transparent(?)", (json.dumps(settings),))
        run("SELECT zstd_incremental_maintenance(NULL, 1)")
    found = []
    for statement in statements:
        try:
            rows = run(statement)
        except apsw.Error as error:
            rows = [(str(error),)]
        if rows:
            found.append(" ".join(str(value) for row in rows for value in row))
    return " / ".join(found) or "nothing"

CASES = {
    "default": ("body TEXT, state TEXT DEFAULT 'new', number INTEGER DEFAULT 7",
                ["INSERT INTO note (body) VALUES ('x')", "SELECT state, number FROM note ORDER BY id DESC LIMIT 1"]),
    "not null": ("body TEXT, state TEXT NOT NULL DEFAULT 'new'", ["INSERT INTO note (body) VALUES ('x')"]),
    "generated": ("body TEXT, length INTEGER AS (length(body))", ["SELECT length FROM note WHERE id = 7"]),
    "nocase": ("body TEXT COLLATE NOCASE", ["SELECT id FROM note WHERE body = 'TEXT 7'"]),
    "changes": ("body TEXT", ["UPDATE note SET body = 'x' WHERE id < 5", "SELECT changes()",
                              "DELETE FROM note WHERE id < 5", "SELECT changes()"]),
    "id": ("body TEXT", ["INSERT INTO other VALUES (4711)", "INSERT INTO note (body) VALUES ('x')",
                         "SELECT last_insert_rowid(), max(id) FROM note"]),
    "trigger": ("body TEXT, state TEXT", ["UPDATE note SET state = 'read', body = 'x' WHERE id = 7",
                                          "SELECT * FROM log"]),
    "check": ("body TEXT CHECK (length(body) < 50)", ["UPDATE note SET body = printf('%99s', '')",
                                                       "REPLACE INTO note (id, body) VALUES (7, 'x')",
                                                       "SELECT body FROM note WHERE id IN (7, 8)"]),
}
print("SQLite", apsw.sqlite_lib_version())
for number, (name, (table, statements)) in enumerate(CASES.items()):
    plain, compressed = (answers(number, is_compressed, table, statements) for is_compressed in (False, True))
    print(f"{name}: table {plain} | compressed {compressed}")
END_OF_PYTHON
SQLITE_ZSTD_LOG=error PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1
default: table new 7 | compressed None None
not null: table nothing | compressed NOT NULL constraint failed: _note_zstd.state
generated: table 6 | compressed no such column: length
nocase: table 7 | compressed nothing
changes: table 4 / 4 | compressed 0 / 0
id: table 200 200 | compressed 4711 200
trigger: table text 7 to x | compressed text 7 to text 7 text 7 to x
check: table CHECK constraint failed: length(body) < 50 / x text 8 | compressed CHECK constraint failed: length(body) < 50 / x text 8
END_OF_FOUND
