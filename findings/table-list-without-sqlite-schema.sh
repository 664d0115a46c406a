#!/bin/sh
# SQLite's list of tables has a row for sqlite_schema, and no row when it is asked for by that name.
#
# Guess: with a name, the pragma has the row that it has without one
# (https://www.sqlite.org/pragma.html#pragma_table_list).
# Found (apsw's wheels): the whole list names sqlite_schema; asked for sqlite_schema it is empty; asked for the old name,
# sqlite_master, it has a row that is called sqlite_schema.
# What follows: who takes a name from the list and asks for it again must ask the whole list.
#
#   usage: findings/table-list-without-sqlite-schema.sh     prints the lists; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw

connection = apsw.Connection(":memory:")
list(connection.execute("CREATE TABLE item (id)"))
lists = []
for words in ["", "('sqlite_schema')", "('sqlite_master')"]:
    names = [name for name, in connection.execute("SELECT name FROM pragma_table_list" + words + " WHERE schema = 'main'")]
    lists.append(" ".join(sorted(names)) or "nothing")
version = apsw.sqlite_lib_version() if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion()
print(version, "|", "; ".join(lists))
END
for version in 3.40.1.0 3.46.1.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
3.40.1 | item sqlite_schema; nothing; sqlite_schema
3.46.1 | item sqlite_schema; nothing; sqlite_schema
3.54.1 | item sqlite_schema; nothing; sqlite_schema
END
