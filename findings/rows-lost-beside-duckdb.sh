#!/bin/sh
# A program has a SQLite database open with Python's sqlite3, and queries it with DuckDB: what DuckDB inserts is lost.
#
# Guess: rows that one of them commits are seen by the other, and all are there when both have closed. Two copies of
# SQLite in a process release each other's locks (https://www.sqlite.org/howtocorrupt.html), which harms two writers
# at a time, or after a crash.
# Found (DuckDB 1.5.5 and its extension for SQLite, Python's sqlite3 3.40.1), one writer at a time, without an error:
# - DuckDB's first query ends with the removal of the write-ahead log, which sqlite3 has open. From then on a row of
#   sqlite3 is not seen by DuckDB, and one of DuckDB not by sqlite3. When both have closed, the rows of DuckDB are gone,
#   and PRAGMA integrity_check says ok.
# - pyogrio 0.13.0, rasterio 1.4.4 and apsw 3.54.1, each with a copy of SQLite, removed the log when they had only read,
#   as was tried: what sqlite3 commits afterwards no other process sees until it closes.
# - With READ_ONLY, with a rollback journal, and where sqlite3 connects after that query, all rows are there.
# What follows: a program closes its connections before DuckDB attaches their database, or attaches it READ_ONLY.
#
#   usage: findings/rows-lost-beside-duckdb.sh     prints the rows; ends with 1 if they change. On Linux
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" duckdb==1.5.5 duckdb-extension-sqlite==1.5.5
cat >"$folder/ask.py" <<'END'
import glob, os, shutil, sqlite3, subprocess, sys
import duckdb

folder = sys.argv[1]
extension = os.path.join(folder, "sqlite_scanner.duckdb_extension")
[packed] = glob.glob(folder + "/python/duckdb_extension_sqlite/**/*.duckdb_extension", recursive=True)
shutil.copy(packed, extension)
LAST = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print("behind both", *[row[0] for row in connection.execute("SELECT name FROM stop ORDER BY name")],
      "|", *connection.execute("PRAGMA integrity_check").fetchone())"""

def attach(path, options):
    duck = duckdb.connect(config={"autoinstall_known_extensions": False})
    duck.execute(f"LOAD '{extension}'")
    duck.execute(f"ATTACH '{path}' AS other (TYPE sqlite{options})")
    return duck

def names(connection, table):
    return " ".join(row[0] for row in connection.execute(f"SELECT name FROM {table} ORDER BY name").fetchall())

def ask(mode, options="", is_first=False):
    path = os.path.join(folder, f"{mode}{len(options)}{is_first}.db")
    lite = sqlite3.connect(path, isolation_level=None)
    lite.execute(f"PRAGMA journal_mode = {mode}")
    lite.execute("CREATE TABLE stop (name TEXT)")
    lite.execute("INSERT INTO stop VALUES ('A')")
    if is_first:
        lite.close()
    duck = attach(path, options)
    names(duck, "other.stop")
    if is_first:
        lite = sqlite3.connect(path, isolation_level=None)
    lite.execute("INSERT INTO stop VALUES ('B')")
    if not options:
        duck.execute("INSERT INTO other.stop VALUES ('C')")
    print(mode + options, "DuckDB first" if is_first else "sqlite3 first", "| sqlite3", names(lite, "stop"),
          "| DuckDB", names(duck, "other.stop"), end=" | ", flush=True)
    duck.close()
    lite.close()
    subprocess.run([sys.executable, "-c", LAST, path], check=True)

print("DuckDB", duckdb.__version__)
ask("wal")
ask("wal", ", READ_ONLY")
ask("wal", is_first=True)
ask("delete")
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
DuckDB 1.5.5
wal sqlite3 first | sqlite3 A B | DuckDB A C | behind both A B | ok
wal, READ_ONLY sqlite3 first | sqlite3 A B | DuckDB A B | behind both A B | ok
wal DuckDB first | sqlite3 A B C | DuckDB A B C | behind both A B C | ok
delete sqlite3 first | sqlite3 A B C | DuckDB A B C | behind both A B C | ok
END
