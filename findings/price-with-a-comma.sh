#!/bin/sh
# An app keeps prices as texts and adds them up by SQLite's extension for decimals: "1,50" counts as 150, "12:05" as
# 1205, and an unknown price, "?", as 0, which a unique column holds against "0.00".
#
# Guess: a text that is no number is NULL, or an error, or what it begins with, as CAST makes of it; what is zero is
# zero, and a real number is the same decimal in each version (https://www.sqlite.org/floatingpoint.html).
# Found (the shell of Debian 12, SQLite 3.40.1, and apsw's wheel of SQLite 3.54.1), without an error:
# - What is neither digit, point, sign in front nor exponent is passed over: "1,50" is 150, "1.234,56" is 1.23456,
#   "1.2.3" is 12.3, "5-3" is 53, and a minus of typography makes a positive number. CAST has 1, 1.234, 1.2, 5 and 0.
# - A text without a digit is 0: decimal_sum passes over the price that nobody knows, and in 3.54 a column UNIQUE
#   COLLATE decimal refuses "0.00" beside "?", as it refuses 150 beside "1,50" in both.
# - A sum of 2.50 and -2.50 is -0.00 or 0.00, as the first of them is negative or not. In 3.40 decimal_cmp has -0.00
#   below 0, in 3.54 they are equal.
# - decimal(1.1), of a real number, is 1.1 in 3.40, and has 51 digits behind the point in 3.54; decimal_add(1.1, 1.1) is
#   2.2 in both.
# - Right: sums of texts with a point, also over a window; exponents; NULL, which counts for nothing.
# What follows: prices are checked by a CHECK with GLOB as they are written, or are integers of cents.
#
#   usage: findings/price-with-a-comma.sh     prints the decimals; ends with 1 if one of them changes. On Debian 12
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in sqlite3 libsqlite3-0 libreadline8 libtinfo6; do
  (cd "$folder" && apt-get download --quiet --quiet "$package" 2>/dev/null && dpkg -x "$package"_*.deb debian) ||
    { echo "$package is missing" >&2; exit 69; }
done
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, os, subprocess, sys

import apsw

folder = sys.argv[1]
libraries = {os.path.dirname(path) for path in glob.glob(f"{folder}/debian/**/*.so.*", recursive=True)}
SHELLS = [
    ([f"{folder}/debian/usr/bin/sqlite3"], {"LD_LIBRARY_PATH": ":".join(libraries)}),
    ([os.path.join(os.path.dirname(apsw.__file__), "sqlite_extra_binaries", "sqlite3_shell")], {}),
]
TEXTS = ["1.50", "1,50", "1.234,56", "1.2.3", "12:05", "5-3", "\u22125", "2.50 EUR", "EUR 2.50", "1 000", "1.5e3",
         "?", ""]
STATEMENTS = [f"SELECT '{text}', decimal('{text}'), CAST('{text}' AS REAL);" for text in TEXTS] + [
    "SELECT 'sum', decimal_sum(column1) FROM (VALUES ('2.50'), ('1,50'), ('?'), (NULL));",
    "CREATE TABLE fare (price TEXT COLLATE decimal UNIQUE); INSERT INTO fare VALUES ('?');",
    "INSERT OR IGNORE INTO fare VALUES ('0.00'), ('1,50'), ('150');",
    "SELECT 'kept', group_concat(price, ' | ') FROM fare;",
    "SELECT 'zero', decimal_add('2.50', '-2.50'), decimal_add('-2.50', '2.50');",
    "SELECT 'compared', decimal_cmp(decimal_add('-2.50', '2.50'), '0');",
    "SELECT 'real', length(decimal(1.1)), decimal_add(1.1, 1.1), decimal_cmp(1.1, '1.1');",
    "SELECT 'window', group_concat(total, ' ') FROM (SELECT decimal_sum(column1) OVER (ORDER BY column1 ROWS"
    " BETWEEN 1 PRECEDING AND CURRENT ROW) AS total FROM (VALUES ('1.10'), ('2.20'), ('3.30')));",
]
for command, environment in SHELLS:
    answer = subprocess.run([*command, "-batch", "-init", "/dev/null", ":memory:"], capture_output=True,
                            encoding="utf-8", env={**os.environ, **environment},
                            input="\n".join(["SELECT 'SQLite', sqlite_version();", *STATEMENTS]))
    print(answer.stdout + answer.stderr.strip())
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite|3.40.1
1.50|1.50|1.5
1,50|150|1.0
1.234,56|1.23456|1.234
1.2.3|12.3|1.2
12:05|1205|12.0
5-3|53|5.0
−5|5|0.0
2.50 EUR|2.50|2.5
EUR 2.50|0|0.0
1 000|1000|1.0
1.5e3|1500|1500.0
?|0|0.0
|0|0.0
sum|152.50
kept|? | 0.00 | 1,50
zero|0.00|-0.00
compared|-1
real|3|2.2|0
window|1.10 3.30 5.50

SQLite|3.54.1
1.50|1.50|1.5
1,50|150|1.0
1.234,56|1.23456|1.234
1.2.3|12.3|1.2
12:05|1205|12.0
5-3|53|5.0
−5|5|0.0
2.50 EUR|2.50|2.5
EUR 2.50|0|0.0
1 000|1000|1.0
1.5e3|1500|1500.0
?|0|0.0
|0|0.0
sum|152.50
kept|? | 1,50
zero|0.00|-0.00
compared|0
real|53|2.2|0
window|1.10 3.30 5.50

END_OF_FOUND
