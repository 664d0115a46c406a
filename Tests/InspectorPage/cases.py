"""What the inspector's page promises: the short form, which every run of the tests includes."""

import os
import re

from browser import NARROW, Writer, rows, view

SHORT, LONG = [], []


def short(function):
    """A case of every run."""
    SHORT.append(function)
    return function


def long(function):
    """A case of `make check-long`."""
    LONG.append(function)
    return function


@short
def the_overview_shows_items_and_findings(world):
    with view(world.browser, world.address, "overview") as window:
        window.show()
        for name in ["downloads.sqlite", "books.sqlite", "notes.sqlite", "port-merrow.db", "map.mbtiles"]:
            assert window.page.locator("main .items a", has_text=name).count(), name
        window.check_axe("overview")
        window.page.get_by_role("button", name="Examine").click()
        window.page.wait_for_selector(".finding h3")
        assert "stored path names a file" in window.text(".findings")
        assert "What to do" in window.text(".findings")
        link = window.page.get_by_role("link", name=re.compile("Show the row in")).first
        link.click()
        window.page.wait_for_selector("table.rows tbody tr")
        assert window.page.locator("table.rows tbody tr").count() == 1
        assert "D:downloads/market.m4b" in window.text("table.rows")


@short
def rows_are_filtered_sorted_turned_and_followed(world):
    with view(world.browser, world.address, "rows") as window:
        database = window.item("database", "books.sqlite")
        window.show(f"#/{database}")
        window.wait_text("main td", "^1,260$")
        window.page.get_by_role("link", name="book", exact=True).first.click()
        window.page.wait_for_selector("table.rows tbody tr")
        assert window.page.locator("table.rows tbody tr").count() == 50
        window.wait_text(".tools", "420 rows")
        window.page.get_by_role("button", name="Next").click()
        window.wait_text("table.rows tbody tr:first-child td:nth-child(2)", "^51$")
        window.page.get_by_role("button", name="Previous").click()
        window.wait_text("table.rows tbody tr:first-child td:nth-child(2)", "^1$")
        window.page.get_by_role("button", name="title").click()
        window.wait_text("th[aria-sort=ascending]", "title")
        window.wait_text("table.rows tbody tr:first-child td:nth-child(3)", "^Bleak House$")
        window.page.get_by_role("button", name="title").click()
        window.wait_text("table.rows tbody tr:first-child td:nth-child(3)", "^Walden, volume 9$")
        window.page.get_by_role("button", name="Add a filter").click()
        window.page.get_by_label("Column").select_option("title")
        window.page.get_by_label("Comparison").select_option("contains")
        window.page.get_by_label("Value").fill("Dubliners, volume 3")
        window.page.keyboard.press("Enter")
        window.wait_text(".tools", "^(?!.*420)[\\s\\S]*2 rows")
        # The rows are asked for beside their number, and those of before stay until they are there.
        window.wait_text("table.rows tbody tr:first-child td:nth-child(3)", "^Dubliners, volume 3")
        opener = window.page.locator("table.rows .open").first
        opener.click()
        window.page.wait_for_selector("dialog[open]")
        assert "Virginia" not in window.text("dialog")
        window.wait_text("dialog", "Rows that refer to this one")
        window.wait_text("dialog pre", "position")
        window.check_axe("a row")
        window.page.get_by_role("link", name="Follow to author").click()
        window.wait_text("table.rows tbody tr:first-child", "Virginia Woolf")
        # A number of JSON that JavaScript cannot hold is shown as it is written.
        window.page.locator("table.rows .open").first.click()
        window.wait_text("dialog pre", "9007199254740993")
        window.page.keyboard.press("Escape")
        window.until("() => document.activeElement.className === 'open'")


@short
def schema_search_and_queries_answer(world):
    with view(world.browser, world.address, "queries") as window:
        database = window.item("database", "books.sqlite")
        window.show(f"#/{database}/schema")
        window.page.wait_for_selector(".diagram svg a")
        assert window.page.locator(".diagram svg a").count() == 7
        assert window.page.locator(".diagram .edge").count() == 6
        assert "REFERENCES author" in " ".join(window.page.locator("pre.sql").all_text_contents())
        window.show(f"#/{database}/search")
        window.page.get_by_label("Search for").fill("dalloway volume 2")
        window.wait_text("table.rows", "Mrs Dalloway, volume 2")
        window.show(f"#/{database}/query")
        window.page.get_by_label("A statement that reads").fill("SELECT count(*) AS n FROM book WHERE title LIKE 'W%'")
        window.page.keyboard.press("Control+Enter")
        window.wait_text("table.rows", "30")
        window.wait_text(".plan", "SCAN book|SEARCH book")
        window.expected.append("status of 4")
        window.page.get_by_label("A statement that reads").fill("DELETE FROM book")
        window.page.get_by_role("button", name="Run").click()
        window.page.wait_for_selector(".failure")
        assert rows(os.path.join(world.library, "books.sqlite"), "SELECT count(*) FROM book") == [(420,)]


@short
def commits_of_another_process_appear_as_they_happen(world):
    with Writer(os.path.join(world.library, "live.sqlite")) as writer, view(world.browser, world.address, "live") as window:
        window.page.goto(world.address)
        window.page.wait_for_selector("main h1")
        database = window.item("database", "live.sqlite")
        window.show(f"#/{database}/live")
        window.wait_text("#livestate", "Live")
        for number in range(3):
            writer.write(f"INSERT INTO note (body) VALUES ('{number}')")
            window.until("count => Number(document.querySelector('#commitsseen .muted').textContent) > count", number)
        # A lock that is held is seen while it is held, and not afterwards.
        writer.write("BEGIN IMMEDIATE")
        window.wait_text("table tbody", "WRITE")
        writer.write("COMMIT")
        window.until("() => !/WRITE/.test([...document.querySelectorAll('table tbody')].map((one) => one.innerText).join())")
        assert window.page.locator("svg.timeline .write").count() > 0
        window.check_axe("live")


@short
def a_timetable_answers_on_the_map(world):
    with view(world.browser, world.address, "timetable") as window:
        timetable = window.item("timetable", "transit/port-merrow.db")
        tiles = []
        window.page.on("request", lambda request: tiles.append(request.url) if "/tiles/" in request.url else None)
        window.show(f"#/{timetable}?at=2026-07-24T08:00")
        if world.has_maps:
            # The container has a map of the same place, which is drawn below the lines, and can be put away.
            below = window.page.get_by_label("Map of the app")
            assert below.is_checked()
            assert "© Ground" in window.text(".under")
            while not tiles:
                window.page.wait_for_event("request")
            below.uncheck()
        field = window.page.get_by_role("combobox", name="Stop")
        field.type("quay circ")
        window.page.wait_for_selector("[role=option][aria-selected=true]")
        window.page.keyboard.press("Enter")
        window.page.wait_for_selector("table.board tbody tr")
        assert "Westhaven" in window.text("table.board") and "08:00" in window.text("table.board")
        window.check_axe("departures")
        message = os.path.join(world.root, "Samples", "port-merrow-live", "trip-updates.pb")
        window.show(f"#/{timetable}/realtime", "#message")
        window.page.get_by_label("Message").set_input_files(message)
        window.wait_text("main .card", "is applied")
        window.page.get_by_role("button", name="Remove it").click()
        window.wait_text("main", "No message is applied")
        window.show(f"#/{timetable}/journeys?from=CQ&to=2001&at=2026-07-24T08:00")
        window.wait_text(".journey .times", "08:28")
        window.wait_text(".legs", "Circular Quay")
        if world.has_maps:
            window.page.wait_for_selector(".map canvas")


@short
def packs_and_files_are_told(world):
    with view(world.browser, world.address, "packs") as window:
        window.show(f"#/{window.item('packs')}")
        window.page.wait_for_selector("main table")
        assert "1.1" in window.text("main table") and "Current" in window.text("main table")
        window.page.get_by_role("button", name="Verify all files").click()
        window.wait_text("main table", "whole")
        window.show(f"#/{window.item('ledger')}")
        window.wait_text(".facts", "Absent\\s+1")
        assert "market" in window.text("main")


@short
def names_that_are_meant_to_harm_are_texts(world):
    with view(world.browser, world.hostile_address, "hostile names", size=NARROW, theme="dark") as window:
        window.expected.append("status of 4")
        window.show()
        window.check_shape("overview")
        # A character that turns the direction is written, because a name would look like another.
        assert "\\u{202E}" in window.text("main")
        database = window.item("database", "sqlite")
        for part in ["", "/rows", "/schema", "/search?match=quotes", "/query"]:
            window.show(f"#/{database}{part}")
            window.check_shape(part)
        window.show(f"#/{database}/rows")
        window.page.wait_for_selector("table.rows .open")
        window.page.locator("table.rows .open").first.click()
        window.wait_text("dialog", "script>window")
        window.check_shape("a row")


@short
def the_page_is_used_with_the_keyboard_alone(world):
    with view(world.browser, world.address, "keyboard") as window:
        window.show()
        page = window.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator("#side a", has_text="books.sqlite").focus()
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        page.keyboard.press("Enter")
        window.until("() => document.activeElement.tagName === 'H1' && /books/.test(document.activeElement.innerText)")
        window.settle()
        # From the heading the next links are those of the parts.
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('nav')?.getAttribute('aria-label')") == "Database"
    with view(world.browser, world.address, "menu", size=NARROW) as window:
        window.show()
        button = window.page.get_by_role("button", name="Contents")
        button.focus()
        window.page.keyboard.press("Enter")
        assert button.get_attribute("aria-expanded") == "true"
        window.page.keyboard.press("Escape")
        assert window.page.evaluate("document.activeElement.id") == "menu"
        assert not window.page.locator("#side").is_visible()


@short
def decisions_of_the_page_are_right(world):
    with view(world.browser, world.address, "decisions") as window:
        window.show()

        def value(module, expression):
            return window.page.evaluate("async () => { const { " + expression.split("(")[0].replace("new ", "") + f" }} = await import('./{module}'); return {expression}; }}")

        # A line across the 180th meridian goes the short way, and the rectangle around it is the narrow one.
        assert value("map/positions.js", "unwrapped([[178, -18], [-179, -16]])") == [[178, -18], [181, -16]]
        assert value("map/positions.js", "around([[178, -18], [-179, -16]])") == [[178, -18], [181, -16]]
        assert value("map/positions.js", "around([[-10, 1], [20, 2]])") == [[-10, 1], [20, 2]]
        # Numbers of JSON stay as they were written.
        assert value("lib/json.js", "indented('{\"a\":[1.0,12345678901234567890],\"b\":{}}')") == '{\n  "a": [\n    1.0,\n    12345678901234567890\n  ],\n  "b": {}\n}'
        assert value("lib/json.js", "indented('{')") is None
        # A filter is read as it was written.
        assert value("views/filters.js", "parsed(String.raw`a\\:b\\\\c:eq:x:y`)") == {"column": "a:b\\c", "operator": "eq", "value": "x:y"}
        # Tables that refer to one another in a circle have a place.
        tables = "[{name: 'a', foreign_keys: [{table: 'B'}]}, {name: 'b', foreign_keys: [{table: 'a'}]}, {name: 'c', foreign_keys: [{table: 'c'}, {table: 'a'}]}]"
        assert sorted(value("views/diagram.js", f"levels({tables}).values().toArray()")) == [0, 1, 2]
        # A lock that changed its mode has two spans, and one that is gone has an end.
        lanes = window.page.evaluate("""async () => {
            const { Lanes } = await import('./lib/lanes.js');
            const lanes = new Lanes();
            const lock = (mode) => ({ pid: 1, process: 'p', file: 'f', lock: 'WRITE', mode });
            lanes.note([lock('write, waiting')], 10);
            lanes.note([lock('write')], 20);
            lanes.note([lock('write')], 25);
            lanes.note([], 30);
            return [...lanes.lanes.values()].map((lane) => lane.spans);
        }""")
        assert lanes == [[{"start": 10, "end": 20, "mode": "write, waiting"}, {"start": 20, "end": 30, "mode": "write"}]]
        # A text that cannot be read on a route's color gets another.
        assert value("lib/line.js", "colorsOf({route_color: 'FFFF00', route_text_color: 'FFFFFF'})")["ink"] == "rgb(0 0 0)"
