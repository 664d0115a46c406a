#!/bin/sh
# An app logs its statements with their values, as SQLite gives them to set_trace_callback or expanded_sql, and runs
# the log again on an older copy: rows are there three times, a text ends in its middle, and numbers are moved by a bit.
#
# Guess: what is logged, run again on the same database, makes the same rows: each statement once, with its triggers
# firing anew, and each value as it was bound (https://www.sqlite.org/c3ref/expanded_sql.html).
# Found (sqlean.py's SQLite 3.50.4 and apsw's 3.54.1), without an error as it is logged:
# - set_trace_callback gives the text of a statement that fires a trigger again, for each row once as the trigger begins
#   and once for each statement in it: an INSERT of one row that fires a trigger with one statement is three rows.
# - In both, a real number has 15 digits, so that 0.1 + 0.2 is 0.3. Infinity is Inf, which is a column's name as it is
#   run. A text ends before its first NUL.
# - Right: blobs, integers, quotes, ? in texts and comments. What full-text tables and R*Trees run is in comments.
# What follows: changes are kept as a session's changeset, or with their values beside the text.
#
#   usage: findings/log-of-statements-run-again.sh     prints both databases; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw, sqlean

def by_sqlean():
    app = sqlean.connect(":memory:", isolation_level=None)
    log = []
    app.set_trace_callback(log.append)
    return app, log

def by_apsw():
    app = apsw.Connection(":memory:")
    log = []
    app.exec_trace = lambda cursor, statement, values: log.append(cursor.expanded_sql) or True
    return app, log

def ask(what, make, schema, *calls, question="SELECT * FROM stop"):
    app, log = make()
    copy = apsw.Connection(":memory:")
    for statement in schema:
        app.execute(statement)
        copy.execute(statement)
    log.clear()
    for call in calls:
        app.execute(*call)
    logged = [text for text in log if not text.startswith("-- ")]
    errors = ""
    for text in logged:
        try:
            copy.execute(text)
        except apsw.Error as error:
            errors = f" {str(error).removeprefix('SQLError: ')};"
    rows = [list(map(tuple, database.execute(question))) for database in (app, copy)]
    said = "the same" if rows[0] == rows[1] else f"{rows[0]} and {rows[1]}"
    print(f"  {what}: {len(logged)} logged of {len(calls)};{errors} {said}")

STOPS = ["CREATE TABLE stop (name, x)"]
NOTED = [*STOPS, "CREATE TABLE note (name)",
         "CREATE TRIGGER noted AFTER INSERT ON stop BEGIN INSERT INTO note VALUES (new.name); END"]
INSERT = "INSERT INTO stop VALUES (?, ?)"
print("SQLite", sqlean.sqlite_version, "by set_trace_callback;", apsw.sqlite_lib_version(), "by expanded_sql")
for make in (by_sqlean, by_apsw):
    print(make.__name__.replace("_", " "))
    ask("a row", make, STOPS, (INSERT, ("Quay", 1)))
    ask("a row with a trigger", make, NOTED, (INSERT, ("Quay", 1)), question="SELECT count(*) FROM stop")
    ask("two rows with a trigger", make, NOTED, ("INSERT INTO stop VALUES (?1, 1), (?2, 2)", ("Quay", "Mill")),
        question="SELECT count(*) FROM stop")
    ask("0.1 + 0.2", make, STOPS, (INSERT, ("Quay", 0.1 + 0.2)))
    ask("infinity", make, STOPS, (INSERT, ("Quay", float("inf"))))
    ask("a text with NUL", make, STOPS, (INSERT, ("Quay\0west", 1)))
    ask("a blob, an integer", make, STOPS, (INSERT, (b"\0\xff", 2**63 - 1)))
    ask("quotes and ?", make, STOPS, ("INSERT INTO stop VALUES (? || ' ?' /* ? */, ?)", ("King's", 1)))
    ask("a full-text table", make, ["CREATE VIRTUAL TABLE stop USING fts5(name)"],
        ("INSERT INTO stop VALUES (?)", ("Quay west",)), question="SELECT name FROM stop('quay')")
    ask("an R*Tree", make, ["CREATE VIRTUAL TABLE stop USING rtree(id, west, east)"],
        ("INSERT INTO stop VALUES (?, ?, ?)", (1, 13, 14)))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" sqlean-py==3.50.4.5 apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.50.4 by set_trace_callback; 3.54.1 by expanded_sql
by sqlean
  a row: 1 logged of 1; the same
  a row with a trigger: 3 logged of 1; [(1,)] and [(3,)]
  two rows with a trigger: 5 logged of 1; [(2,)] and [(10,)]
  0.1 + 0.2: 1 logged of 1; [('Quay', 0.30000000000000004)] and [('Quay', 0.3)]
  infinity: 1 logged of 1; no such column: Inf; [('Quay', inf)] and []
  a text with NUL: 1 logged of 1; [('Quay\x00west', 1)] and [('Quay', 1)]
  a blob, an integer: 1 logged of 1; the same
  quotes and ?: 1 logged of 1; the same
  a full-text table: 1 logged of 1; the same
  an R*Tree: 1 logged of 1; the same
by apsw
  a row: 1 logged of 1; the same
  a row with a trigger: 1 logged of 1; the same
  two rows with a trigger: 1 logged of 1; the same
  0.1 + 0.2: 1 logged of 1; [('Quay', 0.30000000000000004)] and [('Quay', 0.3)]
  infinity: 1 logged of 1; no such column: Inf; [('Quay', inf)] and []
  a text with NUL: 1 logged of 1; [('Quay\x00west', 1)] and [('Quay', 1)]
  a blob, an integer: 1 logged of 1; the same
  quotes and ?: 1 logged of 1; the same
  a full-text table: 1 logged of 1; the same
  an R*Tree: 1 logged of 1; the same
END_OF_FOUND
