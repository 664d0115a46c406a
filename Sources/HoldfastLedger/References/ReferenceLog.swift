import Foundation
import HoldfastFiles

/// The log lines of a live reference, word for word as apps and their support know them.
enum ReferenceLog {
  static func foreground(after duration: Duration) -> String {
    let seconds = String(format: "%.2f", duration / .seconds(1))
    return "[RootLayout] App moved to foreground (was backgrounded for \(seconds)s)"
  }

  static let refreshing =
    "[PlayerService] Refreshing file paths after potential container change..."

  static func changed(_ id: RecordID) -> String {
    "[PlayerService] Cover URI changed for \(id), updating track metadata"
  }

  static func old(_ url: URL?) -> String { "  Old: \(text(url))" }

  static func new(_ url: URL?) -> String { "  New: \(text(url))" }

  static let refreshed = "[PlayerService] Track metadata refreshed with new cover URI"

  static let unchanged = "[PlayerService] Cover URI unchanged, no refresh needed"

  private static func text(_ url: URL?) -> String { url?.absoluteString ?? "none" }

  static func report(_ line: @autoclosure () -> String) {
    Log.report(.info, .ledger, line())
  }
}
