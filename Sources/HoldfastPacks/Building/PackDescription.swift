public import Foundation
import HoldfastFiles

/// A description of a pack to build: its name, its version, and the kinds of its files.
///
/// It can be written next to the files, as `pack-source.json`:
///
/// ```json
/// {
///   "name": "map",
///   "version": "2025.1",
///   "edition": "2025",
///   "files": { "favorites.sqlite": { "storage": "seeded" } }
/// }
/// ```
public struct PackDescription: Sendable {
  /// The name of the file next to the pack's files.
  public static let fileName = "pack-source.json"

  /// The pack's name; if `nil`, the name of the folder that is built.
  public var name: PackName?

  /// The pack's version.
  public var version: PackVersion?

  /// The pack's edition, such as a year.
  public var edition: PackEdition?

  /// The kinds of files, where their first bytes do not show them.
  public var kinds: [PackPath: PackFile.Kind] = [:]

  /// The storage of files; sealed where it is not given.
  public var storages: [PackPath: PackFile.Storage] = [:]

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - name: The pack's name; if `nil`, the name of the folder that is built.
  ///   - version: The pack's version.
  ///   - edition: The pack's edition, such as a year.
  public init(
    name: PackName? = nil, version: PackVersion? = nil, edition: PackEdition? = nil
  ) {
    self.name = name
    self.version = version
    self.edition = edition
  }

  /// Reads the description of a folder; it is empty when there is no `pack-source.json`.
  ///
  /// - Parameter folder: The folder with the pack's files.
  /// - Throws: ``PackError`` with `.invalidManifest` when the file has a member of another name or
  ///   type, or with `.invalidName`; `FileError` when it cannot be read.
  public init(of folder: URL) throws {
    self.init()
    let path = try FilePath(of: folder).appending([Self.fileName])
    guard let bytes = try PackFolderText.bytes(of: path) else { return }
    do throws(PackError) {
      try read(bytes)
    } catch {
      var error = error
      error.path = path.text
      throw error
    }
  }

  private mutating func read(_ bytes: [UInt8]) throws(PackError) {
    let root = try Self.members(of: Self.value(bytes), "the file")
    for (key, value) in root {
      switch key {
      case "name": name = try PackName(Self.text(value, key))
      case "version": version = try PackVersion(Self.text(value, key))
      case "edition": edition = try PackEdition(Self.text(value, key))
      case "files":
        for (path, value) in try Self.members(of: value, "'files'") {
          try add(PackPath(path), Self.members(of: value, "'\(path)' in 'files'"))
        }
      default: throw .unusableDescription("there is no setting '\(key)'")
      }
    }
  }

  private mutating func add(_ path: PackPath, _ settings: [String: Any]) throws(PackError) {
    for (key, value) in settings {
      let text = try Self.text(value, key)
      switch key {
      case "kind":
        guard let kind = PackFile.Kind(rawValue: text) else {
          throw .unusableDescription("'\(path)' has the unknown kind '\(text)'")
        }
        kinds[path] = kind
      case "storage":
        guard let storage = PackFile.Storage(rawValue: text) else {
          throw .unusableDescription("'\(path)' has the unknown storage '\(text)'")
        }
        storages[path] = storage
      default: throw .unusableDescription("there is no setting '\(key)' of '\(path)'")
      }
    }
  }

  private static func value(_ bytes: [UInt8]) throws(PackError) -> Any {
    do {
      return try JSONSerialization.jsonObject(with: Data(bytes))
    } catch {
      throw .unusableDescription("it is no JSON", underlying: error)
    }
  }

  private static func members(of value: Any, _ what: String) throws(PackError) -> [String: Any] {
    guard let members = value as? [String: Any] else {
      throw .unusableDescription("\(what) is no JSON object")
    }
    return members
  }

  private static func text(_ value: Any, _ key: String) throws(PackError) -> String {
    guard let text = value as? String else {
      throw .unusableDescription("the value of '\(key)' is no text")
    }
    return text
  }
}
