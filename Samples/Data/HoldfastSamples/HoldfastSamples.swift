private import CSamples
public import Foundation

/// The sample data that is compiled into the tool.
public enum HoldfastSamples {
  /// A version of the pack of the Lantern Fair.
  public enum LanternFair: Int, CaseIterable, Sendable {
    /// The first version.
    case v1_0

    /// A version with another stage, another event and other times.
    case v1_1
  }

  /// Writes the feed of the fictional city of Port Merrow, a GTFS feed of plain text files.
  ///
  /// - Parameter folder: An existing folder; files with the same names are replaced.
  /// - Throws: The file system's error when a file cannot be written.
  public static func writePortMerrow(into folder: URL) throws {
    for index in 0..<holdfast_port_merrow_count() {
      try unsafe write(holdfast_port_merrow(index), into: folder)
    }
  }

  /// Writes the map, the program and the style templates of a fictional festival, from which a pack
  /// is built.
  ///
  /// - Parameters:
  ///   - version: The version of the pack.
  ///   - folder: An existing folder; files with the same names are replaced.
  /// - Throws: The file system's error when a file cannot be written.
  public static func write(_ version: LanternFair, into folder: URL) throws {
    for index in 0..<holdfast_lantern_fair_count() {
      try unsafe write(holdfast_lantern_fair(version.rawValue, index), into: folder)
    }
  }

  private static func write(_ file: holdfast_sample, into folder: URL) throws {
    let name = unsafe String(cString: file.name)
    let content = unsafe Data(bytes: file.bytes, count: file.size)
    try content.write(to: folder.appending(path: name))
  }
}
