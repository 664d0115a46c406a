#!/bin/sh
# A temporary view in front of a view of the same name leaves other views without columns in a list of tables.
#
# Guess: PRAGMA table_list counts the columns of each table and view of each schema ("ncol: the number of columns in the
# table", https://www.sqlite.org/pragma.html#pragma_table_list), whatever has the same name elsewhere.
# Found (apsw's wheels of SQLite 3.40 to 3.54):
# - The hidden view has 0 columns, and so has nearly each other view of the schema, which nothing hides; which ones are
#   left depends on their names and on the version. PRAGMA main.table_list does the same.
# - Not so if the temporary view reads the hidden one, if a table is hidden, or for views that were asked for before, by
#   PRAGMA main.table_info or a query.
# What follows: the columns of a view are counted by PRAGMA table_info with its schema, and not by table_list.
#
#   usage: findings/columns-of-a-hidden-view.sh     prints what has no columns; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw

VIEWS = ["boardings", "lines", "nights", "quays", "stations", "stops", "zones"]

def show(label, hidden, source="places", before=(), schema=""):
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE places (id, name)")
    for view in VIEWS:
        connection.execute(f"CREATE VIEW {view} AS SELECT id, name FROM places")
    if hidden:
        connection.execute(f"CREATE TEMP VIEW {hidden} AS SELECT *, 1 AS extra FROM main.{source}")
    for sql in before:
        connection.execute(sql).fetchall()
    rows = connection.execute(f"PRAGMA {schema}table_list").fetchall()
    empty = sorted(name for place, name, kind, columns, *_ in rows if place == "main" and columns == 0)
    print(label, "| without columns:", *empty or ["none"])

show("nothing hidden", None)
show("a table hidden", "places")
show("a view hidden", "stops")
show("a view hidden, main alone", "stops", schema="main.")
show("a view hidden by one of it", "stops", source="stops")
show("a view hidden, each asked for", "stops", before=[f"PRAGMA main.table_info({view})" for view in VIEWS])
END
versions='3.40.0.0 3.46.1.0 3.54.1.0'
for version in $versions; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  echo "apsw $version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
{
  for version in $versions; do
    echo "apsw $version"
    zones=
    test "$version" != 3.54.1.0 || zones=' zones'
    cat <<END
nothing hidden | without columns: none
a table hidden | without columns: none
a view hidden | without columns: boardings lines nights quays stations stops$zones
a view hidden, main alone | without columns: boardings lines nights quays stations stops$zones
a view hidden by one of it | without columns: none
a view hidden, each asked for | without columns: none
END
  done
} | diff - "$folder/found"
