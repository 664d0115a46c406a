#!/bin/sh
# Ten bytes in the middle of a file, asked of a server without ranges by fsspec, are the whole file from its beginning.
#
# Guess: a server may ignore Range and answer 200 with all (RFC 9110, section 14.2); a client that asked for a part
# takes the part from it, or says that it cannot.
# Found (fsspec 2026.9.0, Python's http.server):
# - cat_file(start, end) and cat_ranges() return all 300,000 bytes as the part, without an error.
# - A reference file system, by which Zarr and Kerchunk read parts of files, has 300,000 bytes for each part of ten when
#   it is asked for one; for several at once it cuts the whole file by the distances of the parts, from its beginning.
# - open() and seek() refuse: "doesn't appear to support range requests".
# - Right, with an error: smart_open 9.0.2, remotezip 0.12.6, httpio 0.3.0 and obstore 0.12.1; Polars refused too when
#   it was tried.
# What follows: the length of each part is compared with what was asked for, and a folder that http.server serves, as in
# a first test of a tileset in ranges, is no test of it.
#
#   usage: findings/range-that-fsspec-trusts.sh     prints what each client has; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --target \
  "$folder/python" fsspec==2026.9.0 aiohttp==3.14.5 smart-open==9.0.2 remotezip==0.12.6 httpio==0.3.0 obstore==0.12.1
mkdir "$folder/files"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import functools, http.server, os, sys, threading, zipfile

import fsspec, httpio, obstore, obstore.store, remotezip, smart_open

folder = os.path.join(sys.argv[1], "files")
data = bytes(number % 251 for number in range(300000))
with open(os.path.join(folder, "a.bin"), "wb") as file:
    file.write(data)
with zipfile.ZipFile(os.path.join(folder, "a.zip"), "w") as archive:
    archive.writestr("a.bin", data)

class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass  # a client that ends the connection early is none

class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
root = f"http://127.0.0.1:{server.server_port}"
url = root + "/a.bin"
PARTS = {"a": [url, 1000, 10], "b": [url, 1020, 10]}
files = fsspec.filesystem("http")

def references():
    return fsspec.filesystem("reference", fo=PARTS, skip_instance_cache=True)

def seek(file):
    file.seek(1000)
    return [file.read(10)]

def store():
    return obstore.store.HTTPStore.from_url(root, client_options={"allow_http": True})

def show(name, ask):
    try:
        parts = ask()
    except Exception as error:
        print(f"{name}: {type(error).__name__}")
        return
    for part in parts:
        begin = [start for start in (0, 20, 1000, 1020) if data[start:start + 10] == part[:10]]
        print(f"{name}: {len(part)} bytes, from {begin[0]} on")

print("fsspec", fsspec.__version__)
show("cat_file", lambda: [files.cat_file(url, start=1000, end=1010)])
show("cat_ranges", lambda: files.cat_ranges([url, url], [1000, 1020], [1010, 1030]))
show("reference, one", lambda: [references().cat("b")])
show("reference, both", lambda: references().cat(["a", "b"]).values())
show("open and seek", lambda: seek(files.open(url)))
show("smart_open", lambda: seek(smart_open.open(url, "rb")))
show("httpio", lambda: seek(httpio.open(url)))
show("obstore", lambda: [bytes(obstore.get_range(store(), "a.bin", start=1000, end=1010))])
show("remotezip", lambda: [remotezip.RemoteZip(root + "/a.zip").read("a.bin")])
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
fsspec 2026.9.0
cat_file: 300000 bytes, from 0 on
cat_ranges: 300000 bytes, from 0 on
cat_ranges: 300000 bytes, from 0 on
reference, one: 300000 bytes, from 0 on
reference, both: 299980 bytes, from 0 on
reference, both: 299980 bytes, from 20 on
open and seek: ValueError
smart_open: UnsupportedOperation
httpio: HTTPIOError
obstore: NotSupportedError
remotezip: RangeNotSupported
END_OF_FOUND
