#!/bin/sh
# What reads the pages of a SQLite file without SQLite has the values of the wrong columns, where a table has a virtual
# generated column, and not SQLite's default for a column that was added.
#
# Guess: a reader of the file takes the columns from the schema's text, and leaves out those that are not stored, or
# says that it does not know them (https://www.sqlite.org/gencol.html); what a row lacks at its end it takes from DEFAULT.
# Found (dissect.database 1.1, stream-sqlite 0.0.41, sqlite-dissect 1.0.0), without an error:
# - Behind a virtual column each value is that of the next one in dissect.database and sqlite-dissect: b, which
#   is twice a, is 100, the value of c, and c is missing. stream-sqlite leaves the column out, and refuses a table
#   with a stored one, which the others have right.
# - Of rows that are older than ALTER TABLE ADD COLUMN dissect.database has for DEFAULT 'it''s' the text "it", and for a
#   blob nothing. stream-sqlite is right.
# - Right when they were tried: overflow pages, freed pages, auto_vacuum, pages of 512 bytes, reals that are stored as
#   integers, columns that were dropped or renamed, and dissect.database also with a write-ahead log.
# What follows: a table that others recover or stream has its virtual columns at the end, or a view has them.
#
#   usage: findings/values-shifted-for-a-file-reader.sh     prints the rows; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" apsw==3.54.1.0 dissect.database==1.1 stream-sqlite==0.0.41 sqlite_dissect==1.0.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import csv, glob, os, subprocess, sys
from pathlib import Path

import apsw
from dissect.database.sqlite3 import SQLite3
from stream_sqlite import stream_sqlite

folder = sys.argv[1]

def database(name, *statements):
    path = os.path.join(folder, name + ".db")
    connection = apsw.Connection(path)
    for statement in statements:
        connection.execute(statement)
    cursor = connection.execute("SELECT * FROM t")
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row)) for row in cursor]
    connection.close()
    return path, rows

def dissect(path):
    return [dict(list(row)) for row in SQLite3(Path(path)).table("t").rows()]

def streamed(path):
    tables = stream_sqlite([Path(path).read_bytes()], max_buffer_size=1 << 20)
    return [row._asdict() for _, _, rows in tables for row in rows]

def sqlite_dissect(path):
    out = os.path.join(folder, os.path.basename(path) + ".csv.d")
    os.mkdir(out)
    subprocess.run([sys.executable, "-m", "sqlite_dissect.entrypoint", path, "-d", out, "-e", "csv"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    [name] = glob.glob(out + "/*-t.csv")
    with open(name, newline="") as file:
        names, *rows = [row[9:] for row in csv.reader(file)]
    return [dict(zip(names, row + [None] * len(names))) for row in rows]

def row(read, path):
    try:
        return " ".join(f"{name} {value}" for name, value in read(path)[0].items() if name != "id")
    except Exception as error:
        return f"refused ({type(error).__name__})"

tables = {
    "virtual": "a INT, b INT AS (a * 2), c INT",
    "stored": "a INT, b INT AS (a * 2) STORED, c INT",
    "virtual at the end": "a INT, c INT, b INT AS (a * 2)",
}
for name, columns in tables.items():
    path, rows = database(name.replace(" ", "-"), f"CREATE TABLE t (id INTEGER PRIMARY KEY, {columns})",
                          "INSERT INTO t (a, c) VALUES (2, 100)")
    print(f"{name}: {row(lambda _: rows, path)} | dissect.database {row(dissect, path)} | "
          f"stream-sqlite {row(streamed, path)} | sqlite-dissect {row(sqlite_dissect, path)}")
path, rows = database(
    "added", "CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)",
    "ALTER TABLE t ADD COLUMN a TEXT DEFAULT 'it''s'", "ALTER TABLE t ADD COLUMN b BLOB DEFAULT x'00ff'",
    "ALTER TABLE t ADD COLUMN c INT DEFAULT -3")
print(f"added: {row(lambda _: rows, path)} | dissect.database {row(dissect, path)} "
      f"| stream-sqlite {row(streamed, path)}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
virtual: a 2 b 4 c 100 | dissect.database a 2 b 100 c None | stream-sqlite a 2 c 100 | sqlite-dissect a 2 b 100 c None
stored: a 2 b 4 c 100 | dissect.database a 2 b 4 c 100 | stream-sqlite refused (TypeError) | sqlite-dissect a 2 b 4 c 100
virtual at the end: a 2 c 100 b 4 | dissect.database a 2 c 100 b None | stream-sqlite a 2 c 100 | sqlite-dissect a 2 c 100 b None
added: a it's b b'\x00\xff' c -3 | dissect.database a it b None c -3 | stream-sqlite a it's b b'\x00\xff' c -3
END_OF_FOUND
