import CFloor
import Foundation

/// What reading a feed costs without the library.
enum FeedFloor {
  /// Returns a probe that writes all files of an archive to nowhere.
  static func unzip(_ feed: Lazy<URL>) -> Probe {
    .milliseconds {
      let path = try feed.value.path
      return {
        try Command.run(["sh", "-c", "unzip -p '\(path)' > /dev/null"])
        return { 0 }
      }
    }
  }

  /// Returns a probe that inflates all files of an archive in C.
  static func inflate(_ feed: Lazy<URL>, byISAL: Bool) -> Probe {
    .milliseconds {
      let path = try feed.value.path
      return {
        guard unsafe floor_inflate(path, byISAL) > 0 else {
          throw BenchmarkError.floor("inflate", message: path)
        }
        return { 0 }
      }
    }
  }

  /// Returns a probe that reads all unzipped files as text by DuckDB.
  ///
  /// The time is DuckDB's own, without that of starting Python.
  static func duckDB(_ feed: Lazy<URL>, _ package: Lazy<URL?>) -> Probe {
    let folder = Lazy {
      let url = try feed.value
      let folder = url.deletingPathExtension()
      try Command.run(["unzip", "-q", "-o", url.path, "-d", folder.path])
      return folder
    }
    return Probe { _ in
      let words = try Command.run(
        ["python3", "-c", script, package.value?.path ?? "", folder.value.path])
      guard let time = Double(words.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw BenchmarkError.childFailed(words)
      }
      return Reading(value: time, allocations: nil, proof: 0)
    }
  }

  private static let script = """
    import glob, os, sys, time
    sys.path.insert(0, sys.argv[1])
    import duckdb
    start = time.monotonic()
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    for path in sorted(glob.glob(sys.argv[2] + "/*.txt")):
        name = os.path.basename(path)[:-4]
        connection.execute(
            f"CREATE TABLE {name} AS SELECT * FROM read_csv('{path}', header = true, all_varchar = true)")
    print((time.monotonic() - start) * 1000)
    """

  /// The folder with DuckDB for Python, which pip installs once; `nil` where it cannot be had.
  ///
  /// - Parameter isShort: Whether to do without installing it.
  /// - Returns: The folder.
  static func duckDBPackage(isShort: Bool) -> Lazy<URL?> {
    Lazy {
      let folder = try BenchFolder.url("python")
      let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "duckdb").path)
      if !isThere {
        if isShort { return nil }
        do {
          try Command.run(
            ["python3", "-m", "pip", "install", "--quiet", "--target", folder.path, "duckdb"])
        } catch {
          // The case says that it is skipped.
          return nil
        }
      }
      return folder
    }
  }
}
