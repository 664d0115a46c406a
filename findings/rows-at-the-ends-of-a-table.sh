#!/bin/sh
# A table of a SQLite database is read in parts by its key: rows without one are missing, and the first and last one.
#
# Guess: the parts are all of the table, whatever its keys are.
# Found (dask 2026.8.0, connectorx 0.4.6), without an error or a warning:
# - dask lacks the row with the least key and that with the greatest, where keys are wider than 53 bits, as identifiers
#   made of a time or at random are: its bounds are real numbers. It is so with one part, and with none asked for.
# - dask and connectorx lack the rows whose key is NULL, with one part too, and so did Polars 2.1.0, which reads by
#   connectorx, when it was tried. Without partition_on connectorx has them.
# - Right: connectorx with wide keys, and both with keys below 2^53.
# What follows: who exports an app's table counts its rows with SQLite, or reads it at once.
#
#   usage: findings/rows-at-the-ends-of-a-table.sh     prints the counts; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
  'dask[dataframe]==2026.8.0' pandas==3.1.1 pyarrow==26.0.1 sqlalchemy==2.1.9 connectorx==0.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, sys

import connectorx, dask, dask.dataframe

TABLES = {
    "small keys": range(1, 11),
    "wide keys": [1800000000000000200 + 1000000 * number for number in range(10)],
    "a key in two is NULL": [number if number % 2 else None for number in range(10)],
}
path = os.path.join(sys.argv[1], "a.db")
url = "sqlite://" + path

def by_dask(**options):
    return dask.dataframe.read_sql_table("item", "sqlite:///" + path, index_col="key", **options).compute()

def by_connectorx(**options):
    return connectorx.read_sql(url, "SELECT * FROM item", return_type="arrow", **options).num_rows

print("dask", dask.__version__, "connectorx", connectorx.__version__)
for name, keys in TABLES.items():
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE IF EXISTS item; CREATE TABLE item (key INTEGER, size INTEGER)")
    connection.executemany("INSERT INTO item VALUES (?, 1)", [[key] for key in keys])
    connection.commit()
    rows = connection.execute("SELECT count(*) FROM item").fetchone()[0]
    connection.close()
    read = by_dask(npartitions=3)
    lost = ["the least" if key == min(keys) else "the greatest" if key == max(keys) else "another"
            for key in keys if None not in keys and key not in set(read.index)]
    print(f"{name}: {rows} rows; dask {len(read)}, in one part {len(by_dask(npartitions=1))},",
          f"as it likes {len(by_dask())}{', without ' + ' and '.join(lost) if lost else ''}; connectorx",
          by_connectorx(partition_on="key", partition_num=3), by_connectorx(partition_on="key", partition_num=1),
          "and without partition_on", by_connectorx())
END_OF_PYTHON
"$folder/python/bin/python" "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
dask 2026.8.0 connectorx 0.4.6
small keys: 10 rows; dask 10, in one part 10, as it likes 10; connectorx 10 10 and without partition_on 10
wide keys: 10 rows; dask 8, in one part 8, as it likes 8, without the least and the greatest; connectorx 10 10 and without partition_on 10
a key in two is NULL: 10 rows; dask 5, in one part 5, as it likes 5; connectorx 5 5 and without partition_on 10
END_OF_FOUND
