/// An error of the file system, or the reason why a path or a file was refused.
///
/// ```swift
/// do {
///   try AtomicReplace(at: url).copy(from: download)
/// } catch let error as FileError where error.code == .noSpace {
///   show(error.message, error.advice)
/// }
/// ```
public struct FileError: Error, Sendable {
  /// The kind of the error.
  public var code: Code

  /// A sentence that says what happened, to which file, and why.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String?

  /// The file concerned, as an absolute path, or the text that was refused as a path.
  public var path: String

  /// The system's error number, when the system refused.
  public var errno: Int32?

  /// The cause, when it was another error.
  public var underlying: (any Error)?

  /// The kinds of errors.
  ///
  /// More may be added, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidPath, outsideRoot, notFound, busy, noSpace, accessDenied, readOnly
      case sidecarPresent, companion, digestMismatch, notRegularFile, database, unsupported,
        notDurable, inputOutput
    }

    private var kind: Kind

    /// A text is not a path of the required form.
    public static let invalidPath = Code(kind: .invalidPath)
    /// A path leaves its root, or lies in no root.
    public static let outsideRoot = Code(kind: .outsideRoot)
    /// A file or a folder does not exist.
    public static let notFound = Code(kind: .notFound)
    /// Another process or another thread holds the lock.
    public static let busy = Code(kind: .busy)
    /// No space is left on the volume, or the quota is used up.
    public static let noSpace = Code(kind: .noSpace)
    /// The permission is missing.
    public static let accessDenied = Code(kind: .accessDenied)
    /// The volume cannot be written.
    public static let readOnly = Code(kind: .readOnly)
    /// A `-wal` or a `-journal` next to a database contains changes.
    public static let sidecarPresent = Code(kind: .sidecarPresent)
    /// The name belongs to a file that is kept next to a database, such as its write-ahead log.
    public static let companion = Code(kind: .companion)
    /// A file's content is not the expected one.
    public static let digestMismatch = Code(kind: .digestMismatch)
    /// There is something other than a plain file where one is needed.
    public static let notRegularFile = Code(kind: .notRegularFile)
    /// The file is a database, which only SQLite may open, where a plain file is needed.
    public static let database = Code(kind: .database)
    /// The volume or the platform does not support the operation.
    public static let unsupported = Code(kind: .unsupported)
    /// The change is made and visible, but may not survive a power loss.
    public static let notDurable = Code(kind: .notDurable)
    /// Any other error of the system, identified by ``FileError/errno``.
    public static let inputOutput = Code(kind: .inputOutput)

    /// The name of the code, as in the source.
    public var description: String { kind.rawValue }
  }
}

extension FileError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap { $0 }.joined(separator: " ")
  }
}
