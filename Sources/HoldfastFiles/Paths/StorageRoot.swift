/// A named place in an app's container, wherever the container lies today.
///
/// Its text, such as `documents` or `app-group:group.org.example`, is stored in databases and never
/// changes its meaning.
public enum StorageRoot: Hashable, Sendable {
  /// What the user made or asked for; backed up unless excluded.
  case documents
  /// What can be fetched again; the system may delete it.
  case caches
  /// What the app keeps for itself; backed up unless excluded.
  case applicationSupport
  /// What nobody misses after the app ends.
  case temporary
  /// What the app shares with its extensions, by the group's identifier.
  case appGroup(String)
  /// What is shipped with the app; read-only, and replaced by an update.
  case bundle

  private static let groupTag = "app-group:"

  /// The roots that every container has.
  public static let fixed: [StorageRoot] = [
    .documents, .caches, .applicationSupport, .temporary, .bundle,
  ]

  /// The stable text of this root.
  public var tag: String {
    switch self {
    case .documents: "documents"
    case .caches: "caches"
    case .applicationSupport: "application-support"
    case .temporary: "temporary"
    case .appGroup(let identifier): Self.groupTag + identifier
    case .bundle: "bundle"
    }
  }

  /// Reads a root's stable text.
  ///
  /// The result is `nil` when the text names no root, or a group whose identifier is not legal.
  ///
  /// - Parameter tag: the text, exactly as ``tag`` gives it.
  public init?(tag: String) {
    if let root = Self.fixed.first(where: { $0.tag == tag }) {
      self = root
    } else if tag.utf8.starts(with: Self.groupTag.utf8) {
      self = .appGroup(String(Substring(tag.utf8.dropFirst(Self.groupTag.utf8.count))))
      guard isLegal else { return nil }
    } else {
      return nil
    }
  }

  /// Whether a folder can stand for this root.
  ///
  /// The identifier of an app group consists of ASCII letters, digits, `.`, `-` and `_`, and is
  /// neither `.` nor `..`; whatever else could leave the folder of the groups.
  public var isLegal: Bool {
    guard case .appGroup(let identifier) = self else { return true }
    let isPlain = identifier.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && !identifier.isEmpty && identifier != "." && identifier != ".."
  }
}

extension StorageRoot: Codable {
  /// Reads the stable text.
  ///
  /// - Parameter decoder: holds one string.
  /// - Throws: `DecodingError` when it names no root.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let tag = try container.decode(String.self)
    guard let root = StorageRoot(tag: tag) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(tag)' names no storage root")
    }
    self = root
  }

  /// Writes the stable text.
  ///
  /// - Parameter encoder: receives one string.
  /// - Throws: whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(tag)
  }
}

extension StorageRoot: CustomStringConvertible {
  /// The stable text, marked as a root.
  public var description: String { "@" + tag }
}
