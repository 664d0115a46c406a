#!/bin/sh
# A search is taken apart by apsw.fts5query, as for its words to be corrected, and put together again: "quay NOT (mill
# NOT farm)" finds other rows than before, as its parentheses are gone.
#
# Guess: what to_query_string() writes of what parse_query_string() has read finds the same rows; what FTS5 refuses is
# refused, and what it accepts is accepted (https://www.sqlite.org/fts5.html#full_text_query_syntax).
# Found (apsw 3.54.1.0, SQLite 3.54.1), without an error from either function:
# - x NOT (y NOT z) becomes x NOT y NOT z, which is (x NOT y) NOT z: rows with y and z are not found any more. So it is
#   at any depth, behind a column filter, and in what query_suggest() of apsw.fts5.Table proposes for a misspelt word.
# - A column filter inside of one, {title text} : (-title : quay), loses its parentheses, and FTS5 refuses the text.
# - Right: AND and OR in each other, NEAR, prefixes, ^, phrases, column filters side by side, and what both refuse.
# What follows: x NOT (y NOT z) is written as (x NOT y) OR (x AND z) before it is taken apart.
#
#   usage: findings/query-without-its-parentheses.sh     prints the queries; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import itertools

import apsw, apsw.fts5
from apsw import fts5query

app = apsw.Connection(":memory:")
app.execute("CREATE VIRTUAL TABLE search USING fts5(title, text)")
WORDS = ["quay", "mill", "farm", "ferry"]
for count in range(3):
    for title in itertools.combinations(WORDS, count):
        for text in itertools.permutations(WORDS, 2):
            app.execute("INSERT INTO search VALUES (?, ?)", (" ".join(title), " ".join(text)))

def found(query):
    try:
        return [rowid for rowid, in app.execute("SELECT rowid FROM search WHERE search MATCH ?", [query])]
    except apsw.SQLError as error:
        return str(error)

print("apsw", apsw.apsw_version(), "| SQLite", apsw.sqlite_lib_version())
for query in ("quay NOT mill NOT farm", "quay NOT (mill NOT farm)", "(quay NOT mill) OR (quay AND farm)",
              "quay NOT (mill NOT (farm NOT ferry))",
              "title : quay NOT (text : mill NOT farm)", "text : (quay NOT (mill NOT farm))",
              "quay NOT (mill OR farm)", "quay OR (mill AND farm)", "(quay OR mill) AND farm",
              "quay AND (mill NOT farm)",
              "NEAR(quay mill, 1) AND ^farm", "title : quay AND text : mi*", '"quay mill" ferry',
              "{title text} : (-title : quay)", "(quay) NEAR(mill)", "(quay) mill"):
    before = found(query)
    try:
        again = fts5query.to_query_string(fts5query.parse_query_string(query))
    except fts5query.ParseError:
        print(f"{query}: refused by apsw; {before if isinstance(before, str) else 'FTS5 accepts it'}")
        continue
    after = found(again)
    counts = [rows if isinstance(rows, str) else f"{len(rows)} rows" for rows in (before, after)]
    print(f"{query}: {counts[0]}; {again}: {counts[1]}{'' if before == after else ', NOT THE SAME'}")
table = apsw.fts5.Table(app, "search")
suggested = table.query_suggest("quay NOT (mlil NOT farm)")
print("suggested:", suggested, len(found(suggested)), "rows, with parentheses", len(found("quay NOT (mill NOT farm)")))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
apsw 3.54.1.0 | SQLite 3.54.1
quay NOT mill NOT farm: 8 rows; quay NOT mill NOT farm: 8 rows
quay NOT (mill NOT farm): 64 rows; quay NOT mill NOT farm: 8 rows, NOT THE SAME
(quay NOT mill) OR (quay AND farm): 64 rows; quay NOT mill OR quay farm: 64 rows
quay NOT (mill NOT (farm NOT ferry)): 52 rows; quay NOT mill NOT farm NOT ferry: 0 rows, NOT THE SAME
title : quay NOT (text : mill NOT farm): 36 rows; title: quay NOT text: mill NOT farm: 6 rows, NOT THE SAME
text : (quay NOT (mill NOT farm)): 44 rows; text: (quay NOT mill NOT farm): 22 rows, NOT THE SAME
quay NOT (mill OR farm): 8 rows; quay NOT (mill OR farm): 8 rows
quay OR (mill AND farm): 116 rows; quay OR mill farm: 116 rows
(quay OR mill) AND farm: 82 rows; (quay OR mill) AND farm: 82 rows
quay AND (mill NOT farm): 26 rows; quay AND mill NOT farm: 26 rows
NEAR(quay mill, 1) AND ^farm: 7 rows; NEAR(quay mill, 1) ^farm: 7 rows
title : quay AND text : mi*: 24 rows; title: quay text: mi*: 24 rows
"quay mill" ferry: 10 rows; "quay mill" ferry: 10 rows
{title text} : (-title : quay): 66 rows; {title text}: -title: quay: fts5: syntax error near "-", NOT THE SAME
(quay) NEAR(mill): refused by apsw; fts5: syntax error near "NEAR"
(quay) mill: refused by apsw; fts5: syntax error near "mill"
suggested: quay NOT mill NOT farm 8 rows, with parentheses 64
END_OF_FOUND
