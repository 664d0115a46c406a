#!/bin/sh
# The same request on the same rows has other results in SQLite 3.40 and 3.54, without an error.
#
# Guess: new versions add functions and plans; what a request returned once it returns in all of them.
# Found (apsw's wheels):
# - A subquery by UNION of an INTEGER column and a TEXT column, compared with '5', has the row up to 3.40, and none
#   from 3.41; so has UNION ALL.
# - INSERT OR IGNORE of a rowid that an FTS5 table has is a constraint error up to 3.43, and ignored from 3.44. With
#   RETURNING it returns the rowid as if the row had been inserted.
# - A key that JSON escapes is found by its characters from 3.45, and not before.
# - date('2024-02-30') is that text up to 3.44, and the first of March from 3.45; time('24:00') is 24:00:00 up to 3.53,
#   and 00:00:00 from 3.54.
# - `->> -1` of an array is NULL up to 3.45, an error in 3.46, and the last element from 3.47. `->> '1'` of an object is
#   NULL up to 3.45, and the value of the key "1" from 3.46.
# - json_valid(NULL) is 0 up to 3.41 and NULL from 3.42: CHECK (json_valid(x)) refuses NULL only before.
#
#   usage: findings/one-request-other-rows.sh     prints the results; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw, sys

connection = apsw.Connection(":memory:")
list(connection.execute("""
  CREATE TABLE item (id INTEGER PRIMARY KEY, number INTEGER, name TEXT);
  INSERT INTO item VALUES (1, 5, 'x');
  CREATE TABLE note (data TEXT CHECK (json_valid(data)));
  CREATE VIRTUAL TABLE search USING fts5 (body);
  INSERT INTO search (rowid, body) VALUES (1, 'first')"""))
requests = {
    "union": "SELECT id FROM (SELECT id, number AS x FROM item UNION SELECT id, name FROM item) WHERE x = '5'",
    "ignored": "INSERT OR IGNORE INTO search (rowid, body) VALUES (1, 'second') RETURNING rowid",
    "escaped key": """SELECT json_extract('{"a\\u0062": 1}', '$.ab')""",
    "day": "SELECT date('2024-02-30')",
    "midnight": "SELECT time('24:00')",
    "last element": "SELECT '[10, 20]' ->> -1",
    "key": """SELECT '{"1": 5}' ->> '1'""",
    "null": "INSERT INTO note VALUES (NULL) RETURNING 'inserted'",
}
results = []
for name, sql in requests.items():
    try:
        rows = list(connection.execute(sql))
        result = str(rows[0][0]) if rows else "none"
    except apsw.Error as error:
        result = type(error).__name__
    results.append(f"{name}: {result}")
print(apsw.sqlite_lib_version() if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion(), "|", "; ".join(results))
END
for version in 3.40.1.0 3.41.2.0 3.42.0.1 3.44.2.0 3.45.3.0 3.46.1.0 3.47.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
3.40.1 | union: 1; ignored: ConstraintError; escaped key: None; day: 2024-02-30; midnight: 24:00:00; last element: None; key: None; null: ConstraintError
3.41.2 | union: none; ignored: ConstraintError; escaped key: None; day: 2024-02-30; midnight: 24:00:00; last element: None; key: None; null: ConstraintError
3.42.0 | union: none; ignored: ConstraintError; escaped key: None; day: 2024-02-30; midnight: 24:00:00; last element: None; key: None; null: inserted
3.44.2 | union: none; ignored: 1; escaped key: None; day: 2024-02-30; midnight: 24:00:00; last element: None; key: None; null: inserted
3.45.3 | union: none; ignored: 1; escaped key: 1; day: 2024-03-01; midnight: 24:00:00; last element: None; key: None; null: inserted
3.46.1 | union: none; ignored: 1; escaped key: 1; day: 2024-03-01; midnight: 24:00:00; last element: SQLError; key: 5; null: inserted
3.47.2 | union: none; ignored: 1; escaped key: 1; day: 2024-03-01; midnight: 24:00:00; last element: 20; key: 5; null: inserted
3.54.1 | union: none; ignored: 1; escaped key: 1; day: 2024-03-01; midnight: 00:00:00; last element: 20; key: 5; null: inserted
END
