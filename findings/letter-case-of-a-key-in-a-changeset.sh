#!/bin/sh
# A tag that is its own key is renamed from quay to Quay: the changeset with it, and all that it has beside it, cannot
# be applied to any other copy of the database.
#
# Guess: an UPDATE of a primary key is recorded as a DELETE of the old key and an INSERT of the new one
# (https://www.sqlite.org/session/c_changeset_conflict.html), also where both are equal by the column's collation.
# Found (apsw 3.50.4 and 3.54.1), of a key that is NOCASE, and of one without a type that changes from 1 to 1.0:
# - The session records an UPDATE of the old key and an INSERT of the new one. Where nothing but the key has changed,
#   sqlite3changeset_apply() fails: "SQL logic error". It is rolled back, with the changes of all other rows.
# - Where another column has changed too, or by REPLACE, the INSERT is a conflict: left out, the name stays quay on one
#   device and not on the other; replaced, the rows are the same.
# - Right: a key that compares by its bytes, and a NOCASE column that is no key.
# What follows: a name that people may spell anew is no key of a table that sessions synchronize; it has a number.
#
#   usage: findings/letter-case-of-a-key-in-a-changeset.sh     prints what arrives; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

version = (apsw.sqlite_lib_version if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion)()
COLUMNS = {"NOCASE key": ("TEXT COLLATE NOCASE", "'quay'", "'Quay'"), "key of no type": ("", "1", "1.0"),
           "BINARY key": ("TEXT", "'quay'", "'Quay'")}
CHANGES = {"renamed": "UPDATE tag SET name = {new} WHERE name = {old}",
           "and changed": "UPDATE tag SET name = {new}, uses = 5 WHERE name = {old}",
           "replaced": "REPLACE INTO tag VALUES ({new}, 6)"}

def database(type, old):
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE TABLE tag (name {type} PRIMARY KEY, uses INTEGER)")
    connection.execute(f"INSERT INTO tag VALUES ({old}, 1), ('pier', 2)")
    return connection

def recorded(connection, *statements):
    session = apsw.Session(connection, "main")
    session.attach()
    for statement in statements:
        connection.execute(statement)
    return session.changeset()

def rows(connection):
    return ", ".join(f"{name} {uses}" for name, uses in connection.execute("SELECT * FROM tag ORDER BY uses"))

def applied(connection, changes, choice):
    def conflict(reason, change):
        is_replaceable = reason in (apsw.SQLITE_CHANGESET_DATA, apsw.SQLITE_CHANGESET_CONFLICT)
        return choice if is_replaceable else apsw.SQLITE_CHANGESET_OMIT
    try:
        apsw.Changeset.apply(changes, connection, conflict=conflict)
    except apsw.SQLError as error:
        return f"{error}: {rows(connection)}"
    return rows(connection)

for column, (type, old, new) in COLUMNS.items():
    for name, change in CHANGES.items():
        here = database(type, old)
        changes = recorded(here, change.format(old=old, new=new), "UPDATE tag SET uses = 7 WHERE name = 'pier'")
        kinds = " ".join(sorted(change.op for change in apsw.Changeset.iter(changes)))
        print(f"{version}, {column}, {name}: {kinds}: {rows(here)}", *[
            f"{word} {applied(database(type, old), changes, choice)}" for word, choice in [
                ("left out", apsw.SQLITE_CHANGESET_OMIT), ("replaced", apsw.SQLITE_CHANGESET_REPLACE)]], sep=" | ")
END_OF_PYTHON
for version in 3.54.1.0 3.50.4.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
    --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.54.1, NOCASE key, renamed: INSERT UPDATE UPDATE: Quay 1, pier 7 | left out SQL logic error: quay 1, pier 2 | replaced SQL logic error: quay 1, pier 2
3.54.1, NOCASE key, and changed: INSERT UPDATE UPDATE: Quay 5, pier 7 | left out quay 5, pier 7 | replaced Quay 5, pier 7
3.54.1, NOCASE key, replaced: INSERT UPDATE UPDATE: Quay 6, pier 7 | left out quay 6, pier 7 | replaced Quay 6, pier 7
3.54.1, key of no type, renamed: INSERT UPDATE UPDATE: 1.0 1, pier 7 | left out SQL logic error: 1 1, pier 2 | replaced SQL logic error: 1 1, pier 2
3.54.1, key of no type, and changed: INSERT UPDATE UPDATE: 1.0 5, pier 7 | left out 1 5, pier 7 | replaced 1.0 5, pier 7
3.54.1, key of no type, replaced: INSERT UPDATE UPDATE: 1.0 6, pier 7 | left out 1 6, pier 7 | replaced 1.0 6, pier 7
3.54.1, BINARY key, renamed: DELETE INSERT UPDATE: Quay 1, pier 7 | left out Quay 1, pier 7 | replaced Quay 1, pier 7
3.54.1, BINARY key, and changed: DELETE INSERT UPDATE: Quay 5, pier 7 | left out Quay 5, pier 7 | replaced Quay 5, pier 7
3.54.1, BINARY key, replaced: INSERT UPDATE: quay 1, Quay 6, pier 7 | left out quay 1, Quay 6, pier 7 | replaced quay 1, Quay 6, pier 7
3.50.4, NOCASE key, renamed: INSERT UPDATE UPDATE: Quay 1, pier 7 | left out SQL logic error: quay 1, pier 2 | replaced SQL logic error: quay 1, pier 2
3.50.4, NOCASE key, and changed: INSERT UPDATE UPDATE: Quay 5, pier 7 | left out quay 5, pier 7 | replaced Quay 5, pier 7
3.50.4, NOCASE key, replaced: INSERT UPDATE UPDATE: Quay 6, pier 7 | left out quay 6, pier 7 | replaced Quay 6, pier 7
3.50.4, key of no type, renamed: INSERT UPDATE UPDATE: 1.0 1, pier 7 | left out SQL logic error: 1 1, pier 2 | replaced SQL logic error: 1 1, pier 2
3.50.4, key of no type, and changed: INSERT UPDATE UPDATE: 1.0 5, pier 7 | left out 1 5, pier 7 | replaced 1.0 5, pier 7
3.50.4, key of no type, replaced: INSERT UPDATE UPDATE: 1.0 6, pier 7 | left out 1 6, pier 7 | replaced 1.0 6, pier 7
3.50.4, BINARY key, renamed: DELETE INSERT UPDATE: Quay 1, pier 7 | left out Quay 1, pier 7 | replaced Quay 1, pier 7
3.50.4, BINARY key, and changed: DELETE INSERT UPDATE: Quay 5, pier 7 | left out Quay 5, pier 7 | replaced Quay 5, pier 7
3.50.4, BINARY key, replaced: INSERT UPDATE: quay 1, Quay 6, pier 7 | left out quay 1, Quay 6, pier 7 | replaced quay 1, Quay 6, pier 7
END_OF_FOUND
