import Foundation

/// A comparison of two feeds by Python's `csv`, which shares no code with the library.
///
/// The rows of each file are compared as sets, because GTFS gives them no order, and so are the
/// columns. Two rows are equal when their values are, in these forms:
///
/// - A time has two digits for hours or more, a date no separators, a color no `#`; an integer and a
///   decimal number are compared as numbers. This concerns the files that an import reads into tables
///   of its own; the values of all others are compared as they are.
/// - A blank `location_type` is 0, and a blank `agency_id` of a route is that of the only agency.
/// - A value, and a reference of a stop or a route, that an import leaves out with a warning is blank.
enum FeedComparison {
  struct Result: Decodable {
    /// The rows of a file of the first feed that the second one lacks.
    var missing: [String: Int]
    /// Some rows of the second feed that the first one lacks, and other differences.
    var differences: [String]
  }

  static let isPossible = (try? run("print(1)", [])) == Data("1\n".utf8)

  static func compare(_ original: URL, _ exported: URL) throws -> Result {
    try JSONDecoder().decode(
      Result.self, from: run(script, [original.path, exported.path]))
  }

  private static func run(_ script: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return data
  }

  private static let script = #"""
    import csv, io, json, os, re, sys, zipfile
    from collections import Counter
    csv.field_size_limit(1 << 27)
    CHOICES = dict(wheelchair_boarding=2, location_type=4, direction_id=1, wheelchair_accessible=2,
      bikes_allowed=2, pickup_type=3, drop_off_type=3, continuous_pickup=3, continuous_drop_off=3,
      timepoint=1, exact_times=1)
    COMPACT = dict(
      stops="wheelchair_boarding location_type", routes="continuous_pickup continuous_drop_off",
      trips="direction_id wheelchair_accessible bikes_allowed", frequencies="exact_times",
      stop_times="pickup_type drop_off_type continuous_pickup continuous_drop_off timepoint",
      agency="", calendar="", calendar_dates="", shapes="")
    INTEGERS = set("route_type route_sort_order stop_sequence headway_secs exception_type monday "
      "tuesday wednesday thursday friday saturday sunday shape_pt_sequence".split())
    DECIMALS = set("stop_lat stop_lon shape_pt_lat shape_pt_lon shape_dist_traveled".split())
    TIMES = set("arrival_time departure_time start_time end_time".split())
    DATES = set("date start_date end_date".split())

    def value(table, column, text):
        text = text.strip(" \t\v\f")
        if table not in COMPACT or text == "":
            return text
        if column in COMPACT[table].split():
            found = int(text) if re.fullmatch(r"[+-]?\d+", text) else -1
            return str(found) if 0 <= found <= CHOICES[column] else ""
        if column in INTEGERS:
            return str(int(text)) if re.fullmatch(r"[+-]?\d+", text) else text
        if column in DECIMALS:
            return repr(float(text) + 0.0) if re.fullmatch(r"[-+.eE0-9]+", text) else ""
        if column in TIMES:
            parts = re.fullmatch(r"(\d{1,4}):([0-5]\d):([0-5]\d)", text)
            return "%02d:%s:%s" % (int(parts[1]), parts[2], parts[3]) if parts else ""
        if column in DATES:
            return re.sub(r"[-/.]", "", text)
        if column in ("route_color", "route_text_color"):
            bare = text.lstrip("#")
            return bare if re.fullmatch(r"[0-9A-Fa-f]{6}", bare) else ""
        return text

    def feed(path):
        archive = zipfile.ZipFile(path)
        names = [n for n in archive.namelist() if "__MACOSX" not in n and "._" not in n]
        folder = os.path.dirname(next(n for n in names if os.path.basename(n) == "stops.txt"))
        tables = {}
        for name in names:
            if os.path.dirname(name) != folder or not name.lower().endswith(".txt"):
                continue
            table = os.path.basename(name)[:-4]
            text = archive.read(name).decode("utf-8-sig", "replace")
            records = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
            header = [cell.strip() for cell in next(records, [])]
            rows = []
            for record in records:
                row = {}
                for column, cell in zip(header, record):
                    text = value(table, column, cell)
                    if column and text and column not in row:
                        row[column] = text
                if any(cell.strip() for cell in record):
                    rows.append(row)
            tables[table] = rows
        return tables

    def complete(tables):
        agencies = [row.get("agency_id", "") for row in tables.get("agency", [])]
        stops = {row.get("stop_id") for row in tables["stops"]}
        for row in tables["routes"]:
            if row.get("agency_id") not in agencies:
                row.pop("agency_id", None)
            if "agency_id" not in row and len(agencies) == 1 and agencies[0]:
                row["agency_id"] = agencies[0]
        for row in tables["stops"]:
            row.setdefault("location_type", "0")
            if row.get("parent_station") not in stops:
                row.pop("parent_station", None)

    one, other = feed(sys.argv[1]), feed(sys.argv[2])
    complete(one), complete(other)
    missing, differences = {}, []
    for table in sorted(set(one) | set(other)):
        left, right = (Counter(frozenset(row.items()) for row in feed.get(table, []))
          for feed in (one, other))
        lost, new = left - right, right - left
        missing[table + ".txt"] = sum(lost.values())
        for row in list(new)[:2]:
            differences.append("%s has %s" % (table, dict(row)))
        if new:
            for row in list(lost)[:2]:
                differences.append("%s had %s" % (table, dict(row)))
    print(json.dumps(dict(missing=missing, differences=differences)))
    """#
}
