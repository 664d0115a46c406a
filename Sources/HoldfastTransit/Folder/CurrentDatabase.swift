import Foundation
import HoldfastFiles

/// The content of the file `current`, which names the current database of a folder of timetables.
///
/// It contains names only, so it stays valid when the folder is moved.
struct CurrentDatabase: Hashable, Sendable {
  /// The format that this version writes and reads.
  private static let format = 1

  /// The name of the current database.
  let database: DatabaseName

  /// The name of the database that was current before.
  let previous: DatabaseName?

  init(_ database: DatabaseName, after previous: DatabaseName? = nil) {
    self.database = database
    self.previous = previous
  }

  private struct Text: Codable {
    var format: Int
    var database: String?
    var previous: String?
  }

  // MARK: The file

  /// Reads the file of a folder.
  ///
  /// - Returns: The content; `nil` when there is no such file.
  /// - Throws: ``TransitError`` with `.damaged` when it is something else, `.schemaNewer` when a later
  ///   version of this library has written it; `FileError` when it cannot be read.
  static func read(in folder: GenerationFolder) throws -> CurrentDatabase? {
    let path = folder.current
    let bytes: [UInt8]
    switch try folder.readCurrent(upTo: ReadingLimit.timetableCurrent.most) {
    case .none: return nil
    case .unsuitable: throw TransitError.unreadableCurrent(path.text)
    case .bytes(let content): bytes = content
    }
    let text: Text
    do {
      text = try JSONDecoder().decode(Text.self, from: Data(bytes))
    } catch {
      throw TransitError.unreadableCurrent(path.text, error)
    }
    guard text.format <= format else {
      throw TransitError.newerCurrent(path.text, found: text.format, expected: format)
    }
    guard let database = text.database.flatMap(DatabaseName.init) else {
      throw TransitError.unreadableCurrent(path.text)
    }
    return CurrentDatabase(database, after: text.previous.flatMap(DatabaseName.init))
  }

  /// Replaces the file of a folder, in one step and durably.
  func write(in folder: GenerationFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = Text(format: Self.format, database: database.text, previous: previous?.text)
    try folder.replaceCurrent(with: Array(try encoder.encode(text)) + [UInt8(ascii: "\n")])
  }
}
