/// A path relative to a storage root, which stays valid when the container moves.
///
/// Names are kept byte for byte: a percent sign is a percent sign, and two encodings of one
/// accented letter are two names. The text of a legal path never leaves its root;
/// ``Container/url(for:)-(RelocatablePath)`` checks that no symbolic link leads out of it. Names
/// that are not valid UTF-8 are refused.
///
/// ```swift
/// let path = try RelocatablePath(.documents, "downloads").appending(serverSuppliedName)
/// path.description                               // @documents/downloads/50%41 off.m4b
/// try Container.current.url(for: path)           // where that is today
/// ```
///
/// The mark `@` is the version of the text form: a later form would begin differently.
public struct RelocatablePath: Sendable {
  /// The root that the path is relative to.
  public let root: StorageRoot

  /// The names below the root, outermost first; none for the root itself.
  public let components: [String]

  /// Creates the path of a file or a folder below `root`.
  ///
  /// - Parameters:
  ///   - root: The root that the path is relative to.
  ///   - components: The names below it, outermost first; none means the root itself.
  /// - Throws: ``FileError`` with `.invalidPath` when a name is empty, `.` or `..`, or contains `/`
  ///   or NUL, or when the identifier of an app group is not legal.
  public init(_ root: StorageRoot, components: [String]) throws(FileError) {
    // One file has one path.
    let (root, components) = root.innermost(components)
    self.init(unchecked: root, components)
    guard root.isLegal else { throw .illegalPath(description, .groupIdentifier(root.tag)) }
    for (index, component) in components.enumerated() {
      if let flaw = Self.flaw(of: component, number: index + 1) {
        throw .illegalPath(description, flaw)
      }
    }
  }

  /// Creates the path of a file or a folder below `root`.
  ///
  /// - Parameters:
  ///   - root: The root that the path is relative to.
  ///   - components: The names below it, outermost first; none means the root itself.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(_:components:)`` does.
  public init(_ root: StorageRoot, _ components: String...) throws(FileError) {
    try self.init(root, components: components)
  }

  /// Parses the text form, such as `@documents/downloads/book.m4b`.
  ///
  /// - Parameter text: A text exactly as returned by ``description``.
  /// - Throws: ``FileError`` with `.invalidPath` when the text has another form, names no root, or
  ///   contains an illegal name; the message says which.
  public init(text: String) throws(FileError) {
    // Bytes, not characters: an accent that follows "/" would form one character with it.
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

  /// Returns the path of `component` in this folder.
  ///
  /// - Parameter component: One name from any source; a `/` in it is refused, not followed.
  /// - Returns: The path, which has the root of this one.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(_:components:)`` does.
  public func appending(_ component: String) throws(FileError) -> RelocatablePath {
    try RelocatablePath(root, components: components + [component])
  }

  /// The reason a path was refused.
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
  /// The text form, which ``init(text:)`` parses into an equal path.
  public var description: String {
    ([root.description] + components).joined(separator: "/")
  }

  /// Parses the text form.
  ///
  /// The result is `nil` where ``init(text:)`` throws.
  ///
  /// - Parameter description: A text exactly as returned by ``description-swift.property``.
  public init?(_ description: String) {
    // A failable initializer cannot report the reason.
    guard let path = try? RelocatablePath(text: description) else { return nil }
    self = path
  }
}

extension RelocatablePath: Hashable {
  /// Compares two paths byte by byte.
  ///
  /// `String` would consider `é` and `e` followed by an accent equal.
  ///
  /// - Parameters:
  ///   - lhs: A path.
  ///   - rhs: Another path.
  /// - Returns: Whether both have the same bytes.
  public static func == (lhs: RelocatablePath, rhs: RelocatablePath) -> Bool {
    // The last names first, because the files of a folder differ there.
    lhs.components.count == rhs.components.count
      && zip(lhs.components.reversed(), rhs.components.reversed()).allSatisfy {
        $0.utf8.elementsEqual($1.utf8)
      } && lhs.root.tag.utf8.elementsEqual(rhs.root.tag.utf8)
  }

  /// Hashes the bytes that `==` compares.
  ///
  /// - Parameter hasher: Receives the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

extension RelocatablePath: Codable {
  /// Decodes the text form.
  ///
  /// - Parameter decoder: Holds one string.
  /// - Throws: ``FileError`` with `.invalidPath` as ``init(text:)`` does.
  public init(from decoder: any Decoder) throws {
    try self.init(text: decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the text form.
  ///
  /// - Parameter encoder: Receives one string.
  /// - Throws: Whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
