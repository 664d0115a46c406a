#!/bin/sh
# PRAGMA cipher_migrate turns a database of SQLCipher 3 into one of SQLCipher 4, and a search finds other rows in it.
#
# Guess: it changes the encryption, page by page or by a copy of them; the rows, their numbers and the header's fields
# stay (https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_migrate).
# Found (SQLCipher 4.12.0 in sqlcipher3-wheels 0.5.7), without an error:
# - A table without INTEGER PRIMARY KEY gets new rowids, without gaps. A full-text index over it, with content=, has the
#   old ones: "quay" finds pier, "pier" finds wharf, and "wharf" is an error: "missing row 9".
# - application_id is 0, and auto_vacuum is off. The file is known no longer by its kind, and never shrinks.
# - Right: user_version, write-ahead logging, an AUTOINCREMENT counter, and tables with INTEGER PRIMARY KEY.
# What follows: after cipher_migrate both are set again, and each such index gets a 'rebuild'; or the rows have a key.
#
#   usage: findings/search-after-cipher-migrate.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" sqlcipher3-wheels==0.5.7
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

from sqlcipher3 import dbapi2

path = os.path.join(sys.argv[1], "a.db")

def opened(*pragmas):
    connection = dbapi2.connect(path, isolation_level=None)
    for pragma in ["key = 'lantern'", *pragmas]:
        result = connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection, result

def show(name, connection):
    print(name)
    for field in ("application_id", "user_version", "auto_vacuum", "journal_mode"):
        print(f"  {field} {connection.execute(f'PRAGMA {field}').fetchone()[0]}")
    print("  next id", connection.execute("SELECT seq + 1 FROM sqlite_sequence").fetchone()[0])
    for table in ("note", "place"):
        print(f"  {table}:", *connection.execute(f"SELECT rowid, text FROM {table} ORDER BY rowid"))
    for word in ("quay", "pier", "wharf"):
        try:
            found = connection.execute("SELECT rowid, text FROM search WHERE search MATCH ?", [word]).fetchall()
        except dbapi2.DatabaseError as error:
            found = [error]
        print(f"  search for {word}:", *found)

connection, _ = opened("cipher_compatibility = 3")
connection.executescript("""
PRAGMA auto_vacuum = FULL; PRAGMA application_id = 1212761158; PRAGMA user_version = 7; PRAGMA journal_mode = WAL;
CREATE TABLE note (text TEXT);
CREATE TABLE place (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
CREATE VIRTUAL TABLE search USING fts5 (text, content = note);
INSERT INTO place VALUES (5, 'harbor'), (9, 'island');
DELETE FROM place WHERE id = 9;
INSERT INTO note (rowid, text) VALUES (1, 'old'), (2, 'quay'), (3, 'pier'), (9, 'wharf');
DELETE FROM note WHERE rowid = 1;
INSERT INTO search (search) VALUES ('rebuild')""")
version = connection.execute("PRAGMA cipher_version").fetchone()[0]
print("SQLCipher", version)
show("as SQLCipher 3 has it", connection)
connection.close()
connection, result = opened("cipher_migrate")
print("cipher_migrate:", *result[0])
connection.close()
connection, _ = opened()
show("behind cipher_migrate", connection)
connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
print("behind a rebuild:", *[row for word in ("quay", "pier", "wharf") for row in connection.execute(
    "SELECT rowid, text FROM search WHERE search MATCH ?", [word])])
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLCipher 4.12.0 community
as SQLCipher 3 has it
  application_id 1212761158
  user_version 7
  auto_vacuum 1
  journal_mode wal
  next id 10
  note: (2, 'quay') (3, 'pier') (9, 'wharf')
  place: (5, 'harbor')
  search for quay: (2, 'quay')
  search for pier: (3, 'pier')
  search for wharf: (9, 'wharf')
cipher_migrate: 0
behind cipher_migrate
  application_id 0
  user_version 7
  auto_vacuum 0
  journal_mode wal
  next id 10
  note: (1, 'quay') (2, 'pier') (3, 'wharf')
  place: (5, 'harbor')
  search for quay: (2, 'pier')
  search for pier: (3, 'wharf')
  search for wharf: fts5: missing row 9 from content table 'main'.'note'
behind a rebuild: (1, 'quay') (2, 'pier') (3, 'wharf')
END_OF_FOUND
