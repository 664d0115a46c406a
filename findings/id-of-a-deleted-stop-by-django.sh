#!/bin/sh
# An app's database was made by Django, whose migration makes a column longer: the next stop gets the id of one that
# was deleted, and the search does not find it. Where the app has a view, it fails because of a foreign key.
#
# Guess: SQLite's ALTER TABLE cannot do it, and the table is made anew, in the steps of SQLite's documentation, which
# keep indexes, triggers and views (https://www.sqlite.org/lang_altertable.html#otheralter); what Django does not know
# it refuses, or keeps. AUTOINCREMENT gives no id twice.
# Found (Django 5.2.19 in sqlean.py's SQLite 3.50.4), of a field that is altered or added, and of a constraint:
# - AUTOINCREMENT goes on from the rows that are there: after the last stops were deleted, their ids are given again,
#   with all that refers to them elsewhere. Each key that Django makes is AUTOINCREMENT. A field that is removed is
#   removed by ALTER TABLE, and the next id is right.
# - Triggers, indexes and generated columns that Django did not make are gone, without a warning; so a full-text index
#   goes on without the new rows, and what a unique index refused is taken.
# - A view of the table, or a trigger of another table that names it, is in the way, and the error says that a row of a
#   third table has an invalid foreign key, which is sound. On a new connection all is as before.
# - Right: rows, foreign keys of other tables, also with ON DELETE, and an index with a condition in the model.
# What follows: an app that shares its database with Django reads its schema before and after each migration.
#
#   usage: findings/id-of-a-deleted-stop-by-django.sh     prints what is gone; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import sqlean
from sqlean import dbapi2

sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = sqlean, dbapi2  # Django asks for it by these names.
import django
from django.conf import settings

PATH = os.path.join(sys.argv[1], "app.db")
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": PATH}},
                   DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, connections, models

class Stop(models.Model):
    name = models.CharField(max_length=50)
    kind = models.IntegerField(default=0)
    class Meta:
        app_label, db_table = "app", "stop"
        indexes = [models.Index(fields=["kind"], condition=models.Q(kind__gt=0), name="of_django")]

class Call(models.Model):
    stop = models.ForeignKey(Stop, on_delete=models.CASCADE)
    class Meta:
        app_label, db_table = "app", "call"

def alter(editor):
    longer = models.CharField(max_length=80)
    longer.set_attributes_from_name("name")
    longer.model = Stop
    editor.alter_field(Stop, Stop._meta.get_field("name"), longer)

def add(editor):
    added = models.IntegerField(default=0)
    added.set_attributes_from_name("zone")
    editor.add_field(Stop, added)

def check(editor):
    editor.add_constraint(Stop, models.CheckConstraint(condition=models.Q(kind__gt=0), name="kinds_above_0"))

def remove(editor):
    editor.remove_field(Stop, Stop._meta.get_field("name"))

def ask(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else None

def schema():
    columns = {f"column {name}" for _, name, *_ in ask("PRAGMA table_xinfo(stop)")}
    return columns | {f"{kind} {name}" for kind, name in ask(
        "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'search_%'")}

def migrate(what, change, *made):
    if os.path.exists(PATH):
        os.remove(PATH)
    with connection.schema_editor() as editor:
        editor.create_model(Stop)
        editor.create_model(Call)
    for statement in made:
        ask(statement)
    ask("INSERT INTO stop (name, kind) VALUES ('Quay', 1), ('Mill', 2), ('Farm', 3)")
    ask("INSERT INTO call (stop_id) VALUES (1)")
    ask("DELETE FROM stop WHERE id > 1")
    before = schema()
    try:
        with connection.schema_editor() as editor:
            change(editor)
        said = ""
    except Exception as error:
        said = f"; {type(error).__name__}: {error}"
    connection.close()
    del connections["default"]  # One that failed stays in its transaction.
    gone = ", ".join(sorted(before - schema())) or "nothing"
    values = {"kind": 5, "name": 1, "zone": 0}
    columns = [name for name in values if f"column {name}" in schema()]
    ask(f"INSERT INTO stop ({', '.join(columns)}) VALUES ({', '.join(str(values[name]) for name in columns)})")
    print(f"{what}: gone: {gone}; the next id is {ask('SELECT max(id) FROM stop')[0][0]}{said}")
    check = ask("PRAGMA foreign_key_check") + ask("PRAGMA integrity_check")
    if check != [("ok",)]:
        print(" ", check)
    connection.close()

print("Django", django.get_version(), "| SQLite", dbapi2.sqlite_version)
for change in (alter, add, check, remove):
    migrate(change.__name__, change)
migrate("search index", alter, "CREATE VIRTUAL TABLE search USING fts5(name, content='stop', content_rowid='id')",
        "CREATE TRIGGER added AFTER INSERT ON stop BEGIN"
        " INSERT INTO search(rowid, name) VALUES (new.id, new.name); END")
migrate("plain index", alter, "CREATE INDEX kinds ON stop (kind)")
migrate("partial index", alter, "CREATE INDEX kinds ON stop (kind) WHERE kind > 1")
migrate("expression", alter, "CREATE UNIQUE INDEX names ON stop (lower(name))")
migrate("generated column", alter, "ALTER TABLE stop ADD COLUMN label TEXT AS (upper(name)) VIRTUAL")
migrate("foreign key with ON DELETE", alter,
        "CREATE TABLE note (id INTEGER PRIMARY KEY, stop REFERENCES stop (id) ON DELETE CASCADE)")
migrate("view", alter, "CREATE VIEW names AS SELECT name FROM stop")
migrate("trigger of another table", alter, "CREATE TABLE note (stop)",
        "CREATE TRIGGER noted AFTER INSERT ON note BEGIN UPDATE stop SET kind = 1 WHERE id = new.stop; END")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" django==5.2.19 asgiref==3.13.0 sqlparse==0.6.1 sqlean-py==3.50.4.5 2>"$folder/log"
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Django 5.2.19 | SQLite 3.50.4
alter: gone: nothing; the next id is 2
add: gone: nothing; the next id is 2
check: gone: nothing; the next id is 2
remove: gone: column name; the next id is 4
search index: gone: trigger added; the next id is 2
plain index: gone: index kinds; the next id is 2
partial index: gone: index kinds; the next id is 2
expression: gone: index names; the next id is 2
generated column: gone: column label; the next id is 2
foreign key with ON DELETE: gone: nothing; the next id is 2
view: gone: nothing; the next id is 4; IntegrityError: The row in table 'call' with primary key '1' has an invalid foreign key: call.stop_id contains a value '1' that does not have a corresponding value in stop.id.
trigger of another table: gone: nothing; the next id is 4; IntegrityError: The row in table 'call' with primary key '1' has an invalid foreign key: call.stop_id contains a value '1' that does not have a corresponding value in stop.id.
END_OF_FOUND
