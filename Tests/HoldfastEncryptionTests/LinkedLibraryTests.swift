import Foundation
import Testing

@testable import Holdfast

/// The libraries that the process has loaded.
@Suite struct LinkedLibraryTests {
  private static let maps = "/proc/self/maps"

  /// Each of two SQLites would release the locks that the other one has on the same files.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: maps), "only Linux lists them"))
  func theProcessHasOneSQLite() throws {
    // The kernel's file has no length.
    let bytes = try #require(try FileHandle(forReadingAtPath: Self.maps)?.readToEnd())
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let libraries = Set(lines.compactMap { $0.split(separator: "/").last }).filter { name in
      name.hasPrefix("libsqlite3.") || name.hasPrefix("libsqlcipher.")
    }
    #expect(libraries.count == 1, "\(libraries)")
    #expect(libraries.first?.hasPrefix("libsqlcipher.") == Database.canDecrypt, "\(libraries)")
  }
}
