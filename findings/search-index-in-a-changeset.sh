#!/bin/sh
# A session of SQLite that records all tables records the pages of full-text indexes too, and applies them elsewhere.
#
# Guess: "virtual tables" are left out (https://www.sqlite.org/sessionintro.html), and so are the tables behind them: the
# rows of the content table arrive, and triggers there index them.
# Found (apsw 3.54.1), of two devices with the same schema, each of which has added a row of its own:
# - sqlite3session_attach(NULL) records the index's own tables, word_data, word_idx and word_docsize, whose changes
#   conflict with those of the other index.
# - Where the conflicts are replaced, as is usual for rows, the pages of the first device replace those of the second,
#   which keeps its row and does not find it by its words any more. PRAGMA integrity_check says ok.
# - Where they are omitted, and where the content table alone was recorded, both rows are found.
# What follows: who sends changesets names the tables to be recorded; `db check` compares an index with its texts.
#
#   usage: findings/search-index-in-a-changeset.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import os, sys

import apsw

SCHEMA = [
    "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
    "CREATE VIRTUAL TABLE word USING fts5 (text, content='note', content_rowid='id')",
    "CREATE TRIGGER note_inserted AFTER INSERT ON note BEGIN "
    "INSERT INTO word (rowid, text) VALUES (new.id, new.text); END",
]

def device(name):
    connection = apsw.Connection(os.path.join(sys.argv[1], name))
    for sql in SCHEMA:
        connection.execute(sql)
    return connection

def rows(connection, sql):
    return [row[0] for row in connection.execute(sql)]

print("SQLite", apsw.sqlite_lib_version())
for number, (table, choice) in enumerate([
        (None, "REPLACE"), (None, "OMIT"), ("note", "REPLACE")]):
    first, second = device(f"first{number}"), device(f"second{number}")
    session = apsw.Session(first, "main")
    session.attach(table)
    first.execute("INSERT INTO note VALUES (1, 'quay')")
    second.execute("INSERT INTO note VALUES (2, 'mill')")
    changes = session.changeset()
    conflicts = set()

    def resolve(reason, change):
        conflicts.add(change.name)
        replaceable = reason in (apsw.SQLITE_CHANGESET_DATA, apsw.SQLITE_CHANGESET_CONFLICT)
        return getattr(apsw, "SQLITE_CHANGESET_" + (choice if replaceable else "OMIT"))

    apsw.Changeset.apply(changes, second, conflict=resolve)
    second.close()
    reader = apsw.Connection(os.path.join(sys.argv[1], f"second{number}"))
    print(table or "all tables", choice, "| conflicts:", *sorted(conflicts) or ["none"],
          "| notes", *rows(reader, "SELECT text FROM note"),
          "| found", *[text for text in ("quay", "mill") if rows(reader, f"SELECT rowid FROM word ('{text}')")],
          "|", rows(reader, "PRAGMA integrity_check")[0])
END
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
SQLite 3.54.1
all tables REPLACE | conflicts: word_data word_docsize word_idx | notes quay mill | found quay | ok
all tables OMIT | conflicts: word_data word_docsize word_idx | notes quay mill | found quay mill | ok
note REPLACE | conflicts: none | notes quay mill | found quay mill | ok
END
