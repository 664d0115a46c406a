import Holdfast
import HoldfastFiles

// The error messages of opening: files in place, and databases that begin as a copy of a pack's.

extension PackError {
  // MARK: Files

  static func noFile(_ path: String, in folder: FilePath) -> PackError {
    PackError(
      code: .notFound, message: "The pack in '\(folder.name)' has no file '\(path)'.",
      advice: "Name a file of the manifest, byte for byte.", path: folder.text)
  }

  static func notADatabase(_ file: PackFile) -> PackError {
    PackError(
      code: .unsuitable, message: "'\(file.path)' was not opened: its kind is '\(file.kind)'.",
      advice: "Read it as a file, or build the pack again with another kind"
        + (file.kind == .plain
          ? "; an encrypted database needs a build with the trait 'SQLCipher'." : "."))
  }

  static func isSeeded(_ file: PackFile) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(file.path)' was not opened for reading: it is the seed of a database that the "
        + "app writes.",
      advice: "Open that database with 'openSeeded'.")
  }

  // MARK: In place

  static func bundleReplaced(_ path: FilePath) -> PackError {
    PackError(
      code: .replaced,
      message: "'\(path.name)' was not opened: its folder was replaced since the pack was opened, "
        + "as by an update of the app.",
      advice: "Open the pack again.", path: path.text)
  }

  static func damagedInPlace(_ path: FilePath, _ reason: String) -> PackError {
    PackError(
      code: .damaged, message: "'\(path.name)' cannot be used in place: \(reason).",
      advice: "Get the complete pack again.", path: path.text)
  }

  static func lengthReason(expected: Int64, found: Int64) -> String {
    "it has \(found) bytes, and the manifest states \(expected)"
  }

  static func digestReason() -> String { "its content is not that of the manifest" }

  // MARK: Seeds

  static func notSeeded(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable, message: "'\(path)' is no seed: the pack says that it is never modified.",
      advice: "Open it with 'open', or build the pack with the storage 'seeded'.")
  }

  static func otherSeed(
    _ path: FilePath, expected: PackFile.Schema, found: PackFile.Schema
  ) -> PackError {
    PackError(
      code: .damaged,
      message: "The seed '\(path.name)' has \(numbers(found)), and the manifest states "
        + "\(numbers(expected)).",
      advice: "Install the pack again.", path: path.text)
  }

  static func logWithoutDatabase(_ path: FilePath, log: FilePath) -> PackError {
    PackError(
      code: .damaged,
      message: "'\(path.name)' was not created: '\(log.name)' next to it contains changes of a "
        + "database that is missing.",
      advice: "Restore the database, or remove '\(log.name)' if its changes may be lost.",
      path: log.text)
  }

  static func otherApplication(
    _ path: FilePath, expected: PackFile.Schema, found: PackFile.Schema
  ) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path.name)' has \(numbers(found)), and a database of this seed has "
        + "\(numbers(expected)).",
      advice: "Leave both numbers to the pack, also in the closures that change the database.",
      path: path.text)
  }

  static func olderSeed(
    _ path: FilePath, seed: PackFile.Schema, found: PackFile.Schema
  ) -> PackError {
    PackError(
      code: .schemaNewer,
      message: "The seed has user_version \(seed.userVersion), and a seed with user_version "
        + "\(found.userVersion) was merged into '\(path.name)' before.",
      advice:
        "Use a version of the pack whose seed has at least user_version \(found.userVersion).",
      path: path.text)
  }

  static func seededNotDecrypted(_ path: FilePath, _ cause: DatabaseError) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path.name)' was not compared with its seed: "
        + "\(cause.message ?? "it is encrypted").",
      advice: "Give its key in 'PackStore.Configuration.seeded'.", path: path.text,
      underlying: cause)
  }

  static func incompleteMerge(_ path: FilePath, table: String, column: String?) -> PackError {
    let part = column.map { "the column '\($0)' of '\(table)'" } ?? "the table '\(table)'"
    return PackError(
      code: .unsuitable,
      message: "Nothing was merged into '\(path.name)': \(part), which the seed has, is missing.",
      advice: "Create it in the closure that merges.", path: path.text)
  }

  private static func numbers(_ schema: PackFile.Schema) -> String {
    "application_id \(schema.applicationID) and user_version \(schema.userVersion)"
  }
}
