#!/bin/sh
# tags ->> '0' is the first tag up to SQLite 3.45, and NULL from 3.46 on; tags ->> -1 is the last one from 3.47 on.
#
# Guess: a text that is no path is the name of a member, as in PostgreSQL, in every version, and -1 is an element of
# no array.
# Found (apsw's wheels, on the array ["quay","pier"]):
# - '0' in quotes finds the element 0 in 3.45.3, as 0 does, and nothing in 3.46.1 and later.
# - -1 finds nothing in 3.45.3, is an error in 3.46.1, and finds the last element in 3.47.2 and later.
# Without a change of the file, an index on tags ->> '0' that 3.45.3 has written is called damaged by 3.54.1, which
# does not find the row by its first tag.
# What follows: the element of an array is looked up by a number without quotes or by a path such as '$[0]' and
# '$[#-1]', which all of them read alike.
#
#   usage: findings/element-by-a-number-in-quotes.sh     prints what each version finds; ends with 1 if one changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

path = os.path.join(sys.argv[1], "tags.db")
connection = apsw.Connection(path)
if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
    connection.execute("CREATE TABLE stop (tags TEXT)")
    connection.execute("CREATE INDEX stop_tag ON stop (tags ->> '0')")
    connection.execute("""INSERT INTO stop VALUES ('["quay","pier"]')""")

def ask(element):
    try:
        return connection.execute(f"SELECT tags ->> {element} FROM stop NOT INDEXED").fetchone()[0]
    except apsw.SQLError:
        return "an error"

found = ", ".join(f"{element} {ask(element)}" for element in ["0", "'0'", "-1", "'$[0]'", "'$[#-1]'"])
check = connection.execute("PRAGMA integrity_check").fetchone()[0]
print(f"{apsw.sqlite_lib_version()}: {found}; the index of 3.45.3: {check}")
END_OF_PYTHON
for version in 3.45.3.0 3.46.1.0 3.47.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder"
done | tee "$folder/found"
missing='row 1 missing from index stop_tag'
diff - "$folder/found" <<END_OF_FOUND
3.45.3: 0 quay, '0' quay, -1 None, '\$[0]' quay, '\$[#-1]' pier; the index of 3.45.3: ok
3.46.1: 0 quay, '0' None, -1 an error, '\$[0]' quay, '\$[#-1]' pier; the index of 3.45.3: $missing
3.47.2: 0 quay, '0' None, -1 pier, '\$[0]' quay, '\$[#-1]' pier; the index of 3.45.3: $missing
3.54.1: 0 quay, '0' None, -1 pier, '\$[0]' quay, '\$[#-1]' pier; the index of 3.45.3: $missing
END_OF_FOUND
