#!/bin/sh
# An app in Python with Qt's own SQL module writes a photo, a day and a price to its database: each of them is an empty
# text, and exec() says that all is well.
#
# Guess: bytes are bound as a BLOB, and a value of a class that Qt does not know is refused, or is NULL, as None is; the
# classes of Python's datetime are Qt's, as where a function of Qt takes a day or a time.
# Found (PySide6 6.12.0), without an error or a warning, of addBindValue(), bindValue(), and setData() of a
# QSqlTableModel:
# - bytes, bytearray, date, datetime, time, timedelta, Decimal, UUID, Path, a tuple, a list of numbers, a dictionary and
#   an IntEnum are '', a text, which NOT NULL accepts. A list of one text is that text.
# - Right: QByteArray, QDate, QDateTime, QTime, QUuid, integers of 63 bits, reals, texts, truth values, None.
# - NULL is read as '', in a column of numbers too, where nobody asks isNull().
# What follows: values are converted to Qt's classes, or to texts and integers, before they are bound; a CHECK of
# typeof(), or a STRICT table for numbers and blobs, refuses the others.
#
#   usage: findings/decimal-as-an-empty-text-by-qt.sh     prints what is bound; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, decimal, enum, pathlib, uuid

from PySide6.QtCore import QByteArray, QCoreApplication, QDate, QDateTime, QTime, QTimeZone, QUuid, qVersion
from PySide6.QtSql import QSqlDatabase, QSqlQuery, QSqlTableModel

class Kind(enum.IntEnum):
    FERRY = 4

application = QCoreApplication([])
database = QSqlDatabase.addDatabase("QSQLITE")
database.setDatabaseName(":memory:")
database.open()

def ask(statement, *values, by_name=False):
    query = QSqlQuery(database)
    query.prepare(statement)
    for index, value in enumerate(values):
        if by_name:
            query.bindValue(f":{index}", value)
        else:
            query.addBindValue(value)
    if not query.exec():
        return query.lastError().text()
    rows = []
    while query.next():
        rows.append([query.value(index) for index in range(query.record().count())])
    return rows

print("PySide6, Qt", qVersion(), "| SQLite", ask("SELECT sqlite_version()")[0][0])
DAY = datetime.datetime(2026, 6, 9, 8, 5)
VALUES = [b"\xff\xd8", bytearray(b"\xff\xd8"), DAY.date(), DAY, DAY.replace(tzinfo=datetime.timezone.utc), DAY.time(),
          datetime.timedelta(hours=25), decimal.Decimal("2.50"), uuid.UUID(int=5), pathlib.Path("a"), ("a", 1), ["a"],
          [1, 2], {"a": 1}, Kind.FERRY, QByteArray(b"\xff\xd8"), QDate(2026, 6, 9),
          QDateTime(QDate(2026, 6, 9), QTime(8, 5)), QDateTime(QDate(2026, 6, 9), QTime(8, 5), QTimeZone.utc()),
          QTime(8, 5), QUuid.fromString("{00000005-0000-0000-0000-000000000000}"), 2**63 - 1, 0.1 + 0.2, "Quay", True,
          None]
for value in VALUES:
    kind, text = ask("SELECT typeof(?), quote(?)", value, value)[0]
    again = ask("SELECT typeof(:0), quote(:1)", value, value, by_name=True)[0]
    print(f"  {type(value).__module__.split('.')[0]}.{type(value).__name__}: {kind} {text}",
          "" if again == [kind, text] else again, sep="")
ask("CREATE TABLE fare (id INTEGER PRIMARY KEY, price NUMERIC NOT NULL, day DATE)")
print("inserted:", ask("INSERT INTO fare VALUES (1, ?, ?)", decimal.Decimal("2.50"), DAY.date()),
      ask("SELECT id, quote(price), quote(day) FROM fare"))
ask("CREATE TABLE strict (price REAL, photo BLOB) STRICT")
print("in a STRICT table:", ask("INSERT INTO strict VALUES (?, NULL)", decimal.Decimal("2.50")))
print("in a STRICT table:", ask("INSERT INTO strict VALUES (NULL, ?)", b"\xff\xd8"))
ask("UPDATE fare SET price = 2.5, day = NULL")
model = QSqlTableModel(None, database)
model.setTable("fare")
model.setEditStrategy(QSqlTableModel.EditStrategy.OnManualSubmit)
model.select()
print("a NULL is read as", repr(model.data(model.index(0, 2))))
print("set in a model:", model.setData(model.index(0, 1), decimal.Decimal("3.50")), model.submitAll(),
      ask("SELECT id, quote(price), quote(day) FROM fare"))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" pyside6-essentials==6.12.0 shiboken6==6.12.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
PySide6, Qt 6.12.0 | SQLite 3.53.4
  builtins.bytes: text ''
  builtins.bytearray: text ''
  datetime.date: text ''
  datetime.datetime: text ''
  datetime.datetime: text ''
  datetime.time: text ''
  datetime.timedelta: text ''
  decimal.Decimal: text ''
  uuid.UUID: text ''
  pathlib.PosixPath: text ''
  builtins.tuple: text ''
  builtins.list: text 'a'
  builtins.list: text ''
  builtins.dict: text ''
  __main__.Kind: text ''
  PySide6.QByteArray: blob X'FFD8'
  PySide6.QDate: text '2026-06-09'
  PySide6.QDateTime: text '2026-06-09T08:05:00.000'
  PySide6.QDateTime: text '2026-06-09T08:05:00.000+00:00'
  PySide6.QTime: text '08:05:00.000'
  PySide6.QUuid: text '{00000005-0000-0000-0000-000000000000}'
  builtins.int: integer 9223372036854775807
  builtins.float: real 0.30000000000000004
  builtins.str: text 'Quay'
  builtins.bool: integer 1
  builtins.NoneType: null NULL
inserted: [] [[1, "''", "''"]]
in a STRICT table: cannot store TEXT value in REAL column strict.price Unable to fetch row
in a STRICT table: cannot store TEXT value in BLOB column strict.photo Unable to fetch row
a NULL is read as ''
set in a model: True True [[1, "''", 'NULL']]
END_OF_FOUND
