#!/bin/sh
# Messages refer to the one that they answer, and are deleted with it. Once a thousand and one answer each other in a
# chain, the first cannot be deleted any more; the table cannot be emptied either, nor dropped.
#
# Guess: ON DELETE CASCADE deletes what refers to a row, however far it goes; DELETE without WHERE, or DROP TABLE, which
# leave no row that could refer to another one, need no cascade.
# Found (apsw's wheels of SQLite 3.40 to 3.54; chains of 1,000 and of 1,001 messages, with foreign keys on):
# - A cascade is a trigger within a trigger, and ends at a depth of 1,000 with an error about triggers, of which there
#   is none. So do REPLACE of the first row, DELETE of all, and DROP TABLE, which deletes all rows first.
# - WHERE id IN (… ORDER BY id DESC) does not help, since a DELETE has an order of its own. One message at a time, from
#   the last one, does, and so does ON DELETE SET NULL, or foreign_keys = OFF for the time.
# What follows: a chain that users make longer is deleted from its end, or refers to its first message.
#
#   usage: findings/chain-of-a-thousand-replies.sh     prints what is refused; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

CASCADE = "ON DELETE CASCADE"
WAYS = {
    "the first": (CASCADE, ["DELETE FROM message WHERE id = 1"]),
    "all": (CASCADE, ["DELETE FROM message"]),
    "replace the first": (CASCADE, ["REPLACE INTO message VALUES (1, NULL)"]),
    "drop": (CASCADE, ["DROP TABLE message"]),
    "from the last, one statement": (
        CASCADE, ["DELETE FROM message WHERE id IN (SELECT id FROM message ORDER BY id DESC)"]),
    "from the last, one by one": (CASCADE, [f"DELETE FROM message WHERE id = {id}" for id in range(1001, 0, -1)]),
    "set null": ("ON DELETE SET NULL", ["DELETE FROM message"]),
    "no foreign keys": (CASCADE, ["PRAGMA foreign_keys = OFF", "DROP TABLE message"]),
}

def run(messages, action, statements):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    ask("PRAGMA foreign_keys = ON")
    ask(f"CREATE TABLE message (id INTEGER PRIMARY KEY, answers INTEGER REFERENCES message (id) {action})")
    ask("CREATE INDEX message_by_answers ON message (answers)")
    with connection:
        for id in range(1, messages + 1):
            ask("INSERT INTO message VALUES (?, ?)", (id, id - 1 or None))
    try:
        for sql in statements:
            ask(sql)
        return None
    except apsw.Error as error:
        return str(error)

assert all(run(1000, *way) is None for way in WAYS.values())
errors = {name: run(1001, *way) for name, way in WAYS.items()}
print(apsw.sqlitelibversion(), "| refused:", ", ".join(name for name, error in errors.items() if error),
      "|", *{error.split(": ")[-1] for error in errors.values() if error})
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.50.4.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | refused: the first, all, replace the first, drop, from the last, one statement | too many levels of trigger recursion
3.46.1 | refused: the first, all, replace the first, drop, from the last, one statement | too many levels of trigger recursion
3.50.4 | refused: the first, all, replace the first, drop, from the last, one statement | too many levels of trigger recursion
3.51.0 | refused: the first, all, replace the first, drop, from the last, one statement | too many levels of trigger recursion
3.54.1 | refused: the first, all, replace the first, drop, from the last, one statement | triggers nested too deep
END_OF_FOUND
