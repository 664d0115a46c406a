import HoldfastFiles

/// The log lines of the repair of an item, in the words of the app that they come from.
enum DownloadServiceLog {
  static func begin(_ item: String) {
    report("[DownloadService] Repairing download status for \(item)...")
  }

  static func missing(_ file: String, storedAt text: String) {
    report("[DownloadService] File marked as downloaded but missing at stored path: \(file)")
    report("  Stored path: \(text)")
  }

  static func found(_ file: String, at url: String) {
    report("  ✓ Found file at expected path: \(url)")
    report("  Updating database with corrected path...")
  }

  static func repaired(_ file: String) {
    report("  ✓ Repaired download path for \(file)")
  }

  static func cleared(_ expected: String) {
    report("  ✗ File not found at expected path either: \(expected)")
    report("  File may have been deleted by iOS to free storage space")
    report("  Clearing download status...")
  }

  static func end(_ item: String, repaired count: Int) {
    report(
      count > 0
        ? "[DownloadService] Repaired \(count) file(s) for library item \(item)"
        : "[DownloadService] No repairs needed for library item \(item)")
  }

  private static func report(_ line: @autoclosure () -> String) {
    Log.report(.info, .ledger, line())
  }
}
