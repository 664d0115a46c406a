public import Foundation

/// The sample data that come with the tool.
public enum HoldfastSamples {
  /// Returns the folder of the invented city of Port Merrow: a GTFS feed of plain text files.
  ///
  /// - Returns: `nil` when the tool's resources do not lie beside it.
  public static func portMerrow() -> URL? {
    // SwiftPM's own accessor ends the process when the folder is missing.
    ["resources", "bundle"].lazy
      .map { Bundle.main.bundleURL.appending(path: "holdfast_HoldfastSamples.\($0)") }
      .compactMap { Bundle(url: $0)?.resourceURL?.appending(path: "port-merrow") }
      .first { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
  }
}
