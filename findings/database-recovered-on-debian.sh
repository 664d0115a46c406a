#!/bin/sh
# An app's database is damaged, and its rows are to be saved by .recover, as SQLite's documentation shows: on Debian 12
# the new database is an empty file, whatever was in the old one, and the pipe that made it ends with 0.
#
# Guess: the command is there, as the shell knows it and .help lists it; the statements that it writes, read by a second
# shell, make what can be read of the database (https://www.sqlite.org/recovery.html); what it cannot do ends with 1.
# Found (sqlite3 3.40.1 of Debian 12, and the shell in the wheel of apsw 3.54.1), of a sound database:
# - Debian's shell uses the library libsqlite3, which is built without the table sqlite_dbpage that .recover reads: it
#   writes BEGIN and six PRAGMAs, and "sql error: SQL logic error (1)", which names no reason.
# - The first shell ends with 1, and the second one with 0, and with it the pipe of both. There is no COMMIT, so that
#   the new file has no bytes, and an app that opens it finds a new database, in which it makes its tables.
# - .dbinfo fails too, and says why. .dump is right.
# - apsw's shell has the table and no .recover, which .help does not list. The pipe ends with 0 too.
# What follows: the rows of what was recovered are counted before it takes the place of anything; its shell is one
# built with SQLITE_ENABLE_DBPAGE_VTAB, which PRAGMA compile_options tells.
#
#   usage: findings/database-recovered-on-debian.sh     prints what is made; ends with 1 if it changes. On Debian 12
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in sqlite3 libsqlite3-0 libreadline8 libtinfo6; do
  (cd "$folder" && apt-get download --quiet --quiet "$package" 2>/dev/null && dpkg -x "$package"_*.deb debian) ||
    { echo "$package is missing" >&2; exit 69; }
done
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, os, subprocess, sys

import apsw

folder = sys.argv[1]
libraries = {os.path.dirname(path) for path in glob.glob(f"{folder}/debian/**/*.so.*", recursive=True)}
SHELLS = {
    "Debian": ([f"{folder}/debian/usr/bin/sqlite3", "-init", "/dev/null"], {"LD_LIBRARY_PATH": ":".join(libraries)}),
    "apsw": ([os.path.join(os.path.dirname(apsw.__file__), "sqlite_extra_binaries", "sqlite3_shell"),
              "-init", "/dev/null"], {}),
}
path, new = folder + "/app.db", folder + "/new.db"
app = apsw.Connection(path)
app.execute("CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT)")
app.execute("INSERT INTO stop VALUES (1, 'Quay'), (2, 'Mill')")
app.close()

def tables(path):
    database = apsw.Connection(path)
    return [f"{name} {database.execute(f'SELECT count(*) FROM {name}').fetchone()[0]} rows"
            for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")] or "no table"

for name, (command, environment) in SHELLS.items():
    environment = {**os.environ, **environment}
    def shell(*arguments, **options):
        return subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment, **options)
    print(f"{name}: sqlite3 {shell('-version').stdout.split()[0]}")
    options = shell(path, "PRAGMA compile_options").stdout.split()
    print(f"  ENABLE_DBPAGE_VTAB: {'yes' if 'ENABLE_DBPAGE_VTAB' in options else 'no'}")
    print(f"  .help lists .recover: {'yes' if '.recover' in shell(path, '.help').stdout else 'no'}")
    for words in (".recover", ".dump"):
        if os.path.exists(new):
            os.remove(new)
        first = shell(path, words)
        second = shell(new, input=first.stdout)
        size = os.path.getsize(new) if os.path.exists(new) else "no"
        print(f"  {words}: {len(first.stdout.splitlines())} lines, {first.stderr.strip() or 'nothing said'},"
              f" ends with {first.returncode}; read again: ends with {second.returncode}, {size} bytes, {tables(new)}")
    info = shell(path, ".dbinfo")
    print(f"  .dbinfo: {info.stderr.strip() or 'nothing said'}, {len(info.stdout.splitlines())} lines")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Debian: sqlite3 3.40.1
  ENABLE_DBPAGE_VTAB: no
  .help lists .recover: yes
  .recover: 7 lines, sql error: SQL logic error (1), ends with 1; read again: ends with 0, 0 bytes, no table
  .dump: 6 lines, nothing said, ends with 0; read again: ends with 0, 8192 bytes, ['stop 2 rows']
  .dbinfo: error: no such table: sqlite_dbpage, 0 lines
apsw: sqlite3 3.54.1
  ENABLE_DBPAGE_VTAB: yes
  .help lists .recover: no
  .recover: 0 lines, Error: unknown command or invalid arguments:  "recover". Enter ".help" for help, ends with 1; read again: ends with 0, no bytes, no table
  .dump: 6 lines, nothing said, ends with 0; read again: ends with 0, 8192 bytes, ['stop 2 rows']
  .dbinfo: Error: unknown command or invalid arguments:  "dbinfo". Enter ".help" for help, 0 lines
END_OF_FOUND
