public import Foundation

/// The replacement of a file in one step: write to a staging file, sync, rename, sync the
/// directory.
///
/// It is *atomic* and *durable*: after a crash at any moment the destination is the complete old
/// file or the complete new one. Two processes or threads cannot replace one file at once. The next
/// replacement of the same file removes what a killed process left next to it: `.<name>.staging`
/// with its SQLite sidecars, and `.<name>.lock`.
///
/// ```swift
/// try AtomicReplace(at: url).write { staging in
///   try build(databaseAt: staging)
/// } verify: { staging in
///   try check(databaseAt: staging)
/// }
/// ```
///
/// A process that has the old file open keeps reading the old file. A symbolic link at the
/// destination is replaced, not followed. The new file gets the permissions of the old one and, if
/// the process may change them, its owner and its group; until then it has those that it was
/// created with.
///
/// - Important: Do not replace a database that is open: SQLite would apply the old file's journals
///   to the new one. A `-wal` or `-journal` with content is refused; an open database without one
///   cannot be detected. Give new content a new name instead.
/// - SeeAlso: https://sqlite.org/howtocorrupt.html, sections 1.4 and 2.4.
public struct AtomicReplace: Sendable {
  /// The file to replace or create.
  public let destination: URL

  /// The time to wait, blocking this thread, while another process replaces the same file.
  public var waitLimit: Duration

  /// The attributes of the new file; `nil` keeps the replaced file's attributes.
  public var attributes: FileAttributes?

  /// Whether the name of a file that is kept next to a database is refused; true by default.
  ///
  /// SQLite keeps `app.db-wal`, `app.db-shm` and `app.db-journal` next to a database `app.db`, and
  /// this package `app.db-signal`. Replacing one of them loses committed changes, even while the
  /// database is not open. So a destination is refused when its name without such an ending is the
  /// name of an existing file. Set this to false only for a plain file next to another plain file,
  /// such as `notes-journal` next to `notes`.
  ///
  /// - SeeAlso: <https://sqlite.org/tempfiles.html>
  public var refusesDatabaseCompanions = true

  /// Prepares to replace a file, without changing anything yet.
  ///
  /// - Parameters:
  ///   - destination: The file, in an existing folder.
  ///   - waitLimit: How long to wait while another process replaces the same file; zero by default,
  ///     because that process may install the same content.
  ///   - attributes: The attributes of the new file; `nil` keeps the replaced file's attributes.
  public init(
    at destination: URL, waitingUpTo waitLimit: Duration = .zero,
    attributes: FileAttributes? = nil
  ) {
    self.destination = destination
    self.waitLimit = waitLimit
    self.attributes = attributes
  }

  /// Replaces the destination with a file that `body` writes.
  ///
  /// Nothing is left next to the destination after success or after an error.
  ///
  /// - Parameters:
  ///   - body: Creates the file at the URL that it is passed; no file exists there before. It may
  ///     create SQLite sidecars of it and must close every connection before it returns.
  ///   - verify: Throws if the written file is not valid.
  /// - Returns: The return value of `body`.
  /// - Throws: ``FileError``: `.busy` when another replacement of the file does not end within the
  ///   limit;
  ///   `.companion` when the destination is a file that is kept next to a database
  ///   (``refusesDatabaseCompanions``);
  ///   `.sidecarPresent` when there is a `-wal` or `-journal` with content next to the destination,
  ///   or any sidecar with content next to the new file when `body` has returned; `.notFound` when
  ///   the folder is missing or `body` created no file; `.notRegularFile` when either is not a
  ///   plain file; `.unsupported` when the volume cannot keep the attributes; `.noSpace`,
  ///   `.accessDenied`, `.readOnly`, `.invalidPath`, `.inputOutput`. Whatever `body` and `verify`
  ///   throw. After each of these the destination is as it was. After `.notDurable` the new file is
  ///   in place, but a power loss may bring the old one back.
  @discardableResult
  public func write<Result>(
    _ body: (URL) throws -> Result, verify: (URL) throws -> Void = { _ in }
  ) throws -> Result {
    let steps = ReplacementSteps(
      target: try FilePath(of: destination), refusesCompanions: refusesDatabaseCompanions)
    let lock = try FileLock(steps.lockFile, guarding: steps.target, waitingUpTo: waitLimit)
    return try perform(steps, holding: lock, body, verify)
  }

  /// Replaces the destination without a lock, which a suspended process must not hold: of several
  /// replacements at once the last one counts.
  ///
  /// The staging file has a name of its own. What a killed process left is removed after an hour, by
  /// a later replacement.
  ///
  /// - Parameter body: Creates the file at the URL that it is passed.
  /// - Returns: The return value of `body`.
  /// - Throws: As ``write(_:verify:)`` does, but not `.busy`.
  package func writeWithoutLock<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let steps = ReplacementSteps(
      target: try FilePath(of: destination), refusesCompanions: refusesDatabaseCompanions,
      stagingSuffix: "-" + UUID().uuidString)
    steps.removeOldLeftovers()
    return try perform(steps, body) { _ in }
  }

  private func perform<Result>(
    _ steps: ReplacementSteps, holding lock: borrowing FileLock,
    _ body: (URL) throws -> Result, _ verify: (URL) throws -> Void
  ) throws -> Result {
    try perform(steps, body, verify)
  }

  private func perform<Result>(
    _ steps: ReplacementSteps, _ body: (URL) throws -> Result, _ verify: (URL) throws -> Void
  ) throws -> Result {
    try steps.refuseUnsafeTarget()
    try steps.removeLeftovers()
    do {
      let result = try body(steps.staging.url)
      try verify(steps.staging.url)
      try steps.refuseUnfinishedStaging()
      try (attributes ?? steps.attributesOfTarget())?.set(on: steps.staging)
      try steps.syncStaging()
      // Checked again, because `body` may have taken long.
      try steps.refuseUnsafeTarget()
      try steps.switchOver()
      try steps.syncDirectory()
      return result
    } catch {
      // The first error is the one to report; what cannot be removed now is removed next time.
      try? steps.removeLeftovers()
      throw error
    }
  }
}
