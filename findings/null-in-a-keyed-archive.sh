#!/bin/sh
# Two readers of the archives that apps make with NSKeyedArchiver give different values of the same archive.
#
# Guess: what JSON-like values an archive has, null, numbers, texts, lists and maps, each reader gives as they are.
# Found (an archive by bpylist2 4.1.1, read by nska-deserialize 1.5.1, NSKeyedUnArchiver 1.5.2 and bpylist2 itself):
# - nska-deserialize makes an empty text of null, in maps and lists, next to a text that is empty.
# - It makes texts of keys that are numbers: of the two entries 5 and "5" one is left.
# - A set is a list for nska-deserialize, and for NSKeyedUnArchiver a map with the list as "NS.objects".
# - Right in all: booleans beside 1 and 1.0, integers beyond 2^53, and data.
# What follows: what an app has set and then cleared is looked for in the archive's own objects.
#
#   usage: findings/null-in-a-keyed-archive.sh     prints what each reads; ends with 1 if one of the values changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check \
  bpylist2==4.1.1 nska-deserialize==1.5.1 NSKeyedUnArchiver==1.5.2
cat >"$folder/ask.py" <<'END'
import NSKeyedUnArchiver, nska_deserialize
from bpylist2 import archiver

values = {
    "empty": "", "null": None, "list": ["", None], "flags": [True, 1, 1.0], "large": 2**53 + 1,
    "data": b"\x00\xff", "keys": {5: "number", "5": "text"}, "set": {7},
}
archive = archiver.archive(values)
readers = {
    "bpylist2": archiver.unarchive(archive),
    "nska-deserialize": nska_deserialize.deserialize_plist_from_string(archive),
    "NSKeyedUnArchiver": NSKeyedUnArchiver.unserializeNSKeyedArchiver(archive),
}
for name in values:
    print(name, "|", " | ".join(f"{reader} {found[name]!r}" for reader, found in readers.items()))
END
"$folder/python/bin/python" "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END'
empty | bpylist2 '' | nska-deserialize '' | NSKeyedUnArchiver ''
null | bpylist2 None | nska-deserialize '' | NSKeyedUnArchiver None
list | bpylist2 ['', None] | nska-deserialize ['', ''] | NSKeyedUnArchiver ['', None]
flags | bpylist2 [True, 1, 1.0] | nska-deserialize [True, 1, 1.0] | NSKeyedUnArchiver [True, 1, 1.0]
large | bpylist2 9007199254740993 | nska-deserialize 9007199254740993 | NSKeyedUnArchiver 9007199254740993
data | bpylist2 b'\x00\xff' | nska-deserialize b'\x00\xff' | NSKeyedUnArchiver b'\x00\xff'
keys | bpylist2 {5: 'number', '5': 'text'} | nska-deserialize {'5': 'text'} | NSKeyedUnArchiver {5: 'number', '5': 'text'}
set | bpylist2 {7} | nska-deserialize [7] | NSKeyedUnArchiver {'NS.objects': [7]}
END
