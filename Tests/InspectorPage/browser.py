"""The inspector and a browser, as the tests of its page use them."""

import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

# A page is not ready for longer only on a machine that does much else.
PATIENCE = 20_000
WIDE, NARROW = (1440, 900), (390, 844)

# Seen before any code of the page runs.
OBSERVER = """
addEventListener('securitypolicyviolation', (event) => {
  (window.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
window.shift = 0;
window.shifted = [];
window.noteShifts = (entries) => {
  for (const entry of entries.filter((one) => !one.hadRecentInput)) {
    window.shift += entry.value;
    for (const { node } of entry.sources) window.shifted.push((node?.outerHTML ?? node?.nodeName ?? 'gone').slice(0, 80));
  }
};
window.shiftObserver = new PerformanceObserver((list) => window.noteShifts(list.getEntries()));
window.shiftObserver.observe({ type: 'layout-shift', buffered: true });
"""

# The elements that reach beyond the window, where nothing scrolls to them and no ellipsis says that they go on.
CUT = """() => [...document.querySelectorAll('main *, nav *, header *, dialog[open] *')].filter((one) => {
  if (one.closest('svg, .unseen, .map') || one.getBoundingClientRect().right <= innerWidth + 1 || !one.getClientRects().length) return false;
  for (let outer = one; outer && outer !== document.body; outer = outer.parentElement) {
    const style = getComputedStyle(outer);
    if (['auto', 'scroll'].includes(style.overflowX) || style.textOverflow === 'ellipsis' || outer.tagName === 'SELECT') return false;
  }
  return true;
}).slice(0, 3).map((one) => one.outerHTML.slice(0, 200))"""

# The paragraphs of a view's head that have a box, a color or an order of their own, as when a class means two things.
BOXED = """() => [...document.querySelectorAll('main .head p')].filter((one) => {
  const style = getComputedStyle(one);
  return !['block', 'none'].includes(style.display) || style.backgroundColor !== 'rgba(0, 0, 0, 0)' || style.borderStyle !== 'none';
}).map((one) => one.outerHTML.slice(0, 200))"""


def chromium():
    """The path of Chromium; `None` where there is none."""
    return next((path for path in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if path), None)


@contextlib.contextmanager
def inspector(tool, path, environment=None):
    """Runs `holdfast inspect` and gives the address of its page."""
    words = [tool, "inspect", path, "--no-open", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})}) as process:
        try:
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE / 1000)
            line = process.stdout.readline() if ready else b""
            if not line:
                process.kill()
                raise RuntimeError(f"inspect printed no address: {process.stderr.read().decode()}")
            yield json.loads(line)["url"], process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(PATIENCE / 1000)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


WITH_MAPS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WITHOUT_MAPS = ["--disable-gpu", "--disable-3d-apis"]


@contextlib.contextmanager
def engine():
    """Runs what drives browsers."""
    with sync_playwright() as playwright:
        yield playwright


@contextlib.contextmanager
def chrome(playwright, options=WITH_MAPS):
    """Runs Chromium without a window, with WebGL in software or without WebGL."""
    browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", *options])
    try:
        yield browser
    finally:
        browser.close()


class View:
    """A window of the browser that shows the inspector's page, and all that went wrong in it."""

    def __init__(self, browser, address, size=WIDE, theme="light", **options):
        self.address = address
        self.size = size
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce",
                                           accept_downloads=True, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.add_init_script(OBSERVER)
        self.wrongs = []
        self.expected = []
        self.page.on("pageerror", lambda error: self.wrongs.append(f"error: {error}"))
        self.page.on("console", lambda message: self.wrongs.append(f"console: {message.text}") if message.type == "error" else None)
        self.page.on("dialog", lambda dialog: (self.wrongs.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: None if request.url.startswith((address.split("/", 3)[0] + "//" + address.split("/")[2], "blob:", "data:"))
                     else self.wrongs.append(f"request to {request.url}"))

    def overview(self):
        """The server's own list of what there is."""
        return self.page.request.get(self.address + "api/overview").json()

    def item(self, kind, ending=""):
        """The id of an item by its kind and the end of its path."""
        found = [one["id"] for one in self.overview()["items"] if one["kind"] == kind and one["path"].endswith(ending)]
        assert found, f"no {kind} {ending}"
        return found[0]

    def show(self, fragment="", ready="main h1"):
        """Goes to a part of the page, as by a link, and waits until it is there."""
        if self.page.url.split("#")[0] != self.address:
            self.page.goto(self.address + fragment)
        else:
            # The page does nothing where the address stays, and then is there already.
            self.page.evaluate("(to) => { if (location.hash !== to) { delete document.getElementById('main').dataset.shown; location.hash = to; } }", fragment or "#/")
        self.until("() => document.getElementById('main').dataset.shown !== undefined")
        self.page.wait_for_selector(ready)
        self.settle()

    def settle(self):
        """Waits until nothing is being fetched."""
        self.until("() => !document.querySelector('.skeleton') && !document.querySelector('[aria-busy=\"true\"]')")

    def until(self, function, argument=None):
        """Waits until a function in the page answers with something true.

        The browser's own way to wait evaluates a text, which the page's policy forbids.
        """
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(function, argument):
            if time.monotonic() > end:
                raise AssertionError(f"it did not come true: {function} {argument or ''}")
            self.page.wait_for_timeout(20)

    def shifts(self):
        """How much of the window has moved since the page was opened, and what.

        The browser knows it when the next picture is on the screen.
        """
        return self.page.evaluate("""() => new Promise((resolve) => {
          const after = (count) => (count ? requestAnimationFrame(() => after(count - 1)) : setTimeout(() => {
            window.noteShifts(window.shiftObserver.takeRecords());
            resolve([window.shift, window.shifted.slice(0, 4)]);
          }));
          after(3);
        })""")

    def text(self, selector):
        """The text of the first element."""
        return self.page.locator(selector).first.inner_text()

    def wait_text(self, selector, pattern):
        """Waits until an element's text matches a regular expression."""
        self.until("([selector, pattern]) => [...document.querySelectorAll(selector)].some((one) => new RegExp(pattern).test(one.innerText))",
                   [selector, pattern])

    def check_shape(self, name):
        """Asserts that nothing is pushed out of the window, and that nothing ran that came from data."""
        width = self.page.evaluate("document.documentElement.scrollWidth")
        assert width <= self.size[0], f"{name}: {width} pixels wide in a window of {self.size[0]}"
        cut = self.page.evaluate(CUT)
        assert not cut, f"{name}: cut at the right side: {cut}"
        assert self.page.evaluate("window.hostile") is None, f"{name}: a name ran as a script"
        boxed = self.page.evaluate(BOXED)
        assert not boxed, f"{name}: a sentence of the head is laid out like something else: {boxed}"
        scripts = self.page.evaluate("[...document.querySelectorAll('script')].length")
        assert scripts == 1, f"{name}: {scripts} scripts"

    def check_axe(self, name):
        """Asserts that axe finds nothing."""
        results = Axe().run(self.page, options={"resultTypes": ["violations"]})
        found = [f"{one['id']}: {one['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:260]}"
                 for one in results.response["violations"] for node in one["nodes"][:3]]
        assert not found, f"{name}: " + "\n  ".join(found)

    def check_end(self, name):
        """Asserts that nothing went wrong since the window was opened."""
        violations = self.page.evaluate("window.violations ?? []")
        assert not violations, f"{name}: the policy was violated: {violations}"
        wrongs = [wrong for wrong in self.wrongs if not any(re.search(pattern, wrong) for pattern in self.expected)]
        assert not wrongs, f"{name}: {wrongs[:5]}"
        self.check_shape(name)

    def close(self):
        self.context.close()


@contextlib.contextmanager
def view(browser, address, name, **options):
    """A window that is checked and closed in the end."""
    window = View(browser, address, **options)
    try:
        yield window
        window.check_end(name)
    finally:
        window.close()


class Writer:
    """Another process that writes to a database, and ends when it is told to."""

    PROGRAM = """
import ctypes, sqlite3, sys
if sys.argv[2:] and sys.platform == "linux":
    ctypes.CDLL(None).prctl(15, sys.argv[2].encode())
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = wal")
db.execute("SELECT count(*) FROM sqlite_master").fetchall()
print("open", flush=True)
for line in sys.stdin:
    db.execute(line)
    print("done", flush=True)
"""

    def __init__(self, path, *name):
        self.process = subprocess.Popen(["python3", "-c", self.PROGRAM, path, *name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "open\n"

    def write(self, statement):
        self.process.stdin.write(statement + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n", statement

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Forwarding:
    """A port that is forwarded to that of the inspector, as by ssh, and whose connections can be cut."""

    def __init__(self, address):
        scheme, rest = address.split("://")
        host, path = rest.split("/", 1)
        self.target = ("127.0.0.1", int(host.split(":")[1]))
        self.sockets = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"{scheme}://127.0.0.1:{self.listener.getsockname()[1]}/{path}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                ends = self.listener.accept()[0], socket.create_connection(self.target)
                self.sockets += ends
                for source, target in (ends, ends[::-1]):
                    threading.Thread(target=self.forward, args=(source, target), daemon=True).start()

    @staticmethod
    def forward(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def cut(self):
        """Ends all connections at once."""
        sockets, self.sockets = self.sockets, []
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Otherwise a thread would wait for connections for ever.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()


def rows(path, sql):
    """The rows of a statement, read next to the inspector."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()
