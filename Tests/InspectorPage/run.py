"""Runs the tests of the inspector's page, and prints a line of JSON for each.

usage: run.py TOOL [--long] [--only NAME]
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass

import cases
import more_cases  # noqa: F401, which adds cases
import samples
from browser import chrome, engine, inspector


@dataclass
class World:
    """What all cases share."""

    tool: str
    root: str
    folder: str
    library: str
    playwright: object
    browser: object
    address: str
    hostile_address: str
    has_maps: bool = False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="holdfast-page-")
    failures = 0
    try:
        home = samples.container(options.tool, folder)
        samples.image_tileset(os.path.join(home, "Library", "Application Support", "transit", "ground.mbtiles"), 8, (172.965, -43.805),
                              name="Ground", attribution="© <b>Ground</b>")
        hostile = samples.hostile_container(options.tool, folder)
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with inspector(options.tool, home) as (address, _), inspector(options.tool, hostile) as (hostile_address, _), engine() as playwright, chrome(playwright) as browser:
            world = World(options.tool, root, folder, os.path.join(home, "Library", "Application Support"), playwright, browser, address, hostile_address)
            context = browser.new_context()
            world.has_maps = context.request.get(address + "api/overview").json()["map_engine"]
            context.close()
            for case in cases.SHORT + (cases.LONG if options.long else []):
                if not re.search(options.only, case.__name__):
                    continue
                start = time.monotonic()
                message = None
                try:
                    case(world)
                except Exception as error:  # pylint: disable=broad-except
                    place = traceback.extract_tb(error.__traceback__)
                    line = next((frame for frame in reversed(place) if "cases" in frame.filename), place[-1])
                    message = f"line {line.lineno} of {os.path.basename(line.filename)}: {str(error) or repr(error)}"[:4000]
                    failures += 1
                print(json.dumps({"name": case.__name__, "failure": message, "seconds": round(time.monotonic() - start, 1)}), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failures else 0)


main()
