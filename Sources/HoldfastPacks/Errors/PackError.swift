/// An error of a pack or of a store of packs.
public struct PackError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidName
      case invalidManifest
      case newerFormat
      case notFound
      case damaged
      case unsuitable
      case occupied
      case downgrade
      case suspended
      case replaced
      case schemaNewer
    }

    private let kind: Kind

    /// A text is no name, version, edition or path of a pack.
    public static let invalidName = Code(kind: .invalidName)

    /// A `pack.json` cannot be read, or contradicts itself.
    public static let invalidManifest = Code(kind: .invalidManifest)

    /// A `pack.json` has a format that a later version of this package introduced.
    public static let newerFormat = Code(kind: .newerFormat)

    /// There is no such pack, file or generation.
    public static let notFound = Code(kind: .notFound)

    /// A file of a pack is not what its manifest says.
    public static let damaged = Code(kind: .damaged)

    /// A pack is not built from a file, because an app could not use it.
    public static let unsuitable = Code(kind: .unsuitable)

    /// Something else is where a pack would be built or installed.
    public static let occupied = Code(kind: .occupied)

    /// A pack was not installed, because its version is lower than the current generation's.
    public static let downgrade = Code(kind: .downgrade)

    /// The store, or a database that it follows, is suspended.
    public static let suspended = Code(kind: .suspended)

    /// A pack that is used in place was replaced while it was open.
    public static let replaced = Code(kind: .replaced)

    /// A newer seed was merged into a database of the app before.
    public static let schemaNewer = Code(kind: .schemaNewer)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// A sentence that says what happened, to what, and why.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String? = nil

  /// The file or folder that the error is about.
  public var path: String? = nil

  /// The cause, if another layer reported one.
  public var underlying: (any Error)? = nil
}

extension PackError {
  /// Whether the same operation may succeed later without a change of the pack.
  public var isTransient: Bool { code == .suspended }
}

extension PackError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
