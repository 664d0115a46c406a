"""What the inspector's page promises: the long form, with every view in every shape."""

import contextlib
import os
import re
import signal
import sqlite3

import samples
from browser import NARROW, WIDE, WITHOUT_MAPS, Forwarding, Writer, chrome, inspector, view
from cases import long

# The part of the window by which what is shown may move while a view is loaded: https://web.dev/articles/cls
MOST_SHIFT = 0.02


def every_view(window):
    """The name and the address of each view of a container."""
    yield "overview", ""
    database = window.item("database", ".sqlite")
    for part in ["", "rows", "schema", "search?match=volume", "query", "live"]:
        yield f"database {part}", f"#/{database}/{part}"
    kinds = {one["kind"]: one["id"] for one in window.overview()["items"]}
    if "timetable" in kinds:
        for part in ["", "journeys", "lines", "realtime"]:
            yield f"timetable {part}", f"#/{kinds['timetable']}/{part}"
    for kind in ["tileset", "packs", "ledger"]:
        if kind in kinds:
            yield kind, f"#/{kinds[kind]}"


def look_at_all(world, address, size, theme, name):
    with view(world.browser, address, name, size=size, theme=theme) as window:
        window.expected.append("status of 4")
        for part, fragment in every_view(window):
            window.show(fragment)
            window.check_shape(f"{name}, {part}")
            window.check_axe(f"{name}, {part}")


@long
def every_view_is_accessible_in_every_shape(world):
    for size in (WIDE, NARROW):
        for theme in ("light", "dark"):
            look_at_all(world, world.address, size, theme, f"{size[0]} pixels, {theme}")


@long
def every_view_bears_names_that_are_meant_to_harm(world):
    for size in (WIDE, NARROW):
        look_at_all(world, world.hostile_address, size, "light", f"hostile names, {size[0]} pixels")


@long
def nothing_moves_while_a_view_is_loaded(world):
    for size in (WIDE, NARROW):
        with view(world.browser, world.address, "layout", size=size) as window:
            window.expected.append("status of 4")
            moved = []
            for part, fragment in every_view(window):
                window.page.goto("about:blank")
                window.page.goto(world.address + fragment)
                window.page.wait_for_selector("main h1")
                window.settle()
                shift, nodes = window.shifts()
                if shift > MOST_SHIFT:
                    moved.append(f"{part}: {shift:.3f} by {nodes}")
            assert not moved, f"{size[0]} pixels: " + "; ".join(moved)
            # A view that does move is found by the same measure.
            window.page.evaluate("() => { document.querySelector('main').style.marginTop = '120px'; }")
            assert window.shifts()[0] > MOST_SHIFT, "what moves is not measured"


@long
def the_tab_key_reaches_everything_and_leaves_it(world):
    with view(world.browser, world.address, "tab key") as window:
        for part, fragment in every_view(window):
            window.show(fragment)
            # From the beginning of the page to its end.
            window.page.locator("#skip").focus()
            seen, last = set(), None
            for _ in range(600):
                window.page.keyboard.press("Tab")
                spot = window.page.evaluate("""() => {
                    const one = document.activeElement;
                    if (!one || one === document.body || one.id === 'skip') return null;
                    window.spots ??= new Map();
                    if (!window.spots.has(one)) window.spots.set(one, window.spots.size);
                    const style = getComputedStyle(one);
                    const around = one.closest('label') ? getComputedStyle(one.closest('label')) : style;
                    return [window.spots.get(one), one.outerHTML.slice(0, 120), style.outlineStyle !== 'none' || around.outlineStyle !== 'none' || one.namespaceURI.endsWith('svg')];
                }""")
                if spot is None:
                    break
                if spot[0] == last:
                    # A field for a time has a stop for each of its parts.
                    continue
                last = spot[0]
                assert spot[0] not in seen, f"{part}: the key stays at {spot[1]}"
                assert spot[2], f"{part}: no outline shows {spot[1]}"
                seen.add(spot[0])
            else:
                raise AssertionError(f"{part}: the key does not come to the end")
            window.page.evaluate("window.spots = undefined")
            assert len(seen) > 8, f"{part}: only {len(seen)} elements are reached"


@long
def a_row_that_is_open_keeps_the_focus_in_it(world):
    with view(world.browser, world.address, "dialog") as window:
        window.show(f"#/{window.item('database', 'books.sqlite')}/rows?table=book")
        window.page.wait_for_selector("table.rows .open")
        window.page.locator("table.rows .open").nth(2).click()
        window.page.wait_for_selector("dialog[open]")
        for _ in range(30):
            window.page.keyboard.press("Tab")
            assert window.page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
        window.page.get_by_role("button", name="Next").last.click()
        window.wait_text("#rowtitle", "4")
        window.page.get_by_role("button", name="Close").click()
        window.until("() => document.activeElement.dataset.row === '3'")
        image = window.page.evaluate("async (path) => (await fetch(path)).headers.get('content-type')",
                                     f"api/database/{window.item('database', 'books.sqlite')}/cell?table=book&column=cover&key=[1]")
        assert image == "image/png", image


@long
def exports_are_the_rows_that_are_shown(world):
    with view(world.browser, world.address, "export") as window:
        database = window.item("database", "books.sqlite")
        window.show(f"#/{database}/rows?table=book&where=title%3Abegins%3AWalden&sort=price&order=desc")
        window.page.wait_for_selector("table.rows tbody tr")
        with window.page.expect_download() as download:
            window.page.get_by_role("link", name="Export these rows as CSV").click()
        with open(download.value.path(), encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
        assert lines[0].startswith("id,title,"), lines[0]
        assert len([line for line in lines if "Walden" in line]) == 30
        assert lines[1].startswith("420,"), lines[1][:40]


@long
def an_export_that_fails_says_why_on_the_page(world):
    folder = os.path.join(world.folder, "exports")
    os.makedirs(folder)
    with contextlib.closing(sqlite3.connect(os.path.join(folder, "odd.sqlite"))) as db:
        db.create_function("own", 1, lambda one: one, deterministic=True)
        db.executescript("""
            CREATE TABLE made (id INTEGER PRIMARY KEY, a, b AS (own(a)));
            INSERT INTO made (a) VALUES (1);
            CREATE TABLE plain (id INTEGER PRIMARY KEY);
            INSERT INTO plain VALUES (1);
        """)
    with inspector(world.tool, folder) as (address, _), view(world.browser, address, "exports") as window:
        window.expected.append("status of 422")
        database = window.item("database")
        window.show(f"#/{database}/rows?table=made")
        window.page.get_by_role("link", name="Export these rows as CSV").click()
        window.wait_text("[role=alert] .lead", "needs what this SQLite does not have")
        window.show(f"#/{database}/query?sql=SELECT+*+FROM+plain", "table.rows")
        with window.page.expect_download() as download:
            window.page.get_by_role("link", name="Export the result as JSON").click()
        with open(download.value.path(), encoding="utf-8") as file:
            assert file.read() == '{"id":1}\n'


@long
def the_theme_follows_the_system(world):
    with view(world.browser, world.address, "theme") as window:
        window.show()
        light = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
        window.page.emulate_media(color_scheme="dark")
        dark = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert light != dark, light


@long
def a_map_is_drawn_in_both_themes(world):
    if not world.has_maps:
        return
    with view(world.browser, world.address, "map") as window:
        window.show(f"#/{window.item('tileset')}", ".map canvas")
        window.until("() => /zoom/.test(document.querySelector('.place')?.textContent)")
        # A feature lies in the middle of this map.
        window.until("""() => {
            [...document.querySelectorAll('button')].find((one) => one.innerText === 'At the middle').click();
            return /stages|pond|paths/.test(document.querySelector('.found').innerText);
        }""")
        window.page.get_by_text("Dark", exact=True).click()
        window.page.get_by_label("Borders of tiles").check()
        window.page.get_by_role("button", name="Check every tile").click()
        window.wait_text("main", "tiles? read")


@long
def a_map_of_the_world_is_not_drawn_below_a_town(world):
    if not world.has_maps:
        return
    with view(world.browser, world.address, "world") as window:
        fragment = f"#/{window.item('timetable', 'transit/port-merrow.db')}"
        window.show(fragment, ".map canvas")
        assert "Map of the app" in window.text(".stage")
        window.page.route(re.compile("api/tileset/[^/]+$"), lambda route: route.fulfill(json={**route.fetch().json(), "maxzoom": 1}))
        window.page.reload()
        window.page.wait_for_selector(".map canvas")
        window.settle()
        assert "Map of the app" not in window.text(".stage")


@long
def a_live_page_shows_who_waits_for_whom(world):
    path = os.path.join(world.library, "live.sqlite")
    with Writer(path) as writer, Writer(path) as reader, view(world.browser, world.address, "lanes") as window:
        window.show(f"#/{window.item('database', 'live.sqlite')}/live")
        window.wait_text("#livestate", "Live")
        reader.write("BEGIN")
        reader.write("SELECT count(*) FROM note")
        for number in range(40):
            writer.write(f"INSERT INTO note (body) VALUES (zeroblob({number} * 100))")
        window.until("() => Number(document.querySelector('#commitsseen .muted').textContent) > 0")
        window.wait_text("main", "READ mark|reads frame")
        reader.write("COMMIT")
        window.page.get_by_role("button", name="Hold the picture").click()
        held = window.page.evaluate("document.querySelector('svg.timeline').innerHTML")
        commits = int(window.text("#commitsseen .muted"))
        writer.write("INSERT INTO note (body) VALUES ('held')")
        window.until("before => Number(document.querySelector('#commitsseen .muted').textContent) > before", commits)
        assert window.page.evaluate("document.querySelector('svg.timeline').innerHTML") == held


@long
def a_server_that_ended_is_told(world):
    home = os.path.join(world.folder, "ended")
    os.makedirs(home)
    samples.books(os.path.join(home, "books.sqlite"))
    with inspector(world.tool, home) as (address, process), view(world.browser, address, "ended") as window:
        window.expected += ["ERR_", "Failed to load"]
        window.show(f"#/{window.item('database')}/query")
        process.send_signal(signal.SIGINT)
        process.wait()
        window.page.get_by_role("button", name="Run").click()
        window.wait_text(".failure", "does not answer")


@long
def an_empty_folder_is_no_failure(world):
    home = os.path.join(world.folder, "empty")
    os.makedirs(home)
    with inspector(world.tool, home) as (address, _), view(world.browser, address, "empty folder", size=NARROW) as window:
        window.show()
        assert "There is no database" in window.text("main")
        window.check_axe("empty folder")


@long
def a_page_without_the_map_engine_works_and_says_why(world):
    for size in (WIDE, NARROW):
        with view(world.browser, world.address, "no map", size=size) as window:
            reason = "MapLibre GL JS was not installed with this tool."
            window.page.route("**/api/overview", lambda route: route.fulfill(
                json={**route.fetch().json(), "map_engine": False, "map_engine_version": None, "map_engine_reason": reason}))
            window.page.route("**/engine/*", lambda route: route.abort())
            window.show()
            assert reason in window.text("main")
            window.show(f"#/{window.item('timetable', 'transit/port-merrow.db')}?stop=CQ&at=2026-07-24T08:00", "table.board tbody tr")
            assert reason in window.text(".stage")
            window.check_shape("departures without a map")
            window.show(f"#/{window.item('tileset')}", "#meta")
            assert reason in window.text(".stage") and "Lantern Fair" in window.text("main")
            window.check_axe("a tileset without a map")
            window.page.get_by_role("button", name="Check every tile").click()
            window.wait_text("main", "tiles? read")


@long
def a_browser_without_webgl_shows_all_but_the_map_and_says_why(world):
    if not world.has_maps:
        return
    with chrome(world.playwright, WITHOUT_MAPS) as browser:
        for size in (WIDE, NARROW):
            with view(browser, world.address, "no WebGL", size=size) as window:
                look_without_a_map(window)


@long
def a_map_that_fails_late_leaves_no_sentence_about_it(world):
    if not world.has_maps:
        return
    with view(world.browser, world.address, "WebGL that ends") as window:
        # The attempt whether there is WebGL succeeds, and that of the map does not.
        window.page.add_init_script("""
            const getContext = HTMLCanvasElement.prototype.getContext;
            let tries = 0;
            HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
              return kind.startsWith('webgl') && tries++ ? null : getContext.call(this, kind, ...more);
            };""")
        window.expected.append("WebGL")
        look_without_a_map(window)


def look_without_a_map(window):
    timetable = f"#/{window.item('timetable', 'transit/port-merrow.db')}"
    sentences = {"": "Choose a stop: type a part of its name.", "/journeys": "type a part of a name."}
    for part in ["", "/journeys", "/lines", "/realtime"]:
        window.show(timetable + part, ".map.without")
        assert "because WebGL is switched off or not available" in window.text(".stage")
        assert sentences.get(part, "") in window.text("main"), window.text("main")
        assert not re.search("(?i)click on the map|being made|point at", window.text("main")), window.text("main")
    window.show(timetable + "?stop=CQ&at=2026-07-24T08:00", "table.board tbody tr")
    window.show(timetable + "/journeys?from=CQ&to=2001&at=2026-07-24T08:00", ".journey")
    window.show(f"#/{window.item('tileset')}", ".map.without")
    assert not re.search("(?i)click|being made|point at|borders of tiles|keyboard|light", window.text("main")), window.text("main")
    window.page.get_by_role("button", name="Check every tile").click()
    window.wait_text("main", "tiles? read")
    window.check_axe("without a map")


@long
def a_hidden_page_closes_its_stream(world):
    hide = """(isHidden) => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    with Writer(os.path.join(world.library, "live.sqlite")) as writer, view(world.browser, world.address, "hidden") as window:
        window.show(f"#/{window.item('database', 'live.sqlite')}/live")
        window.wait_text("#livestate", "Live")
        window.page.evaluate(hide, True)
        window.wait_text("#livestate", "Paused")
        writer.write("INSERT INTO note (body) VALUES ('unseen')")
        window.page.evaluate(hide, False)
        window.wait_text("#livestate", "Live")
        writer.write("INSERT INTO note (body) VALUES ('seen')")
        # The stream is a new one, and what was committed while it was closed is in its first state.
        window.until("() => document.querySelector('#commitsseen .muted').textContent !== '0'")
        assert window.text("#commitsseen .muted") == "1"


@long
def a_page_that_slept_shows_what_is_so_now(world):
    with Writer(os.path.join(world.library, "live.sqlite")) as writer, view(world.browser, world.address, "asleep") as window:
        window.show(f"#/{window.item('database', 'live.sqlite')}/live")
        window.wait_text("#livestate", "Live")
        life = window.context.new_cdp_session(window.page)
        life.send("Page.setWebLifecycleState", {"state": "frozen"})
        for _ in range(300):
            writer.write("INSERT INTO note (body) VALUES ('while it sleeps')")
        writer.write("BEGIN IMMEDIATE")
        life.send("Page.setWebLifecycleState", {"state": "active"})
        window.wait_text(".locksnow", "WAL WRITE")
        window.wait_text("#livestate", "Live")
        writer.write("COMMIT")
        window.until("() => !/WAL WRITE/.test(document.querySelector('.locksnow').innerText)")
        window.until("() => document.querySelector('#commitsseen .muted').textContent !== '0'")


@long
def a_stream_that_is_cut_comes_back_with_what_is_so_now(world):
    with Writer(os.path.join(world.library, "live.sqlite")) as writer, Forwarding(world.address) as port, view(world.browser, port.address, "cut") as window:
        window.expected.append("ERR_")
        window.show(f"#/{window.item('database', 'live.sqlite')}/live")
        for _ in range(2):
            window.wait_text("#livestate", "Live")
            port.cut()
            # What was held when it was lost is not said to be held.
            window.until("""() => /The connection is lost/.test(document.getElementById('livestate').innerText)
                && /Not known/.test(document.querySelector('.locksnow').innerText)""")
            writer.write("BEGIN IMMEDIATE")
            writer.write("INSERT INTO note (body) VALUES ('unheard')")
            window.wait_text(".locksnow", "WAL WRITE")
            window.wait_text("#livestate", "Live")
            writer.write("COMMIT")
            window.until("() => !/WAL WRITE/.test(document.querySelector('.locksnow').innerText)")


@long
def more_live_windows_than_connections_see_every_commit(world):
    # Browsers open six connections for a server; each page alone would keep one.
    with Writer(os.path.join(world.library, "live.sqlite")) as writer, view(world.browser, world.address, "windows") as window:
        fragment = f"#/{window.item('database', 'live.sqlite')}/live"
        window.show(fragment)
        window.wait_text("#livestate", "Live")
        others = [window.context.new_page() for _ in range(7)]
        for page in others:
            page.goto(world.address + fragment)
            page.wait_for_selector("#livestate.ok")
        writer.write("INSERT INTO note (body) VALUES ('seen by all')")
        for page in [window.page, *others]:
            page.wait_for_selector('[aria-labelledby="commitsseen"] tbody tr')
            # And there is a connection left for what they ask.
            assert page.evaluate("async () => (await fetch('api/overview')).status") == 200
        # One that is closed leaves the others what they follow.
        for page in others[:4]:
            page.close()
        writer.write("INSERT INTO note (body) VALUES ('seen by the rest')")
        for page in others[4:]:
            page.wait_for_selector('[aria-labelledby="commitsseen"] tbody tr:nth-child(2)')


@long
def a_fifth_database_is_said_to_be_one_too_many(world):
    with view(world.browser, world.address, "databases") as window:
        window.expected.append("status of 4")
        items = [one["id"] for one in window.overview()["items"] if one["kind"] == "database"][:5]
        others = [window.context.new_page() for _ in items[:4]]
        for page, item in zip(others, items):
            page.goto(f"{world.address}#/{item}/live")
            page.wait_for_selector("#livestate.ok")
        window.show(f"#/{items[4]}/live")
        window.wait_text("#livestate", "four databases already")
        others[0].close()
        window.page.get_by_role("button", name="Connect again").click()
        window.wait_text("#livestate", "Live")


@long
def what_cannot_be_seen_or_read_is_told(world):
    folder = os.path.join(world.folder, "odd")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "odd.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE TABLE "" (id INTEGER PRIMARY KEY, "" TEXT, parent INTEGER REFERENCES "" (id));
            INSERT INTO "" VALUES (1, 'seen', 1);
            CREATE TABLE "  " (id INTEGER PRIMARY KEY);
            CREATE VIEW broken AS SELECT * FROM missing;
        """)
    with inspector(world.tool, path) as (address, _), view(world.browser, address, "odd") as window:
        item = window.item("database")
        window.show(f"#/{item}")
        links = window.page.locator("tbody th a").all_inner_texts()
        assert links[:3] == ["(no name)", "(a name of spaces)", "broken"], links
        window.wait_text("tbody tr:first-child td.number", "^1$")
        window.page.get_by_role("link", name="(no name)", exact=True).first.click()
        window.wait_text("table.rows thead", "no name")
        assert window.text("table.rows tbody tr td:nth-child(3)") == "seen"
        # Sorted by a column without a name.
        window.page.get_by_role("button", name="(no name)").click()
        window.page.wait_for_selector('th[aria-sort="ascending"]:nth-child(3)')
        window.check_axe("no name")
        window.show(f"#/{item}")
        window.page.get_by_role("link", name="broken").click()
        window.wait_text("main .nothing", "cannot read broken: no such table: main.missing")
        # The line of a table that refers to itself is within the picture.
        window.show(f"#/{item}/schema", ".diagram svg a")
        right = window.page.evaluate("(() => { const path = document.querySelector('.diagram .edge'); return path.getBBox().x + path.getBBox().width; })()")
        assert right + 2 < window.page.evaluate("document.querySelector('.diagram svg').width.baseVal.value"), right
