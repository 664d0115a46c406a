import Foundation

/// The key that every connection has in a run of the tests with encrypted databases, `make test CIPHER=1`.
///
/// `CFaults` gives it to each connection of this process, and a library to those of other programs.
public enum ConnectionKeys {
  /// A Boolean value that indicates whether all databases are encrypted.
  public static let areUsed = library != nil

  /// The library to load into other programs that use SQLite.
  private static let library = ProcessInfo.processInfo.environment["HOLDFAST_TEST_KEY"]

  /// The program to use for one that is asked for: the tool runs with no other SQLite than its own.
  static func program(_ program: SQLProcess.Program) -> SQLProcess.Program {
    areUsed ? .python : program
  }

  /// The environment for a program that opens the databases of the tests.
  public static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    if let library { environment["LD_PRELOAD"] = library }
    return environment
  }
}
