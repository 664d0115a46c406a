#!/bin/sh
# A list is read page by page, in the order of its days and ids, from the last row of the page before: a page of a day
# with thousands of rows costs as much as the day up to there, though the index has days and ids in that order.
#
# Guess: (day, id) > (?, ?) goes to its place in an index of day, whose entries end with the rowid, which the id is; in
# an index of (day, id) it does so in any case.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 1,000 and 4,000 rows of one day; steps of SQLite's virtual machine for
# twenty rows near its end):
# - Where id is the INTEGER PRIMARY KEY, all rows of the day up to there are read and compared, with both indexes.
# - 3.53.0 goes to the place, with the index of day alone; 3.53.2 and 3.54.1 do not any more.
# - In a table WITHOUT ROWID, and with a TEXT key in an index of (day, key), it is found at once in all of them.
# - `day > ? OR (day = ? AND id > ?)` reads them too. `day = ? AND id > ?`, and the days behind by UNION ALL, is found
#   at once.
# What follows: a page is asked for in two parts where many rows have the same day.
#
#   usage: findings/page-of-one-day.sh     prints the work; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

TABLES = {
    "id": ("id INTEGER PRIMARY KEY", "", "day", int),
    "id, index (day, id)": ("id INTEGER PRIMARY KEY", "", "day, id", int),
    "WITHOUT ROWID": ("id INTEGER PRIMARY KEY", "WITHOUT ROWID", "day", int),
    "text, index (day, id)": ("id TEXT PRIMARY KEY", "", "day, id", "{:06}".format),
}
QUERIES = {
    "(day, id) >": "SELECT id, day FROM note WHERE (day, id) > (3, ?1) ORDER BY day, id LIMIT 20",
    "or": "SELECT id, day FROM note WHERE day > 3 OR (day = 3 AND id > ?1) ORDER BY day, id LIMIT 20",
    "union": "SELECT * FROM (SELECT id, day FROM note WHERE day = 3 AND id > ?1 ORDER BY id LIMIT 20) UNION ALL "
             "SELECT * FROM (SELECT id, day FROM note WHERE day > 3 ORDER BY day, id LIMIT 20) LIMIT 20",
}

def steps(connection, sql, value):
    count = 0
    def step():
        nonlocal count
        count += 10
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 10)
    return len(connection.cursor().execute(sql, (value,)).fetchall()), count

print(apsw.sqlitelibversion())
for table, (key, suffix, columns, make) in TABLES.items():
    works = {}
    for rows in (1000, 4000):
        connection = apsw.Connection("")
        cursor = connection.cursor()
        cursor.execute(f"CREATE TABLE note ({key}, day INTEGER) {suffix}")
        cursor.execute(f"CREATE INDEX note_by_day ON note ({columns})")
        with connection:
            for id in range(rows + 50):
                cursor.execute("INSERT INTO note VALUES (?, ?)", (make(id), 3 + (id > rows)))
        for name, sql in QUERIES.items():
            found, count = steps(connection, sql, make(rows - 30))
            assert found == 20
            works.setdefault(name, []).append(count)
    print(f"  {table}:", ", ".join(f"{name} {'ALL OF THE DAY' if many > few * 2 else 'at once'}"
                                 for name, (few, many) in works.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.50.4.0 3.53.0.0 3.53.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  id: (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  id, index (day, id): (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  WITHOUT ROWID: (day, id) > at once, or ALL OF THE DAY, union at once
  text, index (day, id): (day, id) > at once, or ALL OF THE DAY, union at once
3.50.4
  id: (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  id, index (day, id): (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  WITHOUT ROWID: (day, id) > at once, or ALL OF THE DAY, union at once
  text, index (day, id): (day, id) > at once, or ALL OF THE DAY, union at once
3.53.0
  id: (day, id) > at once, or ALL OF THE DAY, union at once
  id, index (day, id): (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  WITHOUT ROWID: (day, id) > at once, or ALL OF THE DAY, union at once
  text, index (day, id): (day, id) > at once, or ALL OF THE DAY, union at once
3.53.2
  id: (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  id, index (day, id): (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  WITHOUT ROWID: (day, id) > at once, or ALL OF THE DAY, union at once
  text, index (day, id): (day, id) > at once, or ALL OF THE DAY, union at once
3.54.1
  id: (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  id, index (day, id): (day, id) > ALL OF THE DAY, or ALL OF THE DAY, union at once
  WITHOUT ROWID: (day, id) > at once, or ALL OF THE DAY, union at once
  text, index (day, id): (day, id) > at once, or ALL OF THE DAY, union at once
END_OF_FOUND
