#!/bin/sh
# A file that is fetched in pieces of a fixed length: the last range, or the only one of a small file, ends beyond its end.
# RFC 9110, section 14.1.2, has a server answer with the bytes that there are.
#
# Guess: whatever knows ranges does; servers differ in If-Range and in multiple ranges only.
# Found (200 bytes, "bytes=150-500"), of some twenty servers:
# - webfs 1.21: 400 Bad Request. BlackSheep 2.6.4: 416, without Content-Range.
# - Sanic 25.12.1: 206 with the right 50 bytes, and "bytes 150-500/200", a range that the length does not have.
# - CivetWeb 1.15: 206 with 50 bytes, "bytes 150-200/200" and a Content-Length of 51: a client waits for one byte more.
# - Right: Starlette here, and nginx, Apache, lighttpd, Caddy, busybox, aiohttp, Werkzeug, Twisted, Tornado, CherryPy,
#   Bottle, WhiteNoise, Falcon and Robyn when they were tried.
#
#   usage: findings/range-beyond-the-end.sh     prints the answers; ends with 1 if one changes. On Debian 12
set -eu
folder=$(mktemp -d)
servers=
# shellcheck disable=SC2317 # the trap calls it
end() {
  for server in $servers; do kill "$server" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet blacksheep==2.6.4 sanic==25.12.1 starlette==1.10.0 uvicorn==0.54.0
for package in webfs civetweb libcivetweb1; do
  apt-get download --quiet --quiet "$package" 2>/dev/null || { echo "$package is missing" >&2; exit 69; }
  dpkg -x "$package"_*.deb debian
done
mkdir files
head -c 200 /dev/zero >files/a.bin
cat >serve.py <<'END'
import socket, sys
name, port = sys.argv[1], int(sys.argv[2])
if name == "Sanic":
    from sanic import Sanic
    app = Sanic("files")
    app.static("/", "files", use_content_range=True)
    app.run(host="127.0.0.1", port=port, single_process=True, access_log=False, motd=False)
else:
    import uvicorn
    if name == "BlackSheep":
        from blacksheep import Application
        app = Application()
        app.serve_files("files", extensions={".bin"})
    else:
        from starlette.applications import Starlette
        from starlette.routing import Mount
        from starlette.staticfiles import StaticFiles
        app = Starlette(routes=[Mount("/", StaticFiles(directory="files"))])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
END
cat >ask.py <<'END'
import socket, sys, time
port = int(sys.argv[1])
for attempt in range(300):
    try:
        client = socket.create_connection(("127.0.0.1", port), 10)
        break
    except OSError:
        time.sleep(0.1)
client.sendall(b"GET /a.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=150-500\r\nConnection: close\r\n\r\n")
answer = b""
while piece := client.recv(65536):
    answer += piece
head, _, body = answer.partition(b"\r\n\r\n")
lines = head.decode().split("\r\n")
fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
status = lines[0].split()[1]
print(status, *([fields["content-range"], "length", fields["content-length"], "body", len(body)] if status == "206" else []))
END
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
for name in webfs CivetWeb BlackSheep Sanic Starlette; do
  port=$(free_port)
  case $name in
    webfs) debian/usr/bin/webfsd -F -i 127.0.0.1 -p "$port" -r files ;;
    CivetWeb)
      LD_LIBRARY_PATH=$(dirname debian/usr/lib/*/libcivetweb.so.1) \
        debian/usr/bin/civetweb -listening_ports "127.0.0.1:$port" -document_root "$folder/files"
      ;;
    *) python/bin/python serve.py "$name" "$port" ;;
  esac >"$name.log" 2>&1 &
  servers="$servers $!"
  echo "$name: $(python3 ask.py "$port")"
done >found
cat found
diff - found <<'END'
webfs: 400
CivetWeb: 206 bytes 150-200/200 length 51 body 50
BlackSheep: 416
Sanic: 206 bytes 150-500/200 length 50 body 50
Starlette: 206 bytes 150-199/200 length 50 body 50
END
