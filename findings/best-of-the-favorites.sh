#!/bin/sh
# The favorites of an app are searched for a word, the best ones first: SQLite reads all that the word finds once for
# each favorite, and a thousand of them take seventy times as long as the search of all texts does.
#
# Guess: a search within some rows costs at most what the search costs without them; rank is that of the whole index, so
# that its sums are made once for a search.
# Found (apsw's wheels of SQLite 3.40 to 3.54; a word that is in each of 20,000 texts; processor time):
# - `MATCH ? AND rowid IN (SELECT …) ORDER BY rank LIMIT 20` is one search for each rowid, and each of them counts the
#   rows that the word finds: texts times favorites. So it is with a list of numbers, and with ORDER BY bm25(…).
# - Without ORDER BY rank it is quicker than the search of all.
# - With +rowid IN, EXISTS, or a join to the table of favorites it is as the search of all, with the same rows.
# What follows: a search within some rows says +rowid where its rows are ranked.
#
#   usage: findings/best-of-the-favorites.sh     prints how the time compares; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import time

import apsw

TEXTS = 20_000
IDS = "SELECT id FROM favorite"
LIST = ", ".join(str(id) for id in range(0, TEXTS, TEXTS // 1000))
QUERIES = {
    "rowid IN": f"search MATCH 'the' AND rowid IN ({IDS}) ORDER BY rank LIMIT 20",
    "a list": f"search MATCH 'the' AND rowid IN ({LIST}) ORDER BY rank LIMIT 20",
    "bm25": f"search MATCH 'the' AND rowid IN ({IDS}) ORDER BY bm25(search) LIMIT 20",
    "not ranked": f"search MATCH 'the' AND rowid IN ({IDS}) LIMIT 20",
    "+rowid IN": f"search MATCH 'the' AND +rowid IN ({IDS}) ORDER BY rank LIMIT 20",
    "EXISTS": "search MATCH 'the' AND EXISTS (SELECT 1 FROM favorite WHERE id = search.rowid) ORDER BY rank LIMIT 20",
}

connection = apsw.Connection("")
cursor = connection.cursor()
cursor.execute("CREATE VIRTUAL TABLE search USING fts5 (text)")
cursor.execute("CREATE TABLE favorite (id INTEGER PRIMARY KEY)")
with connection:
    for id in range(TEXTS):
        cursor.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", (id, f"the quay {id % 100}" + " x" * (id % 7)))
        if id % (TEXTS // 1000) == 0:
            cursor.execute("INSERT INTO favorite VALUES (?)", (id,))

def ask(condition, times):
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        rows = cursor.execute(f"SELECT rowid FROM search WHERE {condition}").fetchall()
        best = min(best, time.process_time() - begin)
    return best, rows

all_texts, _ = ask("search MATCH 'the' ORDER BY rank LIMIT 20", 3)
answers, ranked = [], {}
for name, condition in QUERIES.items():
    duration, rows = ask(condition, 2)
    word = "MANY TIMES" if duration > all_texts * 10 else "no longer" if duration < all_texts * 2.5 else duration
    answers.append(f"{name} {word}")
    if name != "not ranked":
        ranked.setdefault(str(rows), []).append(name)
assert len(ranked) == 1
print(apsw.sqlitelibversion(), "|", ", ".join(answers))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | rowid IN MANY TIMES, a list MANY TIMES, bm25 MANY TIMES, not ranked no longer, +rowid IN no longer, EXISTS no longer
3.46.1 | rowid IN MANY TIMES, a list MANY TIMES, bm25 MANY TIMES, not ranked no longer, +rowid IN no longer, EXISTS no longer
3.51.0 | rowid IN MANY TIMES, a list MANY TIMES, bm25 MANY TIMES, not ranked no longer, +rowid IN no longer, EXISTS no longer
3.54.1 | rowid IN MANY TIMES, a list MANY TIMES, bm25 MANY TIMES, not ranked no longer, +rowid IN no longer, EXISTS no longer
END_OF_FOUND
