#!/bin/sh
# A table with the sums of another one is shown by Datasette, sorted by a sum: after the first page there are no more
# rows, and in the other direction the first page comes again and again.
#
# Guess: the pages together are the rows of the table, each once, by whatever column they are sorted.
# Found (Datasette 0.65.5 over Python's sqlite3), without an error:
# - A column without a declared type, as CREATE TABLE … AS SELECT gives to each expression: upwards the second page is
#   empty and the last, since its mark holds the number as a text, which is greater than all numbers; downwards the
#   first page has no end. So it is with a STRICT column ANY.
# - All rows as CSV, which follows the pages, are those of the first page, where they are sorted by a sum.
# - Right: columns of the types INTEGER, REAL, TEXT, DATE and NUMERIC, with and without NULL, in both directions.
# What follows: columns of a table that is made for reading are declared, as by CREATE TABLE and INSERT … SELECT.
#
#   usage: findings/pages-of-sums-in-datasette.sh     prints what the pages have; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" datasette==0.65.5 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import asyncio, os, sqlite3, sys

import datasette
from datasette.app import Datasette

path = os.path.join(sys.argv[1], "calls.db")
TYPES = ["INTEGER", "REAL", "TEXT", "DATE", "NUMERIC"]
COLUMNS = {f"{type.lower()}{suffix}": type for type in TYPES for suffix in ("", "_or_null")}
connection = sqlite3.connect(path)
columns = ", ".join(f"{name} {type}" for name, type in COLUMNS.items())
connection.execute(f"CREATE TABLE call (id INTEGER PRIMARY KEY, {columns})")
for id in range(100):
    values = [id, id / 7, f"n{id}", f"2026-01-{id % 28 + 1:02}", id / 3]
    row = [value for each in values for value in (each, None if id % 3 == 0 else each)]
    connection.execute(f"INSERT INTO call VALUES ({', '.join('?' * (len(row) + 1))})", [id, *row])
sums = "id, count(*) AS calls, sum(real) AS hours, id * 2 AS twice"
connection.execute(f"CREATE TABLE total AS SELECT {sums} FROM call GROUP BY id")
connection.execute("CREATE TABLE setting (id INTEGER PRIMARY KEY, value ANY) STRICT")
connection.executemany("INSERT INTO setting VALUES (?, ?)", [(id, id * 3) for id in range(100)])
connection.commit()
connection.close()

async def pages(client, table, order, column):
    url, ids, count = f"/calls/{table}.json?_shape=objects&_size=20&{order}={column}", [], 0
    while url and count < 12:
        page = (await client.get(url)).json()
        ids += [row["id"] for row in page["rows"]]
        url, count = (page["next_url"] or "").replace("http://localhost", ""), count + 1
    return "no end" if url else f"{count} pages", len(set(ids))

async def main():
    server = Datasette([path], settings={"max_returned_rows": 20})
    await server.invoke_startup()
    right = []
    for table, columns in {"call": COLUMNS, "total": ["calls", "hours", "twice"], "setting": ["value"]}.items():
        for column in columns:
            answers = [await pages(server.client, table, order, column) for order in ("_sort", "_sort_desc")]
            if answers == [("5 pages", 100)] * 2:
                right.append(column)
            else:
                print(f"{table}.{column}:", "; ".join(f"{end}, {ids} of 100 rows" for end, ids in answers))
    print("right:", ", ".join(right))
    for column in ("twice", "id"):
        lines = (await server.client.get(f"/calls/total.csv?_size=max&_stream=on&_sort={column}")).text.splitlines()
        print(f"CSV by {column}: {len(lines) - 1} of 100 rows")

print("Datasette", datasette.__version__)
asyncio.run(main())
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Datasette 0.65.5
total.calls: 2 pages, 20 of 100 rows; no end, 20 of 100 rows
total.hours: 2 pages, 20 of 100 rows; no end, 20 of 100 rows
total.twice: 2 pages, 20 of 100 rows; no end, 20 of 100 rows
setting.value: 2 pages, 20 of 100 rows; no end, 20 of 100 rows
right: integer, integer_or_null, real, real_or_null, text, text_or_null, date, date_or_null, numeric, numeric_or_null
CSV by twice: 20 of 100 rows
CSV by id: 100 of 100 rows
END_OF_FOUND
