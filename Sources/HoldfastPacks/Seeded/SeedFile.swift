import Holdfast
import HoldfastFiles

/// A pack's file from which a database of the app begins.
struct SeedFile: Sendable {
  let path: FilePath
  let content: FileDigest
  let schema: PackFile.Schema

  /// Keeps the file where it is.
  let lease: GenerationLease

  /// - Throws: ``PackError`` with `.unsuitable` when the pack does not say that the file is seeded.
  init(_ file: PackFile, at path: FilePath, keeping lease: GenerationLease) throws(PackError) {
    guard file.storage == .seeded, let schema = file.schema else { throw .notSeeded(file.path) }
    self.path = path
    self.schema = schema
    self.lease = lease
    content = file.content
  }

  /// Compares the file with its digest.
  ///
  /// - Throws: ``PackError`` with `.damaged`; `FileError`.
  func verify() throws {
    guard try ImmutableFile(path).digest() == content else {
      throw PackError.damagedInPlace(path, PackError.digestReason())
    }
  }

  /// Attaches the file under the name `seed`, and checks that it is what the manifest says.
  func attach(to db: Database) throws {
    try db.attach(readOnlyFileAt: path.text, as: SeedMerge.schema, isNeverModified: true)
    let found = try PackFile.Schema(db, of: SeedMerge.schema)
    guard found == schema else { throw PackError.otherSeed(path, expected: schema, found: found) }
  }
}

extension PackFile.Schema {
  /// Reads the numbers of a database.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - schema: The name under which the database is attached.
  /// - Throws: `DatabaseError`.
  init(_ db: Database, of schema: String = "main") throws {
    func number(_ name: Database.HeaderNumber) throws -> Int32 {
      let sql = "PRAGMA \(schema.quotedDatabaseIdentifier).\(name.rawValue)"
      return try Int32.fetchOne(db, sql: sql) ?? 0
    }
    self.init(
      applicationID: try number(.applicationID), userVersion: try number(.userVersion))
  }
}
