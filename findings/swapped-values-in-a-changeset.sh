#!/bin/sh
# A changeset in which two rows exchange a unique value, such as their places in a list, is lost before SQLite 3.54.
#
# Guess: a changeset of a session leads each database that was the same to the same rows; what a constraint forbids for
# a moment only is tried again.
# Found (apsw's wheels):
# - Up to 3.53 each of the two updates is a conflict of the kind CONSTRAINT: where it is left out, which is all that is
#   allowed but to abort, the rows keep the old values on one device and have the new ones on the other.
# - In 3.54.1 there is no conflict, and the rows are the same.
# - A value that moves on from row to row, or from a row that is deleted, is applied in all of them.
# What follows: a place in a list that is synchronized is not unique, or a fraction between its neighbors.
#
#   usage: findings/swapped-values-in-a-changeset.sh     prints the rows; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw

SCHEMA = ["CREATE TABLE favorite (stop TEXT PRIMARY KEY, place INTEGER UNIQUE)",
          "INSERT INTO favorite VALUES ('Quay', 1), ('Mill', 2), ('Farm', 3)"]
CASES = {
    "exchange": ["UPDATE favorite SET place = -place",
                 "UPDATE favorite SET place = CASE stop WHEN 'Quay' THEN 2 WHEN 'Mill' THEN 1 ELSE 3 END"],
    "move on": ["UPDATE favorite SET place = place + 1 WHERE stop = 'Farm'",
                "UPDATE favorite SET place = 3 WHERE stop = 'Mill'",
                "UPDATE favorite SET place = 2 WHERE stop = 'Quay'"],
    "delete": ["DELETE FROM favorite WHERE stop = 'Quay'", "UPDATE favorite SET place = 1 WHERE stop = 'Mill'"],
}

def rows(connection):
    return " ".join(f"{stop} {place}" for stop, place in connection.execute("SELECT * FROM favorite ORDER BY place"))

print("SQLite", apsw.sqlite_lib_version())
for name, statements in CASES.items():
    first, second = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    for connection in first, second:
        for sql in SCHEMA:
            connection.execute(sql)
    session = apsw.Session(first, "main")
    session.attach("favorite")
    for sql in statements:
        first.execute(sql)
    conflicts = []

    def omit(reason, change):
        conflicts.append("CONSTRAINT" if reason == apsw.SQLITE_CHANGESET_CONSTRAINT else str(reason))
        return apsw.SQLITE_CHANGESET_OMIT

    apsw.Changeset.apply(session.changeset(), second, conflict=omit)
    print(name, "| conflicts:", *conflicts or ["none"], "|", rows(first), "|", rows(second))
END
versions='3.50.4.0 3.53.0.0 3.54.1.0'
for version in $versions; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
SQLite 3.50.4
exchange | conflicts: CONSTRAINT CONSTRAINT | Mill 1 Quay 2 Farm 3 | Quay 1 Mill 2 Farm 3
move on | conflicts: none | Quay 2 Mill 3 Farm 4 | Quay 2 Mill 3 Farm 4
delete | conflicts: none | Mill 1 Farm 3 | Mill 1 Farm 3
SQLite 3.53.0
exchange | conflicts: CONSTRAINT CONSTRAINT | Mill 1 Quay 2 Farm 3 | Quay 1 Mill 2 Farm 3
move on | conflicts: none | Quay 2 Mill 3 Farm 4 | Quay 2 Mill 3 Farm 4
delete | conflicts: none | Mill 1 Farm 3 | Mill 1 Farm 3
SQLite 3.54.1
exchange | conflicts: none | Mill 1 Quay 2 Farm 3 | Mill 1 Quay 2 Farm 3
move on | conflicts: none | Quay 2 Mill 3 Farm 4 | Quay 2 Mill 3 Farm 4
delete | conflicts: none | Mill 1 Farm 3 | Mill 1 Farm 3
END
