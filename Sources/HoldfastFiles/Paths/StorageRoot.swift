/// A named folder in an app's container, independent of where the container is.
///
/// Its text, such as `documents` or `app-group:group.org.example`, is stored in databases, and its
/// meaning never changes.
public enum StorageRoot: Hashable, Sendable {
  /// Files that the user created or requested; backed up unless excluded.
  case documents
  /// Files that can be fetched again; the system may delete them.
  case caches
  /// The app's own data; backed up unless excluded.
  case applicationSupport
  /// Files that are not needed after the app ends.
  case temporary
  /// Files that the app shares with its extensions, in the group with this identifier.
  case appGroup(String)
  /// Files that are shipped with the app; read-only, and replaced by an update.
  case bundle
  /// The folder for everything that the system keeps for the app outside of the other roots, such
  /// as the packages that `AVAssetDownloadTask` makes in `Library/com.apple.UserManagedAssets…`.
  ///
  /// A path in its folders `Caches` and `Application Support` is one of those roots.
  case library

  private static let groupTag = "app-group:"

  /// The roots that every container has.
  public static let fixed: [StorageRoot] = [
    .documents, .caches, .applicationSupport, .temporary, .bundle, .library,
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
    case .library: "library"
    }
  }

  /// The names that lead to this root's folder in a container copied from a device.
  package var folder: [String] {
    switch self {
    case .documents: ["Documents"]
    case .caches: ["Library", "Caches"]
    case .applicationSupport: ["Library", "Application Support"]
    case .temporary: ["tmp"]
    case .appGroup(let identifier): ["Shared", "AppGroup", identifier]
    case .bundle: ["Bundle"]
    case .library: ["Library"]
    }
  }

  /// The roots whose folders lie in the data folder of a container, the inner ones first.
  package static let inData: [StorageRoot] = [
    .documents, .caches, .applicationSupport, .temporary, .library,
  ]

  /// Returns the innermost root in which names below a folder of this root lie, and the names there.
  func innermost(_ names: [String]) -> (root: StorageRoot, names: [String]) {
    guard self == .library else { return (self, names) }
    for root in [StorageRoot.caches, .applicationSupport]
    where names.starts(with: root.folder.dropFirst()) {
      return (root, Array(names.dropFirst(root.folder.count - 1)))
    }
    return (self, names)
  }

  /// Parses the stable text of a root.
  ///
  /// The result is `nil` when the text names no root, or a group with an illegal identifier.
  ///
  /// - Parameter tag: A text exactly as returned by ``tag``.
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

  /// Whether a folder can exist for this root.
  ///
  /// The identifier of an app group consists of ASCII letters, digits, `.`, `-` and `_`, and is
  /// neither `.` nor `..`; any other could lead out of the folder of the groups.
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
  /// Decodes the stable text.
  ///
  /// - Parameter decoder: Holds one string.
  /// - Throws: `DecodingError` when the string names no root.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(ofText: StorageRoot.init(tag:), else: "names no storage root")
  }

  /// Encodes the stable text.
  ///
  /// - Parameter encoder: Receives one string.
  /// - Throws: Whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(tag)
  }
}

extension StorageRoot: CustomStringConvertible {
  /// The stable text after an `@`.
  public var description: String { "@" + tag }
}
