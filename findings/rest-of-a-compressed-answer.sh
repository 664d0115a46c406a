#!/bin/sh
# A compressed download that broke off, and is resumed where it ended, at servers that compress what they send.
# RFC 9110, section 14.2, has a range select bytes of what is sent, the compressed ones.
#
# Guess: a server sends the rest of what it compressed, as Apache 2.4 does, or all of it again, or the rest as it is
# without Content-Encoding; a validator that is still right stands for the same bytes.
# Found (a text of 19,439 bytes, of whose compressed ones 500 have arrived, "bytes=500-" with If-Range):
# - Tornado 6.6.1, Twisted 26.10.0 and CherryPy 18.10.0 cut first and compress then: 206 with "Content-Encoding: gzip",
#   the Content-Range of the file, and from Tornado the same strong ETag. The two pieces together cannot be decoded.
# - Starlette 1.10.0 sends the rest as it is, and calls it and the compressed whole by the same strong ETag.
# - Right: Flask-Compress 1.25, whose compressed answers have another ETag, sends the whole; so did nginx 1.22 and
#   lighttpd 1.4.69, and Apache the rest, when they were tried.
# What follows: `Downloader` asks for no encoding, and refuses an answer with one. Where a system library asks for gzip
# by itself, a request with a range sets Accept-Encoding.
#
#   usage: findings/rest-of-a-compressed-answer.sh     prints the answers; ends with 1 if one changes
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
python/bin/pip install --quiet --disable-pip-version-check tornado==6.6.1 Twisted==26.10.0 CherryPy==18.10.0 \
  starlette==1.10.0 uvicorn==0.54.0 Flask==3.1.3 Flask-Compress==1.25 waitress==3.0.2
mkdir files
python3 -c 'print(*range(4110), sep="\n", end="")' | head -c 20000 >files/a.txt
cat >serve.py <<'END'
import asyncio, os, sys
name, port = sys.argv[1], int(sys.argv[2])
files = os.path.abspath("files")
if name == "Tornado":
    from tornado.web import Application, StaticFileHandler
    async def serve():
        Application([("/(.*)", StaticFileHandler, {"path": files})], compress_response=True).listen(port, "127.0.0.1")
        await asyncio.Event().wait()
    asyncio.run(serve())
elif name == "Twisted":
    from twisted.internet import reactor
    from twisted.web import resource, server, static
    class Root(resource.Resource):
        def getChild(self, path, request):
            file = static.File(os.path.join(files, path.decode()))
            return resource.EncodingResourceWrapper(file, [server.GzipEncoderFactory()])
    reactor.listenTCP(port, server.Site(Root()), interface="127.0.0.1")
    reactor.run()
elif name == "CherryPy":
    import cherrypy
    cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": port, "environment": "embedded"})
    cherrypy.tree.mount(None, "/", {"/": {
        "tools.staticdir.on": True, "tools.staticdir.dir": files, "tools.gzip.on": True}})
    cherrypy.engine.start()
    cherrypy.engine.block()
elif name == "Starlette":
    import uvicorn
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles
    app = Starlette(routes=[Mount("/", StaticFiles(directory=files))], middleware=[Middleware(GZipMiddleware)])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
else:
    import waitress
    from flask import Flask, send_from_directory
    from flask_compress import Compress
    app = Flask("files", static_folder=None)
    app.config["COMPRESS_STREAMS"] = True
    Compress(app)
    app.route("/<name>")(lambda name: send_from_directory(files, name))
    waitress.serve(app, host="127.0.0.1", port=port, _quiet=True)
END
cat >ask.py <<'END'
import http.client, sys, time, zlib
port = int(sys.argv[1])
with open("files/a.txt", "rb") as file:
    whole = file.read()

def ask(**fields):
    for attempt in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            fields = {name.replace("_", "-"): value for name, value in fields.items()}
            connection.request("GET", "/a.txt", headers={"Accept-Encoding": "gzip", **fields})
            response = connection.getresponse()
            return response, response.read()
        except ConnectionRefusedError:
            time.sleep(0.1)

def text(data):
    try:
        return zlib.decompress(data, 31)
    except zlib.error:
        return None

first, data = ask()
assert first.headers["Content-Encoding"] == "gzip" and text(data) == whole
validator = first.headers["ETag"] or first.headers["Last-Modified"]
second, rest = ask(Range="bytes=500-", If_Range=validator)
content = text(rest) if second.headers["Content-Encoding"] == "gzip" else rest
print(second.status, second.headers["Content-Range"], "encoding:", second.headers["Content-Encoding"],
      "| same ETag:", second.headers["ETag"] and second.headers["ETag"] == first.headers["ETag"],
      "| it is", "the whole" if content == whole else "the file's rest" if content == whole[500:] else "something else",
      "| joined:", "whole" if second.status == 200 or text(data[:500] + rest) == whole else "broken")
END
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
for name in Tornado Twisted CherryPy Starlette Flask-Compress; do
  port=$(free_port)
  python/bin/python serve.py "$name" "$port" >"$name.log" 2>&1 &
  servers="$servers $!"
  echo "$name: $(python3 ask.py "$port")"
done >found
cat found
diff - found <<'END'
Tornado: 206 bytes 500-19438/19439 encoding: gzip | same ETag: True | it is the file's rest | joined: broken
Twisted: 206 bytes 500-19438/19439 encoding: gzip | same ETag: None | it is the file's rest | joined: broken
CherryPy: 206 bytes 500-19438/19439 encoding: gzip | same ETag: None | it is the file's rest | joined: broken
Starlette: 206 bytes 500-19438/19439 encoding: None | same ETag: True | it is the file's rest | joined: broken
Flask-Compress: 200 None encoding: gzip | same ETag: True | it is the whole | joined: whole
END
