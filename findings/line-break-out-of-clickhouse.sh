#!/bin/sh
# Rows are written into an app's database by ClickHouse, as chdb runs it within a program: a line break in a text is a
# backslash and an n there. Read by it, a row is not found by the value that it shows.
#
# Guess: a text arrives as it is; a number that ClickHouse knows is a number of SQLite in a column without a type. A
# text in an INTEGER column is an error, as other readers have it, and a row is found by WHERE with what it shows.
# Found (chdb 4.4.0, the function sqlite(); apsw 3.54.1), without an error:
# - INSERT writes a line break, a tab, a carriage return, a backspace and a NUL as two characters each, \n, \t, \r, \b
#   and \0. As the same text is sought, it is found in rows of others, and not in those that it wrote itself.
# - In a column without a type, as of CREATE TABLE AS SELECT, numbers are texts, and true is 'true', infinity 'inf'.
# - Each value of such a column is shown as a text: WHERE x = '5' is asked of SQLite, which has 5 and finds none, and
#   WHERE x = 5 is an error of types. A text in an INTEGER column is shown as 0, and WHERE i = 0 does not find it.
# - Right: backslashes, quotes, letters beyond ASCII; integers of 64 bits and reals in columns of their types; NULL; a
#   condition that is computed outside, such as materialize(x) = '5'.
# What follows: texts are written into an app's database by SQLite itself, from what ClickHouse has computed.
#
#   usage: findings/line-break-out-of-clickhouse.sh     prints what is written and found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import json, os, sys

import apsw, chdb

os.chdir(sys.argv[1])
app = apsw.Connection("app.db")
app.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, any)")
app.execute("CREATE TABLE mixed (id INTEGER PRIMARY KEY, any, number INTEGER, real REAL)")
app.execute("INSERT INTO mixed VALUES (1, 5, 9007199254740993, 0.1), (2, 2.5, 'five', 'x'), (3, 't', NULL, NULL)")

def ask(statement):
    try:
        lines = chdb.query(statement, "JSONCompactEachRow").bytes().decode().splitlines()
        return [tuple(json.loads(line)) for line in lines]
    except RuntimeError as error:
        return str(error).split(". (")[0].split(" because ")[0].split(": while ")[0].removeprefix("Code: ")

def literal(text):
    return "'" + "".join(f"\\x{byte:02x}" for byte in text.encode()) + "'"

print("chdb", chdb.__version__, "| ClickHouse", ask("SELECT version()")[0][0], "| SQLite", apsw.sqlite_lib_version())
for number, text in enumerate(["a\nb", "a\tb", "a\rb", "a\bb", "a\0b", "a\\b", "a\\nb", "it's", 'a"b', "Zürich"], 1):
    app.execute("INSERT INTO note VALUES (?, ?, NULL)", [number, text])
    ask(f"INSERT INTO FUNCTION sqlite('app.db', 'note') VALUES ({number + 100}, {literal(text)}, NULL)")
    [(written, )] = app.execute("SELECT body FROM note WHERE id = ?", [number + 100])
    found = ask(f"SELECT id FROM sqlite('app.db', 'note') WHERE body = {literal(text)} ORDER BY id")
    print(f"{text!r}: {'is written' if written == text else f'IS {written!r}'}, found in {[row for row, in found]}")
for number, value in enumerate(["5", "0.5", "true", "toDate('2026-06-09')", "NULL", "inf", "nan"], 201):
    answer = ask(f"INSERT INTO FUNCTION sqlite('app.db', 'note') SELECT {number}, NULL, {value}")
    print(f"{value} without a type: {answer or ''}", *app.execute("SELECT quote(any) FROM note WHERE id = ?", [number]))
print("read:", ask("SELECT * FROM sqlite('app.db', 'mixed') ORDER BY id"))
for condition in ("any = '5'", "materialize(any) = '5'", "any = 5", "any = 't'", "number = 0",
                  "materialize(number) = 0", "number = 9007199254740993", "number IS NULL", "real = 0.1", "real = 0"):
    print(f"{condition}:", ask(f"SELECT id FROM sqlite('app.db', 'mixed') WHERE {condition} ORDER BY id"))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" chdb==4.4.0 chdb-core==26.9.0 apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
chdb 4.4.0 | ClickHouse 26.9.2.1 | SQLite 3.54.1
'a\nb': IS 'a\\nb', found in [1]
'a\tb': IS 'a\\tb', found in [2]
'a\rb': IS 'a\\rb', found in [3]
'a\x08b': IS 'a\\bb', found in [4]
'a\x00b': IS 'a\\0b', found in [5]
'a\\b': is written, found in [6, 106]
'a\\nb': is written, found in [7, 101, 107]
"it's": is written, found in [8, 108]
'a"b': is written, found in [9, 109]
'Zürich': is written, found in [10, 110]
5 without a type:  ("'5'",)
0.5 without a type:  ("'0.5'",)
true without a type:  ("'true'",)
toDate('2026-06-09') without a type:  ("'2026-06-09'",)
NULL without a type:  ('NULL',)
inf without a type:  ("'inf'",)
nan without a type:  ("'nan'",)
read: [(1, '5', 9007199254740993, 0.1), (2, '2.5', 0, 0), (3, 't', None, None)]
any = '5': []
materialize(any) = '5': [(1,)]
any = 5: 386. DB::Exception: There is no supertype for types String, UInt8
any = 't': [(3,)]
number = 0: []
materialize(number) = 0: [(2,)]
number = 9007199254740993: [(1,)]
number IS NULL: [(3,)]
real = 0.1: [(1,)]
real = 0: []
END_OF_FOUND
