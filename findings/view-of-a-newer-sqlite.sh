#!/bin/sh
# A database is shipped with a view that an older SQLite cannot parse: none of its tables can be read there.
#
# Guess: a view is parsed when it is used, so that only its query fails, as with a view of a table that is missing.
# Found (apsw's wheels of SQLite 3.40 to 3.54), of a table that has nothing to do with the view, trigger or index:
# - A view with ORDER BY in an aggregate (3.44), a view with 1_000 (3.46) and a trigger with an expression in RAISE()
#   (3.47) make each statement "malformed database schema" in versions before, also PRAGMA integrity_check.
# - PRAGMA user_version answers, so that what asks for the version of the file first takes it for a good one; and backup
#   copies it.
# - A view and a trigger that call a function of a later version fail alone. Of an index that calls one the table is
#   read, but takes no row and fails the check, while other tables are all right.
# What follows: a database is opened once, before it is shipped, with the oldest SQLite that shall read it.
#
#   usage: findings/view-of-a-newer-sqlite.sh     prints what each version reads; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

CASES = [
    ("a view with ORDER BY in an aggregate", "CREATE VIEW names AS SELECT group_concat(name ORDER BY id) FROM stop"),
    ("a view with 1_000", "CREATE VIEW far AS SELECT name FROM stop WHERE id > 1_000"),
    ("a trigger with an expression in RAISE()",
     "CREATE TRIGGER kept BEFORE DELETE ON stop BEGIN SELECT RAISE(ABORT, 'not ' || old.name); END"),
    ("a view with concat()", "CREATE VIEW label AS SELECT concat(name, id) FROM stop"),
    ("a trigger with concat()",
     "CREATE TRIGGER named AFTER UPDATE ON stop BEGIN UPDATE line SET name = concat(name, '!'); END"),
    ("an index with concat()", "CREATE INDEX stop_label ON stop (concat(name, '!'))"),
]

def answer(path, sql):
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.execute("BEGIN")
        return " ".join(str(value) for row in connection.execute(sql) for value in row) or "done"
    except apsw.Error as error:
        return str(error).removeprefix(type(error).__name__ + ": ").split(" (")[0]
    finally:
        connection.close()

def copied(path):
    source, copy = apsw.Connection(path), apsw.Connection(":memory:")
    with copy.backup("main", source, "main") as backup:
        backup.step(-1)
        return "copied" if backup.done else "not copied"

version = (apsw.sqlite_lib_version if hasattr(apsw, 'sqlite_lib_version') else apsw.sqlitelibversion)()
for number, (name, sql) in enumerate(CASES):
    path = os.path.join(sys.argv[1], f"{number}.db")
    if not os.path.exists(path):
        connection = apsw.Connection(path)
        for statement in [
            "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO stop VALUES (1, 'Quay')",
            "CREATE TABLE line (name TEXT)", "INSERT INTO line VALUES ('F')", "PRAGMA user_version = 7", sql,
        ]:
            connection.execute(statement)
        connection.close()
    questions = ["SELECT name FROM line", "SELECT name FROM stop", "INSERT INTO stop VALUES (2, 'Pier')",
                 "PRAGMA integrity_check"]
    answers = [answer(path, question) for question in questions]
    print(f"{version}, {name}: {' | '.join(answers) if len(set(answers)) > 1 else 'each ' + answers[0]}",
          f"| user_version {answer(path, 'PRAGMA user_version')} | {copied(path)}")
END_OF_PYTHON
for version in 3.54.1.0 3.40.0.0 3.45.3.0 3.46.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
    --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder"
done >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.54.1, a view with ORDER BY in an aggregate: F | Quay | done | ok | user_version 7 | copied
3.54.1, a view with 1_000: F | Quay | done | ok | user_version 7 | copied
3.54.1, a trigger with an expression in RAISE(): F | Quay | done | ok | user_version 7 | copied
3.54.1, a view with concat(): F | Quay | done | ok | user_version 7 | copied
3.54.1, a trigger with concat(): F | Quay | done | ok | user_version 7 | copied
3.54.1, an index with concat(): F | Quay | done | ok | user_version 7 | copied
3.40.0, a view with ORDER BY in an aggregate: each malformed database schema | user_version 7 | copied
3.40.0, a view with 1_000: each malformed database schema | user_version 7 | copied
3.40.0, a trigger with an expression in RAISE(): each malformed database schema | user_version 7 | copied
3.40.0, a view with concat(): F | Quay | done | ok | user_version 7 | copied
3.40.0, a trigger with concat(): F | Quay | done | ok | user_version 7 | copied
3.40.0, an index with concat(): F | Quay | unknown function: concat() | unknown function: concat() | user_version 7 | copied
3.45.3, a view with ORDER BY in an aggregate: F | Quay | done | ok | user_version 7 | copied
3.45.3, a view with 1_000: each malformed database schema | user_version 7 | copied
3.45.3, a trigger with an expression in RAISE(): each malformed database schema | user_version 7 | copied
3.45.3, a view with concat(): F | Quay | done | ok | user_version 7 | copied
3.45.3, a trigger with concat(): F | Quay | done | ok | user_version 7 | copied
3.45.3, an index with concat(): F | Quay | done | ok | user_version 7 | copied
3.46.1, a view with ORDER BY in an aggregate: F | Quay | done | ok | user_version 7 | copied
3.46.1, a view with 1_000: F | Quay | done | ok | user_version 7 | copied
3.46.1, a trigger with an expression in RAISE(): each malformed database schema | user_version 7 | copied
3.46.1, a view with concat(): F | Quay | done | ok | user_version 7 | copied
3.46.1, a trigger with concat(): F | Quay | done | ok | user_version 7 | copied
3.46.1, an index with concat(): F | Quay | done | ok | user_version 7 | copied
END_OF_FOUND
