import Foundation
import HoldfastFiles

/// The log lines of the copy of a map, in the words of the app that they come from.
enum MapCacheLog {
  static func noFolder(_ error: FileError) {
    report(.error, "Error creating map cache directory: \(error)")
  }

  static func copied(_ result: InstallReport) {
    guard let generation = result.generation, ![.kept, .failed, .refused].contains(result.action)
    else { return }
    for file in generation.manifest.files where file.kind == .mbtiles {
      report(
        .info, "Successfully copied mbtiles to cache: \(generation.url(of: file).path)")
    }
  }

  static func failed(_ error: any Error, _ offered: PackManifest?) {
    if let offered {
      if offered.files.contains(where: { $0.kind == .mbtiles }), !isRefusal(error) {
        report(.error, "Error copying mbtiles to cache: \(error)")
      }
    } else if (error as? PackError)?.code == .notFound {
      report(.error, "Could not find mbtiles in bundle")
    }
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    (error as? PackError)?.code == .downgrade
  }

  private static func report(_ level: LogEvent.Level, _ line: @autoclosure () -> String) {
    Log.report(level, .packs, line())
  }
}
