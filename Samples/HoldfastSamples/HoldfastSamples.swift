private import CSamples
public import Foundation

/// The sample data that is compiled into the tool.
public enum HoldfastSamples {
  /// Writes the feed of the fictional city of Port Merrow, a GTFS feed of plain text files.
  ///
  /// - Parameter folder: An existing folder; files with the same names are replaced.
  /// - Throws: The file system's error when a file cannot be written.
  public static func writePortMerrow(into folder: URL) throws {
    for index in 0..<holdfast_port_merrow_count() {
      let file = unsafe holdfast_port_merrow(index)
      let name = unsafe String(cString: file.name)
      let content = unsafe Data(bytes: file.bytes, count: file.size)
      try content.write(to: folder.appending(path: name))
    }
  }
}
