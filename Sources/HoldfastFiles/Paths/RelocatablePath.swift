/// A path kept relative to its root, so that it stays right when the container moves.
///
/// Names are kept byte for byte: a percent sign is a percent sign, and two spellings of one accent
/// are two names. No legal value leaves its root by its text; that no symbolic link leads out of it
/// is checked by ``Container/url(for:)-(RelocatablePath)``. Names that are not valid UTF-8 have no
/// `String` and are refused.
///
/// ```swift
/// let path = try RelocatablePath(.documents, "downloads").appending(serverSuppliedName)
/// path.description                               // @documents/downloads/50%41 off.m4b
/// try Container.current.url(for: path)           // where that is today
/// ```
///
/// The mark `@` is the version of the text form: a later form would begin otherwise.
public struct RelocatablePath: Sendable {
  /// The place that the path starts from.
  public let root: StorageRoot

  /// The names below the root, outermost first; none for the root itself.
  public let components: [String]

  /// Makes the path of a file or a folder below `root`.
  ///
  /// - Parameters:
  ///   - root: the place to start from.
  ///   - components: the names below it, outermost first; none means the root itself.
  /// - Throws: ``FileError`` with `.invalidPath` when a name is empty, `.` or `..`, or contains `/`
  ///   or NUL, or when the identifier of an app group is not legal.
  public init(_ root: StorageRoot, components: [String]) throws(FileError) {
    self.init(unchecked: root, components)
    guard root.isLegal else { throw .illegalPath(description, .groupIdentifier(root.tag)) }
    for (index, component) in components.enumerated() {
      if let flaw = Self.flaw(of: component, number: index + 1) {
        throw .illegalPath(description, flaw)
      }
    }
  }

  /// Makes the path of a file or a folder below `root`.
  ///
  /// - Parameters:
  ///   - root: the place to start from.
  ///   - components: the names below it, outermost first; none means the root itself.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(_:components:)`` does.
  public init(_ root: StorageRoot, _ components: String...) throws(FileError) {
    try self.init(root, components: components)
  }

  /// Reads the text form, such as `@documents/downloads/book.m4b`.
  ///
  /// - Parameter text: exactly what ``description`` gave.
  /// - Throws: ``FileError`` with `.invalidPath` when the text has another form, names no root, or
  ///   has an illegal name in it; the message says which.
  public init(text: String) throws(FileError) {
    // Bytes, not characters: an accent that follows "/" would make one character with it.
    var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let head = parts.removeFirst()
    guard head.utf8.first == UInt8(ascii: "@") else { throw .illegalPath(text, .noMark) }
    let tag = String(Substring(head.utf8.dropFirst()))
    guard let root = StorageRoot(tag: tag) else { throw .illegalPath(text, .unknownRoot(tag)) }
    try self.init(root, components: parts)
  }

  private init(unchecked root: StorageRoot, _ components: [String]) {
    self.root = root
    self.components = components
  }

  /// The name of the file or the folder; `nil` for the root itself.
  public var lastComponent: String? { components.last }

  /// The folder that contains this path; `nil` for the root itself.
  public var parent: RelocatablePath? {
    components.isEmpty ? nil : RelocatablePath(unchecked: root, components.dropLast())
  }

  /// The path of `component` in this folder.
  ///
  /// - Parameter component: one name, from whatever source; a `/` in it is refused, not followed.
  /// - Returns: the longer path.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(_:components:)`` does.
  public func appending(_ component: String) throws(FileError) -> RelocatablePath {
    try RelocatablePath(root, components: components + [component])
  }

  /// Why a path was refused.
  enum Flaw: Equatable {
    case noMark
    case unknownRoot(String)
    case groupIdentifier(String)
    case emptyName(number: Int)
    case dots(String, number: Int)
    case nul(number: Int)
    case slash(String, number: Int)
  }

  private static func flaw(of component: String, number: Int) -> Flaw? {
    if component.isEmpty { return .emptyName(number: number) }
    if component == "." || component == ".." { return .dots(component, number: number) }
    if component.utf8.contains(0) { return .nul(number: number) }
    if component.utf8.contains(UInt8(ascii: "/")) { return .slash(component, number: number) }
    return nil
  }
}

extension RelocatablePath: LosslessStringConvertible {
  /// The text form, from which ``init(text:)`` makes an equal path.
  public var description: String {
    ([root.description] + components).joined(separator: "/")
  }

  /// Reads the text form, without saying what is wrong with it.
  ///
  /// The result is `nil` where ``init(text:)`` throws.
  ///
  /// - Parameter description: exactly what ``description-swift.property`` gave.
  public init?(_ description: String) {
    // A failable initializer has no room for the reason.
    guard let path = try? RelocatablePath(text: description) else { return nil }
    self = path
  }
}

extension RelocatablePath: Hashable {
  /// Compares byte by byte, where `String` would take `é` and `e` + accent for one name.
  ///
  /// - Parameters:
  ///   - lhs: a path.
  ///   - rhs: another path.
  /// - Returns: whether both have the same bytes.
  public static func == (lhs: RelocatablePath, rhs: RelocatablePath) -> Bool {
    lhs.description.utf8.elementsEqual(rhs.description.utf8)
  }

  /// Hashes the bytes that `==` compares.
  ///
  /// - Parameter hasher: receives the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

extension RelocatablePath: Codable {
  /// Reads the text form.
  ///
  /// - Parameter decoder: holds one string.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(text:)`` does.
  public init(from decoder: any Decoder) throws {
    try self.init(text: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text form.
  ///
  /// - Parameter encoder: receives one string.
  /// - Throws: whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
