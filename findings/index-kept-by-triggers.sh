#!/bin/sh
# Messages are imported into a table whose search index is kept by triggers, as SQLite's documentation shows: row by row
# it takes several times as long as the same rows in one statement, though all of it is one transaction.
#
# Guess: an index collects the words of a transaction in memory and writes them at its end, whoever inserts the rows; a
# trigger costs what its own INSERT costs.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 12,000 messages of 15 words, one transaction; processor time over that of
# inserting the rows into table and index by two statements each):
# - Through the trigger it takes three times as long and more: for a statement that may fail halfway SQLite opens a
#   savepoint, at which FTS5 writes what it has. So does a SAVEPOINT around each message.
# - As one INSERT … SELECT, through the same trigger, or by a rebuild of the index in the end, it takes no longer.
# - After 3,000 messages the index has three tenths more bytes than it has otherwise.
# What follows: an import is one statement, by json_each() or from a temporary table, or has no triggers and rebuilds.
#
#   usage: findings/index-kept-by-triggers.sh     prints how the time compares; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import random, time

import apsw

WORDS = [f"w{number}" for number in range(3000)]
INDEX = "INSERT INTO search (rowid, text) VALUES "

def messages(count):
    numbers = random.Random(1)
    return [(id, " ".join(numbers.choices(WORDS, k=15))) for id in range(count)]

def import_rows(way, rows):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    ask("CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT)")
    ask("CREATE TEMP TABLE arrived (id INTEGER PRIMARY KEY, text TEXT)")
    ask("CREATE VIRTUAL TABLE search USING fts5 (text, content = 'message', content_rowid = 'id')")
    if way in ("trigger", "one statement"):
        ask(f"CREATE TRIGGER added AFTER INSERT ON message BEGIN {INDEX} (new.id, new.text); END")
    begin = time.process_time()
    ask("BEGIN")
    for row in rows:
        if way == "savepoint":
            ask("SAVEPOINT one")
        ask(f"INSERT INTO {'arrived' if way == 'one statement' else 'message'} VALUES (?, ?)", row)
        if way in ("direct", "savepoint"):
            ask(INDEX + "(?, ?)", row)
        if way == "savepoint":
            ask("RELEASE one")
    if way == "one statement":
        ask("INSERT INTO message SELECT * FROM arrived")
    if way == "rebuild":
        ask("INSERT INTO search (search) VALUES ('rebuild')")
    ask("COMMIT")
    duration = time.process_time() - begin
    found = ask("SELECT count(*) FROM search WHERE search MATCH 'w7'").fetchall()
    return duration, ask("SELECT sum(length(block)) FROM search_data").fetchall()[0][0], found

WAYS = ["direct", "trigger", "savepoint", "one statement", "rebuild"]
rows = messages(12_000)
durations, found = {}, set()
for way in WAYS:
    runs = [import_rows(way, rows) for _ in range(3)]
    durations[way] = min(duration for duration, _, _ in runs)
    found.add(str(runs[0][2]))
assert len(found) == 1
few = messages(3000)
sizes = {way: import_rows(way, few)[1] for way in ("direct", "trigger")}
print(apsw.sqlitelibversion(), "|", ", ".join(
    f"{way} {'SEVERAL TIMES' if durations[way] > durations['direct'] * 2.5 else 'no longer'}" for way in WAYS[1:]),
    "| the index is larger by", f"{round(10 * sizes['trigger'] / sizes['direct']) * 10 - 100}%")
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | trigger SEVERAL TIMES, savepoint SEVERAL TIMES, one statement no longer, rebuild no longer | the index is larger by 30%
3.46.1 | trigger SEVERAL TIMES, savepoint SEVERAL TIMES, one statement no longer, rebuild no longer | the index is larger by 30%
3.51.0 | trigger SEVERAL TIMES, savepoint SEVERAL TIMES, one statement no longer, rebuild no longer | the index is larger by 30%
3.54.1 | trigger SEVERAL TIMES, savepoint SEVERAL TIMES, one statement no longer, rebuild no longer | the index is larger by 30%
END_OF_FOUND
