#!/bin/sh
# A download that broke off, and is resumed after the file was replaced by another one of the same length.
# RFC 9110, section 13.1.5: where If-Range does not match, the server ignores Range, and sends the new file as a whole.
#
# Guess: whatever answers with 206 knows If-Range with an ETag; a date may be compared less strictly; an answer with
# bytes of the new file has another validator than one of the old file.
# Found (200 bytes, 100 of which have arrived), of the file servers of Python projects:
# - aiohttp 3.14.5, Tornado 6.6.1, WhiteNoise 6.12.0, Bottle 0.13.4 and Falcon 4.4.0 send the rest of the new file,
#   where they have given an ETag themselves; Twisted 26.10.0, which gives a date alone, does too, and so did CherryPy
#   and Sanic when they were tried.
# - Tornado does so under the strong ETag of the old file, which it remembers; only Last-Modified is another one.
# - Right: Starlette 1.10.0, Werkzeug 3.1.9 and BlackSheep 2.6.4, and Quart when it was tried.
# What follows: a client compares both validators of a 206 with those that it knows, as `Downloader` does.
#
#   usage: findings/resumed-after-a-change.sh     prints what a client has then; ends with 1 if one answer changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
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
python/bin/pip install --quiet --disable-pip-version-check aiohttp==3.14.5 tornado==6.6.1 whitenoise==6.12.0 \
  bottle==0.13.4 falcon==4.4.0 Twisted==26.10.0 starlette==1.10.0 Flask==3.1.3 Werkzeug==3.1.9 blacksheep==2.6.4 \
  uvicorn==0.54.0 waitress==3.0.2
cat >serve.py <<'END'
import asyncio, os, sys
name, port = sys.argv[1], int(sys.argv[2])
files = os.path.abspath(name)

def asgi(app):
    import uvicorn
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")

def wsgi(app):
    import waitress
    waitress.serve(app, host="127.0.0.1", port=port, _quiet=True)

if name == "aiohttp":
    from aiohttp import web
    app = web.Application()
    app.router.add_static("/", files)
    web.run_app(app, host="127.0.0.1", port=port, print=None)
elif name == "Tornado":
    from tornado.web import Application, StaticFileHandler
    async def serve():
        Application([("/(.*)", StaticFileHandler, {"path": files})]).listen(port, "127.0.0.1")
        await asyncio.Event().wait()
    asyncio.run(serve())
elif name == "WhiteNoise":
    from whitenoise import WhiteNoise
    wsgi(WhiteNoise(None, root=files, autorefresh=True))
elif name == "Bottle":
    import bottle
    bottle.route("/<name>")(lambda name: bottle.static_file(name, root=files))
    wsgi(bottle.default_app())
elif name == "Falcon":
    import falcon
    app = falcon.App()
    app.add_static_route("/", files)
    wsgi(app)
elif name == "Twisted":
    from twisted.internet import reactor
    from twisted.web import server, static
    reactor.listenTCP(port, server.Site(static.File(files)), interface="127.0.0.1")
    reactor.run()
elif name == "Starlette":
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles
    asgi(Starlette(routes=[Mount("/", StaticFiles(directory=files))]))
elif name == "Werkzeug":
    from flask import Flask, send_from_directory
    app = Flask("files", static_folder=None)
    app.route("/<name>")(lambda name: send_from_directory(files, name))
    wsgi(app)
else:
    from blacksheep import Application
    app = Application()
    app.serve_files(files, extensions={".bin"})
    asgi(app)
END
cat >ask.py <<'END'
import http.client, os, sys, time
path, port = os.path.join(sys.argv[1], "a.bin"), int(sys.argv[2])

def write(content, seconds):
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.utime(path + ".new", (seconds, seconds))
    os.replace(path + ".new", path)

def ask(**fields):
    for attempt in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", "/a.bin", headers=fields)
            response = connection.getresponse()
            return response, response.read()
        except ConnectionRefusedError:
            time.sleep(0.1)

write(b"a" * 200, 1767222000)
first, data = ask()
assert data == b"a" * 200
name = "ETag" if first.headers["ETag"] else "Last-Modified"
write(b"b" * 200, 1767308400)
second, rest = ask(**{"Range": "bytes=100-", "If-Range": first.headers[name]})
result = rest if second.status == 200 else data[:100] + rest
print(name, "|", second.status, "|", *[
    f"{field} {'changed' if second.headers[field] != first.headers[field] else 'the same'},"
    for field in ("ETag", "Last-Modified") if first.headers[field]],
      {b"b" * 200: "the new file", b"a" * 100 + b"b" * 100: "half of each file"}.get(result, result))
END
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
for name in aiohttp Tornado WhiteNoise Bottle Falcon Twisted Starlette Werkzeug BlackSheep; do
  mkdir "$name"
  port=$(free_port)
  python/bin/python serve.py "$name" "$port" >"$name.log" 2>&1 &
  servers="$servers $!"
  echo "$name: $(python3 ask.py "$name" "$port")"
done >found
cat found
diff - found <<'END'
aiohttp: ETag | 206 | ETag changed, Last-Modified changed, half of each file
Tornado: ETag | 206 | ETag the same, Last-Modified changed, half of each file
WhiteNoise: ETag | 206 | ETag changed, Last-Modified changed, half of each file
Bottle: ETag | 206 | ETag changed, Last-Modified changed, half of each file
Falcon: ETag | 206 | ETag changed, Last-Modified changed, half of each file
Twisted: Last-Modified | 206 | Last-Modified changed, half of each file
Starlette: ETag | 200 | ETag changed, Last-Modified changed, the new file
Werkzeug: ETag | 200 | ETag changed, Last-Modified changed, the new file
BlackSheep: ETag | 200 | ETag changed, Last-Modified changed, the new file
END
