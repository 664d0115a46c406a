import Foundation

/// The machine on which the figures were measured.
enum Machine {
  static var description: String {
    let process = ProcessInfo.processInfo
    return """
      SQLite \(Floor.sqliteVersion) · \(process.operatingSystemVersionString) · \
      \(process.activeProcessorCount) cores
      """
  }
}
