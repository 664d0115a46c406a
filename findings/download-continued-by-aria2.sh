#!/bin/sh
# A download breaks off, the file is replaced at the server, and aria2 continues: a file of the same length is half the
# old one and half the new one, and one of another length is never downloaded.
#
# Guess: the control file beside a download keeps what it is a download of, an ETag or a date; where the server has
# another file now, aria2 begins anew, or says that it cannot continue.
# Found (Debian's aria2 1.36.0), of a file of 2,000,000 bytes, 1,000,000 of which have arrived:
# - It asks for the rest without If-Range, takes a 206 with another ETag and another Last-Modified, and ends with 0; the
#   next run finds nothing to do. --conditional-get, --remote-time and --always-resume=false change nothing.
# - Where the file is a byte longer or shorter now, each run ends with 1, and the old half stays; so it does with
#   --allow-overwrite.
# - It asks for a Digest, as RFC 3230 had it: with that header in the second answer it ends with 32, and the next run
#   has the new file. Repr-Digest, of RFC 9530, which took its place, it does not know.
# What follows: a server gives each version of a file its own URL, or the digest goes with the URL (--checksum).
#
#   usage: findings/download-continued-by-aria2.sh     prints what is there then; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in aria2 libaria2-0 libc-ares2 libssh2-1 libxml2 libicu72; do
  apt-get download --quiet --quiet "$package" 2>>log || { echo "$package is missing" >&2; exit 69; }
done
for package in *.deb; do dpkg -x "$package" debian; done
LD_LIBRARY_PATH=$(dirname "$(find "$folder/debian" -name 'libaria2.so.0' | head -n 1)")
export LD_LIBRARY_PATH
cat >ask.py <<'END_OF_PYTHON'
import base64, hashlib, http.server, os, re, subprocess, sys, threading

LENGTH, ARRIVED = 2_000_000, 1_000_000
OLD, NEW = b"o" * LENGTH, b"n" * LENGTH
program = os.path.join("debian", "usr", "bin", "aria2c")

class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client):
        pass  # The client has left, as it may.

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        version = self.server.version
        first, last = 0, len(version["body"]) - 1
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked and self.headers.get("If-Range") in (None, version["etag"]):
            first = int(asked[1])
        self.server.asked.append(f"{'Range' if asked else 'all'}{' If-Range' * ('If-Range' in self.headers)}")
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{last}/{last + 1}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", version["etag"])
        self.send_header("Last-Modified", version["date"])
        if version.get("digest"):
            self.send_header(*version["digest"])
        self.end_headers()
        self.wfile.write(version["body"][first:version.get("until", last + 1)])

def digest(name, body):
    value = base64.b64encode(hashlib.sha256(body).digest()).decode()
    return (name, f"SHA-256={value}" if name == "Digest" else f"sha-256=:{value}:")

def run(folder, url, *options):
    return subprocess.run([program, "--no-conf", "--quiet", "--max-tries=1", "--split=1", "--file-allocation=none",
                           "--auto-save-interval=0", f"--dir={folder}", "--out=file", *options, url],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode

def download(name, body, *options, first=None, second=None, control=True):
    folder = name.replace(" ", "-")
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/file"
    server.asked = []
    server.version = {"body": OLD, "etag": '"1"', "date": "Mon, 01 Jun 2026 08:00:00 GMT", "until": ARRIVED,
                      "digest": first and digest(first, OLD)}
    run(folder, url)
    server.version = {"body": body, "etag": '"2"', "date": "Tue, 02 Jun 2026 08:00:00 GMT",
                      "digest": second and digest(second, body)}
    if not control:
        os.remove(os.path.join(folder, "file.aria2"))
    told = []
    for _ in (1, 2):
        server.asked.clear()
        code = run(folder, url, "--continue", *options)
        with open(os.path.join(folder, "file"), "rb") as file:
            found = file.read()
        kind = {OLD[:ARRIVED]: "the half", body: "the new one"}.get(found, "a mixture")
        told.append(f"{kind}, code {code}, asked for {' and '.join(server.asked) or 'nothing'}")
    server.shutdown()
    print(f"{name}: {told[0]}; again: {told[1]}")

print(subprocess.run([program, "--version"], capture_output=True, text=True).stdout.splitlines()[0])
download("same length", NEW)
for option in ("--conditional-get=true", "--remote-time=true", "--always-resume=false", "--allow-overwrite=true"):
    download(f"same length, {option}", NEW, option)
download("longer", NEW + b"n")
download("shorter", NEW[:-1])
download("longer, --allow-overwrite=true", NEW + b"n", "--allow-overwrite=true")
download("no control file", NEW, control=False)
download("Digest in both", NEW, first="Digest", second="Digest")
download("Digest in the first", NEW, first="Digest")
download("Repr-Digest in both", NEW, first="Repr-Digest", second="Repr-Digest")
END_OF_PYTHON
python3 ask.py | tee found
diff - found <<'END_OF_FOUND'
aria2 version 1.36.0
same length: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
same length, --conditional-get=true: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
same length, --remote-time=true: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
same length, --always-resume=false: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
same length, --allow-overwrite=true: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
longer: the half, code 1, asked for all; again: the half, code 1, asked for all
shorter: the half, code 1, asked for all; again: the half, code 1, asked for all
longer, --allow-overwrite=true: the half, code 1, asked for all; again: the half, code 1, asked for all
no control file: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
Digest in both: a mixture, code 32, asked for all and Range; again: the new one, code 0, asked for all
Digest in the first: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
Repr-Digest in both: a mixture, code 0, asked for all and Range; again: a mixture, code 0, asked for all
END_OF_FOUND
