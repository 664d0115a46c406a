public import Foundation

/// The folder of the package that contains the tests.
public enum PackageFolder {
  /// The folder that contains `Package.swift`.
  public static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The sample feed of Port Merrow.
  public static let portMerrow = root.appending(path: "Samples/port-merrow")

  /// The folder next to the package with data and documents that cannot be part of it.
  ///
  /// Tests that need one of its files are skipped with a message when it is absent.
  public static let shared = root.appending(path: "../shared").standardizedFileURL
}
