#!/bin/sh
# SQLite 3.53's JSON functions write the same real number with 17 digits or with 15.
#
# Guess: they all write it alike, in one version as in the next, since JSON has no affinity.
# Found (apsw's wheels):
# - Up to 3.51.2 all of them write 15 digits, so that a number read back may be another one.
# - From 3.53.0 json_set(), json_insert() and json_replace() write 17, which read back as the number;
#   json_array(), json_object() and json_quote() still write 15. In 3.54.1 all write 17.
# - So one file has three sets of entries of an index on json_set(…, json_array(number)), by the version.
#
#   usage: findings/json-of-a-real-number.sh     prints the results; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw

connection = apsw.Connection(":memory:")
connection.execute("CREATE TABLE item (number REAL)")
connection.execute("INSERT INTO item VALUES (0.1234567890123456789)")
forms = ["json_set('{}', '$.a', number)", "json_insert('{}', '$.a', number)", "json_array(number)",
         "json_object('a', number)", "json_quote(number)"]
lengths = [sum(map(str.isdigit, next(connection.execute(f"SELECT {form} FROM item"))[0])) - 1 for form in forms]
print(apsw.sqlite_lib_version() if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion(), *lengths)
END
for version in 3.42.0.0 3.46.1.0 3.51.2.0 3.53.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
3.42.0 15 15 15 15 15
3.46.1 15 15 15 15 15
3.51.2 15 15 15 15 15
3.53.0 17 17 15 15 15
3.54.1 17 17 17 17 17
END
