#!/bin/sh
# An R*Tree of integers keeps other numbers than those that were inserted, and other ones in SQLite 3.54 than before.
#
# Guess: rtree_i32 refuses a number of more than 32 bits, as it refuses a minimum above its maximum.
# Found (apsw's wheels), without an error, of intervals in milliseconds since 1970:
# - Up to 3.53 the lower 32 bits are kept: a later interval lies before an earlier one, and before 1970. One that
#   crosses a power of two is refused as "constraint failed", its minimum being above its maximum then.
# - In 3.54.1 2147483647 is kept, for the minimum and the maximum: all of them are the same interval.
# - Either way a query for the time of an interval has no row.
# What follows: times in an R*Tree of integers are seconds, or counted from a day of one's own; a database with wider
# ones has a mixture once a new version has written to it.
#
#   usage: findings/wide-integers-in-an-rtree.sh     prints what is kept; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw

connection = apsw.Connection(":memory:")
connection.execute("CREATE VIRTUAL TABLE open USING rtree_i32 (id, first, last)")

def insert(*row):
    try:
        connection.execute("INSERT INTO open VALUES (?, ?, ?)", row)
        return "kept"
    except apsw.ConstraintError:
        return "refused"

def rows(where):
    return connection.execute(f"SELECT id FROM open WHERE {where}").fetchall()

minute = 60_000
times = {1: 1795984073641, 2: 1795984073641 + 30 * 24 * 60 * minute, 3: (418 << 32) + (1 << 31)}
print(*[f"{key} {insert(key, time - minute, time + minute)}" for key, time in times.items()])
print(*connection.execute("SELECT * FROM open"))
for key, time in list(times.items())[:2]:
    print(f"at the time of {key}:", rows(f"first <= {time} AND last >= {time}"))
print("before 1970:", rows("last < 0"))
END
versions='3.40.0.0 3.53.0.0 3.54.1.0'
for version in $versions; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  echo "apsw $version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
apsw 3.40.0.0
1 kept 2 kept 3 refused
(1, 687683913, 687803913) (2, -1015283383, -1015163383)
at the time of 1: []
at the time of 2: []
before 1970: [(2,)]
apsw 3.53.0.0
1 kept 2 kept 3 refused
(1, 687683913, 687803913) (2, -1015283383, -1015163383)
at the time of 1: []
at the time of 2: []
before 1970: [(2,)]
apsw 3.54.1.0
1 kept 2 kept 3 kept
(1, 2147483647, 2147483647) (2, 2147483647, 2147483647) (3, 2147483647, 2147483647)
at the time of 1: []
at the time of 2: []
before 1970: []
END
