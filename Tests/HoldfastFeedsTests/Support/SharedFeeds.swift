import Foundation
import HoldfastTestSupport
import Testing

/// The real feeds next to the package, which are not part of it.
enum SharedFeeds {
  static let root = PackageFolder.shared.appending(path: "data")

  static let arePresent = FileManager.default.fileExists(
    atPath: root.appending(path: "feeds").path(percentEncoded: false))

  static let absence: Comment = "the shared feeds (../shared/data) are absent"

  static func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: directory).path(percentEncoded: false)
    ).filter { $0.hasSuffix(".zip") }.map { "\(directory)/\($0)" }.sorted()
  }

  /// Rows of `stops.txt` and `routes.txt` by feed, counted with Python's `zipfile` and `csv`.
  ///
  /// `nil` without Python.
  static let counts: [String: [String: Int]]? = try? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["python3", "-c", script]
      + (try names(in: "feeds") + names(in: "broken-feeds")).map {
        root.appending(path: $0).path(percentEncoded: false)
      }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let json = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try JSONDecoder().decode([String: [String: Int]].self, from: json)
  }()

  private static let script = """
    import csv, io, json, os, sys, zipfile
    counts = {}
    for path in sys.argv[1:]:
        name = "/".join(path.split("/")[-2:])
        try:
            archive = zipfile.ZipFile(path)
        except zipfile.BadZipFile:
            continue
        counts[name] = {}
        for entry in archive.namelist():
            base = os.path.basename(entry)
            if base in ("stops.txt", "routes.txt") and base not in counts[name]:
                text = archive.read(entry).decode("utf-8-sig", "replace")
                rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
                counts[name][base] = max(0, len(rows) - 1)
    print(json.dumps(counts))
    """
}
