import Foundation

/// What the figures were taken on.
enum Machine {
  static var description: String {
    let process = ProcessInfo.processInfo
    return """
      SQLite \(Floor.sqliteVersion) · \(process.operatingSystemVersionString) · \
      \(process.activeProcessorCount) cores
      """
  }
}
