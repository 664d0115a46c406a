import Foundation
import Holdfast
public import HoldfastFiles

/// The way in which a table writes the paths of its files.
///
/// A dialect decides how a text without a root of its own is read, and in which form a path is
/// written. A row is written in the form in which it was read, so that the app's own code still
/// reads it. Absolute paths and `file:` URLs of any older container are read in every dialect, and
/// are always written in a relative form.
public struct PathDialect: Hashable, Sendable {
  /// Whether paths have the text form of `RelocatablePath`, such as
  /// `@documents/downloads/book.m4b`.
  public private(set) var isText = false

  /// The prefixes that stand for roots, such as `D:`.
  public private(set) var tags: [String: StorageRoot] = [:]

  /// The root of relative paths without a prefix.
  public private(set) var bareRoot: StorageRoot?

  /// The values of the table's location column that stand for roots, such as `caches`.
  ///
  /// They decide the root of a relative path only in a table that has such a column.
  public private(set) var locations: [String: StorageRoot] = [:]

  /// The identifier of the app group that absolute paths in app groups belong to.
  ///
  /// Without it such paths cannot be read, because they do not contain the identifier.
  public var appGroup: String?

  private init() {}

  /// The text form of `RelocatablePath`, which names every root: `@documents/downloads/book.m4b`.
  public static let text: PathDialect = {
    var dialect = PathDialect()
    dialect.isText = true
    return dialect
  }()

  /// Paths relative to one root: `downloads/book.m4b`.
  ///
  /// - Parameter root: The root of all paths.
  /// - Returns: The dialect of a table whose paths all have that root.
  public static func relative(to root: StorageRoot) -> PathDialect {
    var dialect = PathDialect()
    dialect.bareRoot = root
    return dialect
  }

  /// Paths with a prefix for their root: `D:downloads/book.m4b`.
  ///
  /// - Parameters:
  ///   - tags: The prefixes and their roots.
  ///   - bareRoot: The root of paths without a prefix; without it they are not read.
  /// - Returns: The dialect of a table whose paths have one of the prefixes, or none.
  public static func tagged(
    _ tags: [String: StorageRoot], bareRoot: StorageRoot? = nil
  ) -> PathDialect {
    var dialect = PathDialect()
    dialect.tags = tags
    dialect.bareRoot = bareRoot
    return dialect
  }

  /// Relative paths whose root is named by another column: `downloads/book.m4b` and `caches`.
  ///
  /// - Parameters:
  ///   - locations: The values of the column ``LedgerTable/locationColumn`` and their roots.
  ///   - bareRoot: The root where the column is NULL or empty; a path with any other value is not read.
  /// - Returns: The dialect of a table with two columns for each path.
  public static func located(
    _ locations: [String: StorageRoot], bareRoot: StorageRoot
  ) -> PathDialect {
    var dialect = PathDialect()
    dialect.locations = locations
    dialect.bareRoot = bareRoot
    return dialect
  }

  /// Paths in the documents or the caches, whose root a location or a prefix names.
  ///
  /// A relative path is in the root that ``LedgerTable/locationColumn`` names as `documents` or `caches`,
  /// or in the caches; `D:` and `C:` stand for documents and caches. A path outside the caches is written
  /// with its location where the table has that column, and with its prefix elsewhere.
  public static let documentsAndCaches: PathDialect = {
    var dialect = PathDialect.tagged(
      ["D:": .documents, "C:": .caches], bareRoot: .caches)
    dialect.locations = ["documents": .documents, "caches": .caches]
    return dialect
  }()
}

extension PathDialect {
  /// The form of a stored text.
  enum Form: Hashable, Sendable {
    case text, tagged, bare, absolute
  }

  /// A stored path that was understood.
  struct Stored: Hashable, Sendable {
    var form: Form
    var path: RelocatablePath
  }

  /// A stored text, as far as it was understood.
  enum Reading: Sendable {
    case path(Stored)
    /// Empty text, or an address on the network: there is no file.
    case noFile
    case unreadable(FileError)
  }

  /// The text and the location that stand for a path.
  struct Written: Hashable, Sendable {
    var text: String
    /// The value of the location column; `nil` leaves it as it is.
    var location: String?

    /// Returns the value of the path column: the bytes of the text where bytes are stored.
    func value(like stored: DatabaseValue) -> DatabaseValue {
      stored.isBlob ? Data(text.utf8).databaseValue : text.databaseValue
    }
  }

  /// Returns the path that a text stands for.
  ///
  /// - Parameters:
  ///   - text: The value of the path column.
  ///   - location: The value of the location column.
  ///   - places: The folders of the container, whose absolute paths are read in any form.
  /// - Returns: The path, or why there is none.
  func read(_ text: String, location: String?, in places: RootPlaces) -> Reading {
    if text.isEmpty || Self.isRemote(text) { return .noFile }
    do throws(FileError) {
      if Self.isAbsolute(text) {
        return .path(Stored(form: .absolute, path: try readAbsolute(text, in: places)))
      }
      if isText { return .path(Stored(form: .text, path: try RelocatablePath(text: text))) }
      let form = form(of: text)
      // Its root is one that this version does not know, so that the file is not looked for in others.
      let isUnknown = form == .bare && !names(location: location)
      let path = try RelocatablePath(
        legacy: text, bareRoot: isUnknown ? nil : root(at: location), tags: tags)
      return .path(Stored(form: form, path: path))
    } catch {
      return .unreadable(error)
    }
  }

  /// Returns the form of a text that is neither empty nor remote.
  func form(of text: String) -> Form {
    if Self.isAbsolute(text) { return .absolute }
    if isText { return .text }
    return tags.keys.contains { !$0.isEmpty && text.utf8.starts(with: $0.utf8) } ? .tagged : .bare
  }

  /// The root of a relative path without prefix.
  private func root(at location: String?) -> StorageRoot? {
    guard let location else { return bareRoot }
    let named = locations.first { $0.key.utf8.elementsEqual(location.utf8) }
    return named?.value ?? bareRoot
  }

  /// Whether a value of the location column is known, or stands for none.
  private func names(location: String?) -> Bool {
    guard let location, !location.isEmpty, !locations.isEmpty else { return true }
    return locations.keys.contains { $0.utf8.elementsEqual(location.utf8) }
  }

  private func readAbsolute(
    _ text: String, in places: RootPlaces
  ) throws(FileError) -> RelocatablePath {
    // First, because a copied container may lie inside another one.
    let place = Self.place(of: text)
    if let place, let path = places.path(of: place) { return path }
    do throws(FileError) {
      return try RelocatablePath(legacy: text, appGroup: appGroup)
    } catch {
      // Last, because it follows the symbolic links of each folder.
      guard let place, let path = try? places.container.relocatablePath(for: place.url) else {
        throw error
      }
      return path
    }
  }

  static func place(of text: String) -> FilePath? {
    if text.utf8.first == UInt8(ascii: "/") { return FilePath(text) }
    // A text that is not a URL is refused with a reason by the reader of legacy forms.
    return URL(string: text).flatMap { try? FilePath(of: $0) }
  }

  /// Returns whether a stored text is an absolute path or a `file:` URL.
  package static func isAbsolute(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "/") || hasScheme(text, "file:")
  }

  static func isRemote(_ text: String) -> Bool {
    hasScheme(text, "http://") || hasScheme(text, "https://")
  }

  private static func hasScheme(_ text: String, _ scheme: String) -> Bool {
    let start = text.utf8.prefix(scheme.utf8.count)
    return start.count == scheme.utf8.count
      && zip(start, scheme.utf8).allSatisfy { byte, wanted in
        byte == wanted
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == wanted
      }
  }

  /// Returns the text that stands for a path; `nil` when the dialect has none.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - form: The form in which the row was read.
  ///   - hasLocation: Whether the table has a location column.
  /// - Returns: The text and the location.
  func write(_ path: RelocatablePath, as form: Form, hasLocation: Bool) -> Written? {
    if isText { return Written(text: path.description) }
    let bare = path.components.joined(separator: "/")
    let location =
      hasLocation ? locations.filter { $0.value == path.root }.keys.min() : nil
    let tag = tags.filter { $0.value == path.root && !$0.key.isEmpty }.keys.min()
    if form == .tagged, let tag { return Written(text: tag + bare, location: location) }
    // A bare name that begins like a tag or an address would be read as one.
    let isPlain =
      !Self.isAbsolute(bare) && !Self.isRemote(bare)
      && !tags.keys.contains { !$0.isEmpty && bare.utf8.starts(with: $0.utf8) }
    if isPlain, location != nil || bareRoot == path.root {
      return Written(text: bare, location: location)
    }
    return tag.map { Written(text: $0 + bare, location: location) }
  }

  /// Returns whether the dialect has texts for the paths of a root.
  func names(_ root: StorageRoot, hasLocation: Bool) -> Bool {
    isText || bareRoot == root || tags.values.contains(root)
      || hasLocation && locations.values.contains(root)
  }
}
