#!/bin/sh
# `sqlite3_setlk_timeout()` made a writer wait in SQLite 3.50; from 3.51 it returns SQLITE_OK, and nobody waits.
#
# Guess: in a SQLite that was built with SQLITE_ENABLE_SETLK_TIMEOUT the timeout alone makes a writer wait in the
# kernel, where /proc/locks names it as a waiter with an arrow, and who obstructs whom can be read from that table.
# Found (apsw's wheels for Linux, all built with the option): in 3.50.4 `BEGIN IMMEDIATE` asks for the lock again and
# again, and is in no table; in 3.51.0 to 3.54.1 SQLITE_BUSY comes at once. Only a busy timeout works in all of them.
#
#   usage: findings/setlk-timeout-without-effect.sh     ends with 1 if that changes, or a waiter is seen
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
[ -r /proc/locks ] || { echo 'this system has no /proc/locks' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/wait.py" <<'END'
import apsw, os, subprocess, sys

assert "ENABLE_SETLK_TIMEOUT" in apsw.compile_options
path = os.path.join(sys.argv[1], f"{apsw.sqlite_lib_version()}.db")
holder = apsw.Connection(path)
list(holder.execute("PRAGMA journal_mode = wal; CREATE TABLE item (id INTEGER PRIMARY KEY)"))
holder.execute("BEGIN IMMEDIATE")
child = f"""
import apsw, time
connection = apsw.Connection({path!r})
connection.execute("SELECT count(*) FROM item").fetchone()
for name, set_timeout in [("setlk", lambda: connection.setlk_timeout(2000, 0)),
                          ("busy", lambda: connection.set_busy_timeout(2000))]:
    set_timeout()
    start = time.monotonic()
    try:
        connection.execute("BEGIN IMMEDIATE")
    except apsw.BusyError:
        print(name, time.monotonic() - start, flush=True)
"""
process = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE, text=True)
index = f":{os.stat(path + '-shm').st_ino} "
looks = seen = 0
while process.poll() is None:
    with open("/proc/locks") as table:
        seen += sum("->" in line and index in line for line in table)
    looks += 1
times = {name: float(time) for name, time in (line.split() for line in process.stdout)}
print(f"SQLite {apsw.sqlite_lib_version()}: SQLITE_BUSY after {times['setlk'] * 1000:.0f} ms with a timeout of 2,000 ms "
      f"for locks, after {times['busy'] * 1000:.0f} ms with a busy timeout of as much; "
      f"{seen} waiters in {looks} looks at the table of locks")
is_waiting = sys.argv[2] == "waits"
sys.exit(not ((times["setlk"] > 1) == is_waiting and times["busy"] > 1 and seen == 0))
END
status=0
for pair in 3.50.4.0=waits 3.51.3.0=refuses 3.54.1.0=refuses; do
  version=${pair%=*}
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/wait.py" "$folder" "${pair#*=}" || status=1
done
exit "$status"
