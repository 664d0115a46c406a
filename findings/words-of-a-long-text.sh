#!/bin/sh
# A chapter is one row of a full-text index, and the place of the search in it is shown by snippet(): it takes a time
# that grows with the square of the hits in the text, and a quarter of a second where the search takes none.
#
# Guess: the text is read once for its hits, and a window moves along them: twice the hits cost twice the time.
# Found (apsw's wheels of SQLite 3.40 to 3.54; one text of 32,000 words; processor time for 8,000 hits over that for
# 2,000):
# - snippet() takes some sixteen times as long for four times the hits, in all versions, as if all hits were read again
#   for each of them. With two words that are so frequent it takes another four times as long.
# - snippet() of FTS4 does not grow like that, and rank does not.
# What follows: long texts are indexed by paragraphs, of which each is a row; a snippet is made for the rows that are
# shown, and with the rarest of the words.
#
#   usage: findings/words-of-a-long-text.sh     prints how the time grows; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import time

import apsw

WORDS = 32_000

def duration(module, hits, sql):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute(f"CREATE VIRTUAL TABLE chapter USING {module} (text)")
    text = " ".join("quay" if word % (WORDS // hits) == 0 else f"w{word % 97}" for word in range(WORDS))
    cursor.execute("INSERT INTO chapter (text) VALUES (?)", (text,))
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        cursor.execute(f"SELECT {sql} FROM chapter WHERE chapter MATCH 'quay'").fetchall()
        best = min(best, time.process_time() - begin)
    return best

def growth(module, sql):
    few, many = (duration(module, hits, sql) for hits in (2000, 8000))
    return many, "WITH THE SQUARE" if many > few * 9 else "less"

snippet, grows = growth("fts5", "snippet(chapter, 0, '', '', '', 20)")
fts4, less = growth("fts4", "snippet(chapter, '', '', '', 0, 20)")
search, _ = growth("fts5", "rank")
print(apsw.sqlitelibversion(), "| snippet grows", grows, "| of FTS4", less,
      "| over the search", "HUNDRED TIMES AND MORE" if snippet > search * 100 else "less",
      "| over that of FTS4", "TEN TIMES AND MORE" if snippet > fts4 * 10 else "less")
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | snippet grows WITH THE SQUARE | of FTS4 less | over the search HUNDRED TIMES AND MORE | over that of FTS4 TEN TIMES AND MORE
3.46.1 | snippet grows WITH THE SQUARE | of FTS4 less | over the search HUNDRED TIMES AND MORE | over that of FTS4 TEN TIMES AND MORE
3.54.1 | snippet grows WITH THE SQUARE | of FTS4 less | over the search HUNDRED TIMES AND MORE | over that of FTS4 TEN TIMES AND MORE
END_OF_FOUND
