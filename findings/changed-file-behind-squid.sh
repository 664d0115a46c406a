#!/bin/sh
# A download is resumed after the file has changed, and Squid has the new one: its answer is "200 OK" with as many bytes
# as the file has, which are not the file.
#
# Guess: where If-Range names another version, Range counts as absent, and the answer is that of a request without both
# (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5).
# Found (Squid 5.7 of Debian 12 before one server, cache in memory, as it is by default), of a text of 19,439 bytes:
# - Where the range begins in the first 4,096 bytes, the answer lacks as many bytes as stand before it, and has as many
#   twice: "bytes=100-" gives 100 to 4096, and then 3997 to the end. The status is 200, and Content-Length and ETag are
#   those of the new file, so that nothing but a digest tells the difference.
# - From 4,096 on, and from 0, the answer is the file. So it is until Squid has the file, and without If-Range.
# - A range behind the end is 200 and the file, too, where RFC 9110 has 416.
# What follows: `Downloader` compares a digest where the manifest has one; a server of downloads states it.
#
#   usage: findings/changed-file-behind-squid.sh     prints what arrives; ends with 1 if it changes
set -eu
PATH=$PATH:/usr/sbin
for tool in python3 squid; do command -v $tool >/dev/null || { echo "$tool is missing" >&2; exit 69; }; done
folder=$(mktemp -d)
servers=
# shellcheck disable=SC2317 # the trap calls it
end() {
  for server in $servers; do kill "$server" 2>/dev/null || true; done
  for server in $servers; do wait "$server" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
chmod 777 .
cat >serve.py <<'END_OF_PYTHON'
import http.server, sys

TEXT = "\n".join(map(str, range(4110))).encode()[:20000]

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        for name, value in {"ETag": '"new"', "Cache-Control": "max-age=600", "Accept-Ranges": "bytes",
                            "Content-Length": str(len(TEXT))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(TEXT)

    def log_message(self, *arguments):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END_OF_PYTHON
cat >ask.py <<'END_OF_PYTHON'
import http.client, sys, time
from serve_text import TEXT

def ask(**fields):
    for attempt in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
            connection.request("GET", "/a.txt", headers={name.replace("_", "-"): text for name, text in fields.items()})
            response = connection.getresponse()
            content = response.read()
            if response.status < 500:
                return response, content
        except ConnectionRefusedError:
            pass
        time.sleep(0.1)

def pieces(content):
    found = []
    while content:
        first, length = TEXT.find(content[:40]), 0
        if first < 0:
            return " and ".join(found + [f"{len(content)} others"])
        while length < min(len(content), len(TEXT) - first) and content[length] == TEXT[first + length]:
            length += 1
        found.append(f"{first} to {first + length - 1}")
        content = content[length:]
    return " and ".join(found)

def show(name, **fields):
    response, content = ask(**fields)
    kept = "from its memory" if "HIT" in response.headers["X-Cache"] else "from the server"
    print(f"{name}: {response.status}, {response.headers['ETag']}, {kept}, {len(content)} bytes: {pieces(content)}")

show("the first one, from 100, another version", Range="bytes=100-", If_Range='"old"')
show("whole", Accept="*/*")
for first in (0, 1, 100, 3000, 4096, 10000):
    show(f"from {first}, another version", Range=f"bytes={first}-", If_Range='"old"')
show("from 100, this version", Range="bytes=100-", If_Range='"new"')
show("from 100", Range="bytes=100-")
show("from 19439", Range="bytes=19439-")
END_OF_PYTHON
sed -n '/^TEXT/p' serve.py >serve_text.py
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
origin=$(free_port)
proxy=$(free_port)
cat >squid.conf <<END_OF_SETTINGS
http_port 127.0.0.1:$proxy accel defaultsite=a.example
cache_peer 127.0.0.1 parent $origin 0 no-query no-digest no-netdb-exchange originserver
http_access allow all
access_log none
cache_log $folder/squid.log
pid_filename $folder/squid.pid
coredump_dir $folder
cache_effective_user nobody
shutdown_lifetime 0 seconds
pinger_enable off
END_OF_SETTINGS
python3 serve.py "$origin" &
servers="$servers $!"
squid -N -n "find$proxy" -f squid.conf 2>squid.err &
servers="$servers $!"
{
  squid -v | sed -n '1s/Cache: Version //p'
  python3 ask.py "$proxy"
} >found
cat found
diff - found <<'END_OF_FOUND'
Squid 5.7
the first one, from 100, another version: 200, "new", from the server, 19439 bytes: 0 to 19438
whole: 200, "new", from its memory, 19439 bytes: 0 to 19438
from 0, another version: 200, "new", from its memory, 19439 bytes: 0 to 19438
from 1, another version: 200, "new", from its memory, 19439 bytes: 1 to 4095 and 4095 to 19438
from 100, another version: 200, "new", from its memory, 19439 bytes: 100 to 4096 and 3997 to 19438
from 3000, another version: 200, "new", from its memory, 19439 bytes: 3000 to 4095 and 1096 to 19438
from 4096, another version: 200, "new", from its memory, 19439 bytes: 0 to 19438
from 10000, another version: 200, "new", from its memory, 19439 bytes: 0 to 19438
from 100, this version: 206, "new", from its memory, 19339 bytes: 100 to 19438
from 100: 206, "new", from its memory, 19339 bytes: 100 to 19438
from 19439: 200, "new", from its memory, 19439 bytes: 0 to 19438
END_OF_FOUND
