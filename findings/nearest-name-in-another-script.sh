#!/bin/sh
# A search corrects what was typed by SQLite's spellfix1: a Japanese, Korean, Hebrew or Thai name is answered with
# another one, at a distance of 0, though it is in the list itself.
#
# Guess: letters that the module cannot write in Latin ones it compares as they are, or finds nothing for them; the word
# itself is the nearest one (https://www.sqlite.org/spellfix1.html).
# Found (the module in apsw 3.54.1), without an error:
# - Each character of these scripts counts as a question mark, so that all names of the same length are one: 大阪 and
#   神戸 are 京都 with a distance of 0, and the word that was added first comes first. 서울 and 부산, חיפה and אילת too.
# - In Arabic and Hindi the number of letters alone is what counts: دبي has a distance of 2 from تونس, as one letter more.
# - Right: Cyrillic, Greek, and Latin letters with marks, Zurich for Zürich and Koebenhavn for København; letters of
#   Vietnamese with two marks are question marks again.
# What follows: a search looks for the word itself first, and asks spellfix1 only for words in Latin, Greek or Cyrillic.
#
#   usage: findings/nearest-name-in-another-script.sh     prints the names; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" apsw==3.54.1.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw, apsw.sqlite_extra

NAMES = {
    "Japanese": ["京都", "東京", "大阪", "神戸", "新大阪"], "Korean": ["서울", "부산", "대구"],
    "Hebrew": ["חיפה", "אילת", "עכו"], "Thai": ["สยาม", "อโศก", "พญาไท"], "Arabic": ["تونس", "دبي", "القاهرة"],
    "Hindi": ["दिल्ली", "मुंबई", "पुणे"], "Greek": ["Αθήνα", "Πάτρα", "Σπάρτη"], "Russian": ["Москва", "Минск", "Казань"],
    "Vietnamese": ["Nội", "Nải", "Hội"], "Latin": ["Zürich", "København", "Łódź"],
}
connection = apsw.Connection(":memory:")
apsw.sqlite_extra.load(connection, "spellfix")

def nearest(words, typed):
    connection.execute("CREATE VIRTUAL TABLE name USING spellfix1")
    connection.executemany("INSERT INTO name (word) VALUES (?)", [(word,) for word in words])
    query = "SELECT word, distance FROM name WHERE word MATCH ? AND top = 1"
    [(word, distance)] = connection.execute(query, [typed])
    plain = connection.execute("SELECT spellfix1_translit(?)", [typed]).fetchone()[0]
    connection.execute("DROP TABLE name")
    return f"{typed} ({plain}): {word} {distance}"

print("SQLite", apsw.sqlite_lib_version())
for script, words in NAMES.items():
    print(script, "|", ", ".join(nearest(words, typed) for typed in words))
print("typed |", ", ".join([
    nearest(NAMES["Latin"], "Zurich"), nearest(NAMES["Latin"], "Koebenhavn"), nearest(["تونس", "القاهرة"], "دبي")]))
END_OF_PYTHON
PYTHONIOENCODING=utf-8 PYTHONPATH=$folder/python python3 "$folder/ask.py" >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1
Japanese | 京都 (??): 京都 0, 東京 (??): 京都 0, 大阪 (??): 京都 0, 神戸 (??): 京都 0, 新大阪 (???): 新大阪 0
Korean | 서울 (??): 서울 0, 부산 (??): 서울 0, 대구 (??): 서울 0
Hebrew | חיפה (????): חיפה 0, אילת (????): חיפה 0, עכו (???): עכו 0
Thai | สยาม (????): สยาม 0, อโศก (????): สยาม 0, พญาไท (?????): พญาไท 0
Arabic | تونس (????): تونس 0, دبي (???): دبي 0, القاهرة (???????): القاهرة 0
Hindi | दिल्ली (??????): दिल्ली 0, मुंबई (?????): मुंबई 0, पुणे (????): पुणे 0
Greek | Αθήνα (Athina): Αθήνα 0, Πάτρα (Patra): Πάτρα 0, Σπάρτη (Sparti): Σπάρτη 0
Russian | Москва (Moskva): Москва 0, Минск (Minsk): Минск 0, Казань (Kazany): Казань 0
Vietnamese | Nội (N?i): Nội 0, Nải (N?i): Nội 0, Hội (H?i): Hội 0
Latin | Zürich (Zuerich): Zürich 0, København (Kobenhavn): København 0, Łódź (Lodz): Łódź 0
typed | Zurich (Zurich): Zürich 20, Koebenhavn (Koebenhavn): København 15, دبي (???): تونس 2
END_OF_FOUND
