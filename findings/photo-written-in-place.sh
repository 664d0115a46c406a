#!/bin/sh
# A photo is written into its row piece by piece, by SQLite's incremental blob I/O: an index of the photos of one kind
# does not know it afterwards, and a query that uses the index does not find it.
#
# Guess: a column on which an index depends cannot be opened for writing, as it is documented for a column that "is part
# of an index" (https://www.sqlite.org/c3ref/blob_open.html), and no more one on which a generated column depends, or a
# CHECK; or all of them are kept up to date.
# Found (apsw's wheels of SQLite 3.40 to 3.54), without an error:
# - A partial index whose condition reads the column keeps what it had, in all versions: a query that uses the index
#   does not find the new photo, and finds the old one; a unique index of this kind takes a second row. From 3.46 on
#   integrity_check does not see the row that should not be in the index.
# - A CHECK is not asked, in all versions; integrity_check, which asks it, calls the row a fault.
# - In 3.40 and 3.46 the index of a virtual generated column is stale in the same way. A stored generated column keeps
#   the value of the old photo, which integrity_check takes for sound.
# - From 3.50 on no column of a table with a generated column can be opened for writing, of whatever column it is made.
# - Right: an index of the column, of an expression, and a foreign key are in the way.
# What follows: the kind of a photo is a column of its own, which is set after the last piece.
#
#   usage: findings/photo-written-in-place.sh     prints what is found; ends with 1 if one of the results changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

def ask(name, columns, *statements, question=None):
    app = apsw.Connection(":memory:")
    app.execute("PRAGMA foreign_keys = ON")
    app.execute("CREATE TABLE folder (data BLOB PRIMARY KEY)")
    app.execute("INSERT INTO folder VALUES (x'0000')")
    app.execute(f"CREATE TABLE photo (id INTEGER PRIMARY KEY, data BLOB{columns})")
    for statement in statements:
        app.execute(statement)
    app.execute("INSERT INTO photo (id, data) VALUES (1, zeroblob(2))")
    try:
        with getattr(app, "blob_open", getattr(app, "blobopen", None))("main", "photo", "data", 1, True) as blob:
            blob.write(b"\xff\xd8")
    except apsw.SQLError as error:
        print(f"  {name}: {str(error).removeprefix('SQLError: ')}")
        return
    found = [row[0] for row in app.execute(question or "SELECT hex(data) FROM photo")]
    check = "; ".join(row[0] for row in app.execute("PRAGMA integrity_check"))
    print(f"  {name}: {found}, {check}")

version = (apsw.sqlite_lib_version if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion)()
print(f"SQLite {version}")
ask("no index", "")
ask("index", "", "CREATE INDEX kinds ON photo (data)")
ask("index of an expression", "", "CREATE INDEX kinds ON photo (substr(data, 1, 1))")
ask("foreign key", " REFERENCES folder (data)")
ask("index where", "", "CREATE INDEX kinds ON photo (id) WHERE substr(data, 1, 1) = x'ff'",
    question="SELECT count(*) FROM photo WHERE substr(data, 1, 1) = x'ff' UNION ALL"
             " SELECT count(*) FROM photo NOT INDEXED WHERE substr(data, 1, 1) = x'ff'")
ask("index where it was", "", "CREATE INDEX kinds ON photo (id) WHERE substr(data, 1, 1) = x'00'",
    question="SELECT count(*) FROM photo WHERE substr(data, 1, 1) = x'00' UNION ALL"
             " SELECT count(*) FROM photo NOT INDEXED WHERE substr(data, 1, 1) = x'00'")
ask("unique index where", ", size INTEGER", "CREATE UNIQUE INDEX kinds ON photo (size) WHERE data = x'ffd8'",
    "CREATE TRIGGER first AFTER INSERT ON photo BEGIN UPDATE photo SET size = 2 WHERE id = new.id; END",
    "INSERT INTO photo (id, data) VALUES (2, x'ffd8')")
ask("CHECK", " CHECK (substr(data, 1, 1) = x'00')")
ask("virtual column with an index", ", kind AS (hex(data))", "CREATE INDEX kinds ON photo (kind)",
    question="SELECT count(*) FROM photo WHERE kind = 'FFD8' UNION ALL"
             " SELECT count(*) FROM photo NOT INDEXED WHERE kind = 'FFD8'")
ask("stored column", ", kind AS (hex(data)) STORED", question="SELECT kind || ' of ' || hex(data) FROM photo")
ask("stored column of the id", ", next AS (id + 1) STORED")
END_OF_PYTHON
for version in 3.40.1.0 3.46.1.0 3.50.4.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.40.1
  no index: ['FFD8'], ok
  index: cannot open indexed column for writing
  index of an expression: cannot open indexed column for writing
  foreign key: cannot open foreign key column for writing
  index where: [0, 1], row 1 missing from index kinds; wrong # of entries in index kinds
  index where it was: [1, 0], wrong # of entries in index kinds
  unique index where: ['FFD8', 'FFD8'], row 1 missing from index kinds; wrong # of entries in index kinds
  CHECK: ['FFD8'], CHECK constraint failed in photo
  virtual column with an index: [0, 1], row 1 missing from index kinds
  stored column: ['0000 of FFD8'], ok
  stored column of the id: ['FFD8'], ok
SQLite 3.46.1
  no index: ['FFD8'], ok
  index: cannot open indexed column for writing
  index of an expression: cannot open indexed column for writing
  foreign key: cannot open foreign key column for writing
  index where: [0, 1], row 1 missing from index kinds
  index where it was: [1, 0], ok
  unique index where: ['FFD8', 'FFD8'], row 1 missing from index kinds
  CHECK: ['FFD8'], CHECK constraint failed in photo
  virtual column with an index: [0, 1], row 1 missing from index kinds
  stored column: ['0000 of FFD8'], ok
  stored column of the id: ['FFD8'], ok
SQLite 3.50.4
  no index: ['FFD8'], ok
  index: cannot open indexed column for writing
  index of an expression: cannot open indexed column for writing
  foreign key: cannot open foreign key column for writing
  index where: [0, 1], row 1 missing from index kinds
  index where it was: [1, 0], ok
  unique index where: ['FFD8', 'FFD8'], row 1 missing from index kinds
  CHECK: ['FFD8'], CHECK constraint failed in photo
  virtual column with an index: cannot open table with generated columns: photo
  stored column: cannot open table with generated columns: photo
  stored column of the id: cannot open table with generated columns: photo
SQLite 3.54.1
  no index: ['FFD8'], ok
  index: cannot open indexed column for writing
  index of an expression: cannot open indexed column for writing
  foreign key: cannot open foreign key column for writing
  index where: [0, 1], row 1 missing from index kinds
  index where it was: [1, 0], ok
  unique index where: ['FFD8', 'FFD8'], row 1 missing from index kinds
  CHECK: ['FFD8'], CHECK constraint failed in photo
  virtual column with an index: cannot open table with generated columns: photo
  stored column: cannot open table with generated columns: photo
  stored column of the id: cannot open table with generated columns: photo
END_OF_FOUND
