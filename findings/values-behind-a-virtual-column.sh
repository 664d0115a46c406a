#!/bin/sh
# SQLite's preupdate hook gives the values of the wrong columns where a table has a virtual generated column.
#
# Guess: sqlite3_preupdate_new(3) is the value of the column 3, and sqlite3_preupdate_count() the number of columns that
# have one (https://www.sqlite.org/c3ref/preupdate_blobwrite.html).
# Found (SQLite 3.40.1 of Debian 12):
# - The count is that of all columns, and the index counts those that are stored: behind a virtual column each value is
#   that of the next column. The last index is SQLITE_RANGE; of a virtual column there is no value at all.
# - A stored generated column is counted like any other, and a virtual one at the end does no harm but the last index.
# - With SQLite 3.54.1 apsw, which asks for each index up to the count, fails: "column index out of range".
# What follows: who records rows by this hook leaves the columns out whose "hidden" is 2 in PRAGMA table_xinfo, and who
# has such a table puts its virtual columns at the end. Changesets of a session are right.
#
#   usage: findings/values-behind-a-virtual-column.sh     prints each value; ends with 1 if it changes. On Debian 12
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download --quiet --quiet libsqlite3-0 2>/dev/null && dpkg -x libsqlite3-0_*.deb debian) ||
  { echo 'libsqlite3-0 is missing' >&2; exit 69; }
cat >"$folder/ask.py" <<'END'
import ctypes, glob, sys

[path] = glob.glob(sys.argv[1] + "/debian/usr/lib/*/libsqlite3.so.0")
lite = ctypes.CDLL(path)
pointer, text = ctypes.c_void_p, ctypes.c_char_p
lite.sqlite3_libversion.restype = text
lite.sqlite3_open.argtypes = [text, ctypes.POINTER(pointer)]
lite.sqlite3_exec.argtypes = [pointer, text, pointer, pointer, pointer]
lite.sqlite3_preupdate_count.argtypes = [pointer]
lite.sqlite3_preupdate_new.argtypes = [pointer, ctypes.c_int, ctypes.POINTER(pointer)]
lite.sqlite3_value_text.argtypes = [pointer]
lite.sqlite3_value_text.restype = text
HOOK = ctypes.CFUNCTYPE(None, pointer, pointer, ctypes.c_int, text, text, ctypes.c_int64, ctypes.c_int64)
lite.sqlite3_preupdate_hook.argtypes = [pointer, HOOK, pointer]

print("SQLite", lite.sqlite3_libversion().decode())
for columns in ["id, name, place", "id, label AS (name || '!'), name, place",
                "id, label AS (name || '!') STORED, name, place", "id, name, place, label AS (name || '!')"]:
    values = []

    @HOOK
    def note(_, connection, *__):
        for index in range(lite.sqlite3_preupdate_count(connection)):
            value = pointer()
            status = lite.sqlite3_preupdate_new(connection, index, ctypes.byref(value))
            values.append(lite.sqlite3_value_text(value).decode() if status == 0 else f"error {status}")

    connection = pointer()
    lite.sqlite3_open(b":memory:", ctypes.byref(connection))
    lite.sqlite3_exec(connection, f"CREATE TABLE stop ({columns})".encode(), None, None, None)
    lite.sqlite3_preupdate_hook(connection, note, None)
    lite.sqlite3_exec(connection, b"INSERT INTO stop (id, name, place) VALUES (1, 'Quay', 'harbour')", None, None, None)
    print(columns, "|", ", ".join(values))
    lite.sqlite3_close(connection)
END
cat >"$folder/new.py" <<'END'
import apsw

def note(update):
    try:
        print("apsw", apsw.sqlite_lib_version(), "|", update.new)
    except Exception as error:
        print("apsw", apsw.sqlite_lib_version(), "|", error)

connection = apsw.Connection(":memory:")
connection.execute("CREATE TABLE stop (id, label AS (name || '!'), name, place)")
connection.preupdate_hook(note)
connection.execute("INSERT INTO stop (id, name, place) VALUES (1, 'Quay', 'harbour')")
END
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
{
  python3 "$folder/ask.py" "$folder"
  PYTHONPATH=$folder/packages python3 "$folder/new.py"
} | tee "$folder/found"
diff - "$folder/found" <<'END'
SQLite 3.40.1
id, name, place | 1, Quay, harbour
id, label AS (name || '!'), name, place | 1, Quay, harbour, error 25
id, label AS (name || '!') STORED, name, place | 1, Quay!, Quay, harbour
id, name, place, label AS (name || '!') | 1, Quay, harbour, error 25
apsw 3.54.1 | column index out of range
END
