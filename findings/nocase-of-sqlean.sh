#!/bin/sh
# A database with a NOCASE column, filled by sqlean.py with its extensions: SQLite does not find Ulm in it any more.
#
# Guess: NOCASE is SQLite's own collation, of ASCII letters, and an extension has collations of other names; so a file
# with an index on such a column is the same to everyone.
# Found (sqlean.py 3.50.4.5, apsw 3.54.1), without an error:
# - enable_all() gives NOCASE another order, that of accents and of all letters, and lower() and LIKE another meaning.
#   An index of seven towns is out of order for SQLite: Ulm, Zoo and école are not found, and one name has four rows.
# - An index on lower(name) lacks the names that begin with É and Ü. PRAGMA integrity_check says that rows are missing.
# - It is the extension "unicode"; without it the file is right, with each of twelve others too when they were tried.
# What follows: what is shipped is written without that extension, or gets a REINDEX by SQLite; `db check` has the rows.
#
#   usage: findings/nocase-of-sqlean.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" apsw==3.54.1.0 sqlean.py==3.50.4.5
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw, sqlean

TOWNS = ["Édouard", "école", "Zoo", "éva", "Ulm", "Ürdingen", "über"]

def ask(name, path):
    writer = sqlean.connect(path)
    writer.execute("CREATE TABLE stop (name TEXT COLLATE NOCASE)")
    writer.execute("CREATE INDEX stop_name ON stop (name)")
    writer.execute("CREATE INDEX stop_lower ON stop (lower(name))")
    writer.executemany("INSERT INTO stop VALUES (?)", [[town] for town in TOWNS])
    writer.commit()
    writer.close()
    reader = apsw.Connection(path)
    def count(condition, town):
        return reader.execute(f"SELECT count(*) FROM stop WHERE {condition}", [town]).fetchone()[0]
    print(f"{name}: in order", *[town for town, in reader.execute("SELECT name FROM stop ORDER BY name")])
    for town in TOWNS:
        print(f"  {town}: by name {count('name = ?', town)}, by lower(name) {count('lower(name) = lower(?)', town)}")
    for problem, in reader.execute("PRAGMA integrity_check"):
        print("  check:", problem)
    reader.execute("REINDEX")
    print("  behind REINDEX:", *[count("name = ?", town) for town in TOWNS],
          *[row[0] for row in reader.execute("PRAGMA integrity_check")])

print("sqlean.py with SQLite", sqlean.sqlite_version, "| SQLite", apsw.sqlite_lib_version())
ask("without extensions", os.path.join(sys.argv[1], "a.db"))
sqlean.extensions.enable_all()
ask("with enable_all()", os.path.join(sys.argv[1], "b.db"))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
sqlean.py with SQLite 3.50.4 | SQLite 3.54.1
without extensions: in order Ulm Zoo Édouard Ürdingen école éva über
  Édouard: by name 1, by lower(name) 1
  école: by name 1, by lower(name) 1
  Zoo: by name 1, by lower(name) 1
  éva: by name 1, by lower(name) 1
  Ulm: by name 1, by lower(name) 1
  Ürdingen: by name 1, by lower(name) 1
  über: by name 1, by lower(name) 1
  check: ok
  behind REINDEX: 1 1 1 1 1 1 1 ok
with enable_all(): in order école Édouard éva über Ulm Ürdingen Zoo
  Édouard: by name 2, by lower(name) 0
  école: by name 0, by lower(name) 1
  Zoo: by name 0, by lower(name) 1
  éva: by name 1, by lower(name) 1
  Ulm: by name 0, by lower(name) 1
  Ürdingen: by name 0, by lower(name) 0
  über: by name 4, by lower(name) 1
  check: row 1 missing from index stop_lower
  check: row 2 missing from index stop_name
  check: row 3 missing from index stop_name
  check: row 5 missing from index stop_name
  check: row 6 missing from index stop_lower
  check: row 6 missing from index stop_name
  behind REINDEX: 1 1 1 1 1 1 1 ok
END_OF_FOUND
