#!/bin/sh
# An app keeps documents as JSON, with their titles in a generated column, and the search index of the titles by a
# trigger AFTER UPDATE OF title: it never fires, and what is searched are the titles of the first day.
#
# Guess: a change of the JSON changes the title, so that the trigger fires; or a trigger OF a column that nobody can set
# is refused when it is made.
# Found (apsw's wheels of SQLite 3.40 to 3.54), the same for VIRTUAL and STORED, without an error:
# - UPDATE OF looks at the names behind SET alone. The trigger is made and never fires: a search for the new title finds
#   nothing, and one for the old title finds the document, though the table has the new one.
# - UPDATE OF id does not fire where SET names the same column by rowid; a cascade of a foreign key to it does.
# - It fires with the JSON's column in its list, and for SET name = name, which changes nothing. So it does for an
#   UPSERT, UPDATE … FROM, ON UPDATE CASCADE, and ON DELETE SET NULL, by a REPLACE too.
# What follows: a trigger that follows a generated column or a key has no list of columns, and compares old and new.
#
#   usage: findings/title-out-of-json.sh     prints what fires and what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

def database(kind, columns):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    title = f"title AS (json_extract(document, '$.title')) {kind}"
    ask(f"CREATE TABLE page (id INTEGER PRIMARY KEY, document TEXT, {title})")
    ask("CREATE VIRTUAL TABLE search USING fts5 (title, content = 'page', content_rowid = 'id')")
    ask("""CREATE TRIGGER added AFTER INSERT ON page BEGIN
      INSERT INTO search (rowid, title) VALUES (new.id, new.title); END""")
    ask(f"""CREATE TRIGGER changed AFTER UPDATE {columns} ON page BEGIN
      INSERT INTO search (search, rowid, title) VALUES ('delete', old.id, old.title);
      INSERT INTO search (rowid, title) VALUES (new.id, new.title); END""")
    ask("INSERT INTO page (id, document) VALUES (1, ?)", ('{"title": "quay"}',))
    ask("UPDATE page SET document = ?", ('{"title": "harbor"}',))
    return " ".join(f"{word} {len(ask('SELECT * FROM search WHERE search MATCH ?', (word,)).fetchall())}"
                    for word in ("quay", "harbor"))

def fired(sql):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    for statement in [
        "PRAGMA foreign_keys = ON", "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE call (id INTEGER PRIMARY KEY, stop REFERENCES stop (id) ON UPDATE CASCADE ON DELETE SET NULL)",
        "CREATE TABLE log (name)", "INSERT INTO stop VALUES (1, 'Quay')", "INSERT INTO call VALUES (1, 1)",
        "CREATE TRIGGER a AFTER UPDATE OF id ON stop BEGIN INSERT INTO log VALUES ('stop.id'); END",
        "CREATE TRIGGER b AFTER UPDATE OF name ON stop BEGIN INSERT INTO log VALUES ('stop.name'); END",
        "CREATE TRIGGER c AFTER UPDATE OF stop ON call BEGIN INSERT INTO log VALUES ('call.stop'); END", sql,
    ]:
        ask(statement)
    return " ".join(sorted(name for name, in ask("SELECT name FROM log").fetchall())) or "nothing"

print(apsw.sqlitelibversion())
for kind in ("VIRTUAL", "STORED"):
    for columns in ("OF title", "OF document", ""):
        print(f"  {kind}, UPDATE{' ' * bool(columns)}{columns}: {database(kind, columns)}")
for sql in ["UPDATE stop SET id = 2", "UPDATE stop SET rowid = 2", "UPDATE stop SET name = name",
            "UPDATE stop SET name = n FROM (SELECT 'Mill' AS n)", "DELETE FROM stop",
            "REPLACE INTO stop VALUES (1, 'Mill')",
            "INSERT INTO stop VALUES (1, 'Mill') ON CONFLICT DO UPDATE SET name = excluded.name"]:
    print(f"  {sql}: {fired(sql)}")
END_OF_PYTHON
for version in 3.40.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  VIRTUAL, UPDATE OF title: quay 1 harbor 0
  VIRTUAL, UPDATE OF document: quay 0 harbor 1
  VIRTUAL, UPDATE: quay 0 harbor 1
  STORED, UPDATE OF title: quay 1 harbor 0
  STORED, UPDATE OF document: quay 0 harbor 1
  STORED, UPDATE: quay 0 harbor 1
  UPDATE stop SET id = 2: call.stop stop.id
  UPDATE stop SET rowid = 2: call.stop
  UPDATE stop SET name = name: stop.name
  UPDATE stop SET name = n FROM (SELECT 'Mill' AS n): stop.name
  DELETE FROM stop: call.stop
  REPLACE INTO stop VALUES (1, 'Mill'): call.stop
  INSERT INTO stop VALUES (1, 'Mill') ON CONFLICT DO UPDATE SET name = excluded.name: stop.name
3.54.1
  VIRTUAL, UPDATE OF title: quay 1 harbor 0
  VIRTUAL, UPDATE OF document: quay 0 harbor 1
  VIRTUAL, UPDATE: quay 0 harbor 1
  STORED, UPDATE OF title: quay 1 harbor 0
  STORED, UPDATE OF document: quay 0 harbor 1
  STORED, UPDATE: quay 0 harbor 1
  UPDATE stop SET id = 2: call.stop stop.id
  UPDATE stop SET rowid = 2: call.stop
  UPDATE stop SET name = name: stop.name
  UPDATE stop SET name = n FROM (SELECT 'Mill' AS n): stop.name
  DELETE FROM stop: call.stop
  REPLACE INTO stop VALUES (1, 'Mill'): call.stop
  INSERT INTO stop VALUES (1, 'Mill') ON CONFLICT DO UPDATE SET name = excluded.name: stop.name
END_OF_FOUND
