#!/bin/sh
# Who observes what a query reads by SQLite's authorizer is not told of the columns that a generated column is made of.
#
# Guess: a query of a generated column, which is computed when it is read, reads its base columns, as a query of a view
# reads those of the tables behind it; an update of a base column reports a column that is stored for it as changed.
# Found (apsw's wheels of SQLite 3.40 to 3.54):
# - The query reports the generated column alone, the update the base column alone, be the former virtual or stored:
#   no column is in both, although the result changes.
# - The query of a view that computes the same reports the base column. The update of a parent key reports the columns
#   of the children that follow it.
# What follows: an observer adds the generated columns of a table to each of its updates, as Holdfast's does.
#
#   usage: findings/generated-column-for-an-authorizer.sh     prints what is reported; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
versions='3.40.0.0 3.46.1.0 3.54.1.0'
cat >"$folder/ask.py" <<'END'
import apsw

SCHEMA = [
    "CREATE TABLE item (id INTEGER PRIMARY KEY, price INTEGER, tax AS (price * 2), total AS (price * 3) STORED)",
    "CREATE VIEW priced AS SELECT price * 2 AS tax FROM item",
    "CREATE TABLE part (item REFERENCES item ON UPDATE CASCADE)",
    "INSERT INTO item (price) VALUES (5)",
]
connection = apsw.Connection(":memory:")
for sql in SCHEMA:
    connection.execute(sql)
connection.execute("PRAGMA foreign_keys = 1").fetchall()

def reported(code, sql):
    found = set()
    def authorize(action, table, column, *_):
        if action == code:
            found.add(f"{table}.{column}")
        return apsw.SQLITE_OK
    connection.authorizer = authorize
    connection.execute("EXPLAIN " + sql).fetchall()
    connection.authorizer = None
    return found

queries = ["SELECT tax FROM item", "SELECT total FROM item", "SELECT tax FROM priced"]
before = [connection.execute(sql).fetchall() for sql in queries]
changes = reported(apsw.SQLITE_UPDATE, "UPDATE item SET price = 7")
print("UPDATE of price changes", *changes)
print("UPDATE of id changes", *sorted(reported(apsw.SQLITE_UPDATE, "UPDATE item SET id = 2")))
connection.execute("UPDATE item SET price = 7")
for sql, rows in zip(queries, before):
    reads = reported(apsw.SQLITE_READ, sql)
    print(sql, "reads", *sorted(reads), "| in both:", *reads & changes or ["none"],
          "|", rows[0][0], "is now", connection.execute(sql).fetchall()[0][0])
END
for version in $versions; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  echo "apsw $version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
for version in $versions; do
  echo "apsw $version"
  cat <<'END'
UPDATE of price changes item.price
UPDATE of id changes item.id part.item
SELECT tax FROM item reads item.tax | in both: none | 10 is now 14
SELECT total FROM item reads item.total | in both: none | 15 is now 21
SELECT tax FROM priced reads item.price priced.tax | in both: item.price | 10 is now 14
END
done | diff - "$folder/found"
