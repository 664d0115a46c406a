#!/bin/sh
# A transaction in DuckDB that reads an attached SQLite database twice, and an app that writes in between.
#
# Guess: both reads are of one state, as in a transaction of SQLite itself and in one over DuckDB's own tables; the app
# waits with a rollback journal, and with a write-ahead log it does not.
# Found (DuckDB 1.5.5 and its extension for SQLite), in two processes:
# - With a write-ahead log the second read has the app's new rows: what one query counts another one does not find. With
#   READ_ONLY it is the same. A transaction in a SQLite connection has one state.
# - With a rollback journal both reads are the same, and the app's commit is "database is locked" until DuckDB commits.
# What follows: who exports several tables of a database in use copies it first, as `holdfast db backup` does.
#
#   usage: findings/transaction-of-duckdb-over-sqlite.sh     prints the counts; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" duckdb==1.5.5 duckdb-extension-sqlite==1.5.5
cat >"$folder/app.py" <<'END'
import sqlite3, sys

connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
for sql in sys.argv[2:]:
    try:
        connection.execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        print(error)
END
cat >"$folder/ask.py" <<'END'
import glob, os, shutil, sqlite3, subprocess, sys
import duckdb

folder = sys.argv[1]
extension = os.path.join(folder, "sqlite_scanner.duckdb_extension")
[packed] = glob.glob(folder + "/python/duckdb_extension_sqlite/**/*.duckdb_extension", recursive=True)
shutil.copy(packed, extension)

def app(path, *statements):
    command = [sys.executable, os.path.join(folder, "app.py"), path, *statements]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() or "committed"

def ask(reader, mode, attach="ATTACH"):
    path = os.path.join(folder, f"{reader} {mode}.db".replace(" ", "-"))
    app(path, f"PRAGMA journal_mode = {mode}", "CREATE TABLE stop (name TEXT)", "INSERT INTO stop VALUES ('Quay')")
    if reader == "SQLite":
        connection, table = sqlite3.connect(path, isolation_level=None), "stop"
    else:
        connection, table = duckdb.connect(config={"autoinstall_known_extensions": False}), "lite.stop"
        connection.execute(f"LOAD '{extension}'")
        connection.execute(f"ATTACH '{path}' AS lite (TYPE sqlite{', READ_ONLY' if 'READ' in reader else ''})")

    def count():
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    connection.execute("BEGIN")
    first = count()
    answer = app(path, "INSERT INTO stop VALUES ('Mill')")
    second = count()
    connection.execute("COMMIT")
    print(reader, "|", mode, "|", "first", first, "| the app:", answer, "| then", second, "| behind it", count())
    connection.close()

print("DuckDB", duckdb.__version__)
for reader in ["SQLite", "DuckDB", "DuckDB READ_ONLY"]:
    for mode in ["wal", "delete"]:
        ask(reader, mode)
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
DuckDB 1.5.5
SQLite | wal | first 1 | the app: committed | then 1 | behind it 2
SQLite | delete | first 1 | the app: database is locked | then 1 | behind it 1
DuckDB | wal | first 1 | the app: committed | then 2 | behind it 2
DuckDB | delete | first 1 | the app: database is locked | then 1 | behind it 1
DuckDB READ_ONLY | wal | first 1 | the app: committed | then 2 | behind it 2
DuckDB READ_ONLY | delete | first 1 | the app: database is locked | then 1 | behind it 1
END
