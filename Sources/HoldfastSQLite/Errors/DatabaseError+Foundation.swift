public import Foundation

extension DatabaseError: CustomNSError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "Holdfast.DatabaseError" }

  /// SQLite's extended code.
  public var errorCode: Int { Int(extendedResultCode.rawValue) }

  /// The description of the error as the localized one.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension DatabaseError {
  /// Whether the statement was interrupted, or its transaction aborted by an interruption.
  ///
  /// A suspension interrupts accesses too; ``isDatabaseSuspensionError`` distinguishes it.
  public var isInterruptionError: Bool {
    resultCode == .SQLITE_INTERRUPT || resultCode == .SQLITE_ABORT
  }
}
