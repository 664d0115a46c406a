#!/bin/sh
# A list of stops is searched as one types, by LIKE over a trigram index: up to SQLite 3.40 two letters find no stop, if
# they are not ASCII letters.
#
# Guess: a pattern with less than three characters cannot use the index, and all rows are read instead, as documented
# (https://www.sqlite.org/fts5.html#the_trigram_tokenizer); the rows are those of LIKE on an ordinary table.
# Found (apsw's wheels), without an error, by LIKE and by GLOB:
# - 3.40 finds nothing for 東京, 京, ür and рё, and nothing for 東_駅: it counts bytes where it means characters, takes a
#   pattern of three or more bytes for one that the index has, and looks up no trigram there. 東京駅 and üric are found.
# - ab, of two ASCII letters, is found, and so is a single letter of two bytes, such as ё.
# - From 3.41 on all of them are found, in the same file; so are they in 3.54.
# What follows: Debian 12 and phones of 2022 have such a SQLite. Patterns of one or two characters are asked of the
# content, by instr() or of a table without the index.
#
#   usage: findings/two-characters-of-a-trigram-search.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

version = (apsw.sqlite_lib_version if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion)()
path = sys.argv[1]
is_new = not os.path.exists(path)
connection = apsw.Connection(path)
if is_new:
    connection.execute("CREATE TABLE plain (name TEXT)")
    connection.execute("CREATE VIRTUAL TABLE stop USING fts5 (name, tokenize = 'trigram')")
    for name in ["東京駅", "京都駅", "Zürich HB", "Орёл", "Cabra"]:
        for table in ["plain", "stop"]:
            connection.execute(f"INSERT INTO {table} VALUES (?)", [name])

def found(condition, pattern):
    def names(table):
        return [row[0] for row in connection.execute(f"SELECT name FROM {table} WHERE name {condition} ?", [pattern])]
    assert names("plain"), pattern
    return "all" if names("stop") == names("plain") else f"{len(names('stop'))} of {len(names('plain'))}"

print(version, "|", ", ".join(
    f"{text} {found('LIKE', f'%{text}%')}" for text in ["ab", "ё", "рё", "ür", "üric", "京", "東京", "東_駅", "東京駅"]),
    "| GLOB *東京*", found("GLOB", "*東京*"))
END_OF_PYTHON
for version in 3.54.1.0 3.40.0.0 3.41.2.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
    --target "$folder/$version" "apsw==$version"
  PYTHONIOENCODING=utf-8 PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder/stops.db"
done >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.54.1 | ab all, ё all, рё all, ür all, üric all, 京 all, 東京 all, 東_駅 all, 東京駅 all | GLOB *東京* all
3.40.0 | ab all, ё all, рё 0 of 1, ür 0 of 1, üric all, 京 0 of 2, 東京 0 of 1, 東_駅 0 of 1, 東京駅 all | GLOB *東京* 0 of 1
3.41.2 | ab all, ё all, рё all, ür all, üric all, 京 all, 東京 all, 東_駅 all, 東京駅 all | GLOB *東京* all
END_OF_FOUND
