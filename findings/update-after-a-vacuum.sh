#!/bin/sh
# A timetable in SQLite is updated on devices by the parts that changed, as zsync, casync and rsync find them. One of
# 4,000 trips is deleted: with VACUUM, which makes the file as small as it can be, seven tenths of it are new.
#
# Guess: VACUUM of a file that was packed before moves pages and rewrites some of them; what is cut where its content
# says so is found at its new place, so that a few percent are new.
# Found (SQLite 3.54.1, 3.3 MB, 100,000 calls in a table WITHOUT ROWID and an index; chunks of some 8 KB by
# fastcdc 1.7.0; patches by zstandard 0.25.0 with the old file as its dictionary):
# - The rows of the trip leave the first page that they were on, and VACUUM fills it with the next ones, and so on to
#   the end of the table: behind them no page holds the rows that it held. Nothing else changes, and neither chunks nor
#   blocks of a page are found again.
# - Without VACUUM the pages stay as they were but for those with the trip's rows, and a tenth of the file is new.
# - One more call in the middle of the table makes half of the file new with VACUUM, and 4% of it without.
# - A patch by zstd is a fiftieth of the file in the worst case, since it finds the rows wherever they are.
# What follows: an update by parts is made from the old file, without VACUUM; or it is a patch.
#
#   usage: findings/update-after-a-vacuum.sh     prints what is new; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" fastcdc==1.7.0 zstandard==0.25.0 apsw==3.54.1.0 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import hashlib, os, random, shutil, sys

import apsw, zstandard
from fastcdc import fastcdc

os.chdir(sys.argv[1])

def run(path, *statements):
    connection = apsw.Connection(path)
    for sql in statements:
        connection.cursor().execute(sql).fetchall()
    connection.close()

def build(path):
    connection = apsw.Connection(path)
    ask = connection.cursor().execute
    ask("CREATE TABLE trip (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    columns = "trip INTEGER, place INTEGER, stop INTEGER, time INTEGER"
    ask(f"CREATE TABLE call ({columns}, PRIMARY KEY (trip, place)) WITHOUT ROWID")
    ask("CREATE INDEX call_by_stop ON call (stop, time)")
    numbers = random.Random(5)
    with connection:
        for trip in range(4000):
            begin, line = numbers.randrange(86_400), numbers.randrange(60)
            ask("INSERT INTO trip VALUES (?, ?)", (trip, f"trip-{trip:06}-{line}"))
            for place in range(25):
                stop, time = (line * 37 + place * 11) % 900, begin + place * 90 + numbers.randrange(30)
                ask("INSERT INTO call VALUES (?, ?, ?, ?)", (trip, place, stop, time))
    ask("VACUUM")
    connection.close()

def read(path):
    with open(path, "rb") as file:
        return file.read()

def chunks(path, data):
    found = fastcdc(path, 2048, 8192, 65_536)
    return {hashlib.sha256(data[chunk.offset:chunk.offset + chunk.length]).digest(): chunk.length for chunk in found}

def pages(data):
    return {data[place:place + 4096]: 4096 for place in range(0, len(data), 4096)}

def new(old_parts, parts, data):
    return f"{100 * sum(length for part, length in parts.items() if part not in old_parts) / len(data):.0f}%"

build("old.db")
old = read("old.db")
old_chunks, old_pages = chunks("old.db", old), pages(old)
dictionary = zstandard.ZstdCompressionDict(old, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
parameters = zstandard.ZstdCompressionParameters.from_level(9, window_log=27, enable_ldm=True)
CHANGES = {
    "nothing": [],
    "a trip deleted": ["DELETE FROM call WHERE trip = 100", "DELETE FROM trip WHERE id = 100"],
    "a call added": ["INSERT INTO call VALUES (2000, 99, 450, 5)"],
    "a time changed": ["UPDATE call SET time = time + 1 WHERE trip = 2000 AND place = 3"],
}
for name, statements in CHANGES.items():
    for vacuum in ([], ["VACUUM"]):
        shutil.copy("old.db", "new.db")
        run("new.db", *statements, *vacuum)
        data = read("new.db")
        patch = zstandard.ZstdCompressor(compression_params=parameters, dict_data=dictionary).compress(data)
        print(f"{name}{', VACUUM' if vacuum else ''}: new chunks {new(old_chunks, chunks('new.db', data), data)}, "
              f"new pages {new(old_pages, pages(data), data)}, patch {100 * len(patch) / len(data):.1f}%")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
nothing: new chunks 0%, new pages 0%, patch 0.2%
nothing, VACUUM: new chunks 0%, new pages 0%, patch 0.2%
a trip deleted: new chunks 11%, new pages 4%, patch 0.2%
a trip deleted, VACUUM: new chunks 69%, new pages 68%, patch 1.8%
a call added: new chunks 4%, new pages 2%, patch 0.2%
a call added, VACUUM: new chunks 46%, new pages 45%, patch 1.1%
a time changed: new chunks 1%, new pages 0%, patch 0.2%
a time changed, VACUUM: new chunks 1%, new pages 0%, patch 0.2%
END_OF_FOUND
