import Holdfast
import HoldfastFiles

// The error messages of building a pack.

extension PackError {
  // MARK: The description

  static func unusableDescription(
    _ reason: String, underlying: (any Error)? = nil
  ) -> PackError {
    PackError(
      code: .invalidManifest, message: "'pack-source.json' cannot be used: \(reason).",
      advice: "Write the settings 'name', 'version', 'edition', and 'files' with a 'kind' (sqlite, "
        + "mbtiles, pmtiles, style, plain) and a 'storage' (sealed, seeded) for each path.",
      underlying: underlying)
  }

  static func noVersion(of name: PackName) -> PackError {
    PackError(
      code: .unsuitable, message: "The pack '\(name)' was not built: it has no version.",
      advice: "Give one, such as 2025.1, or write it as 'version' in 'pack-source.json'.")
  }

  static func describedFileMissing(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack was not built: its description names '\(path)', which does not exist.",
      advice: "Correct the path, which is compared byte for byte, or add the file.",
      path: path.description)
  }

  // MARK: Places

  static func destinationInSource(_ destination: FilePath, _ source: FilePath) -> PackError {
    PackError(
      code: .occupied,
      message: "The pack was not built: '\(destination.name)' is in the folder of its own files, "
        + "'\(source.name)', and would become a part of itself.",
      advice: "Choose a folder outside of it.", path: destination.text)
  }

  static func noPack(at path: FilePath) -> PackError {
    PackError(
      code: .occupied,
      message: "The pack was not built: something that is no pack has the name '\(path.name)'.",
      advice: "Choose another name, or remove what is there.", path: path.text)
  }

  static func occupied(_ path: FilePath) -> PackError {
    PackError(
      code: .occupied,
      message: "The pack was not built: '\(path.name)' is another pack, or a damaged one.",
      advice: "Choose another name, or replace it ('--replace' on the command line).",
      path: path.text)
  }

  // MARK: Files

  static func nothingToBuild(_ source: FilePath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack was not built: the folder '\(source.name)' contains no file for it.",
      advice: "Give the folder that contains the databases and styles.", path: source.text)
  }

  static func builtAlready(_ source: FilePath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack was not built: the folder '\(source.name)' is a pack already, because it "
        + "contains 'pack.json'.",
      advice: "Give the folder that it was built from, or remove 'pack.json' from it.",
      path: source.text)
  }

  static func unbuildable(_ flaw: String) -> PackError {
    PackError(
      code: .unsuitable, message: "The pack was not built: \(flaw).",
      advice: "Rename the file, or build from a folder without it.")
  }

  static func notPlain(_ path: String) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack was not built: '\(path)' is a symbolic link or a device.",
      advice: "Put the file itself there.", path: path)
  }

  static func unsuitable(_ path: PackPath, _ reason: String) -> PackError {
    PackError(
      code: .unsuitable, message: "'\(path)' was not packed: \(reason).",
      advice: "Correct the file, or describe it as a 'plain' one.", path: path.description)
  }

  static func refusedByCheck(_ cause: any Error) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack was not built, because a check of its files refused them: \(cause)",
      advice: "Correct the files.", underlying: cause)
  }

  package static func refusedByCheck(_ path: PackPath, _ cause: any Error) -> PackError {
    PackError(
      code: .unsuitable, message: "'\(path)' was not packed, because a check refused it: \(cause)",
      advice: "Correct the file.", path: path.description, underlying: cause)
  }

  static func changedWhileRead(_ path: FilePath) -> PackError {
    PackError(
      code: .unsuitable, message: "'\(path.name)' was changed while it was read.",
      advice: "End the program that writes it, and build again.", path: path.text)
  }

  static func pointer(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed: it is \(SubstituteContent.pointer.sentence).",
      advice: SubstituteContent.pointer.advice, path: path.description)
  }

  // MARK: Databases

  static func noDatabase(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed: it is called like a SQLite database, or described as "
        + "one, and is none.",
      advice: "Replace it with the database, or describe it as a 'plain' file, also if it is "
        + "encrypted.",
      path: path.description)
  }

  static func noArchive(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message:
        "'\(path)' was not packed: it is called like a PMTiles archive, or described as one, "
        + "and is none.",
      advice: "Replace it with the archive, or describe it as a 'plain' file.",
      path: path.description)
  }

  static func seededFileIsNoDatabase(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed: only a SQLite database can be seeded.",
      advice: "Describe it as 'sealed'; a seed is not encrypted, and the database that begins from "
        + "it is, by the key of its connections.", path: path.description)
  }

  static func logInSource(_ path: String, of database: String) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(database)' was not packed: '\(path)' contains changes that are missing from it.",
      advice: "Close the program that has it open, then run "
        + "sqlite3 '\(database)' 'PRAGMA journal_mode=DELETE'.", path: path)
  }

  static func inWriteAheadLogMode(_ path: PackPath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed: it is in write-ahead-log mode, so that it could not be "
        + "opened in a folder that must not be written.",
      advice: "Run sqlite3 '\(path)' 'PRAGMA journal_mode=DELETE', and build again.",
      path: path.description)
  }

  static func cutDatabase(_ path: PackPath, _ header: DatabaseHeader) -> PackError {
    let stated = header.statedByteCount.map { "\($0) bytes" } ?? "whole pages"
    return PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed: it has \(header.fileByteCount) bytes, and its header "
        + "states \(stated).",
      advice: "Copy the database again from where it is complete.", path: path.description)
  }

  static func foreignDatabase(_ path: PackPath, _ reason: String, version: String) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed, because SQLite \(version) cannot read its schema: "
        + "\(reason).",
      advice: "Build the pack with the version that wrote the database. An app with an older one "
        + "cannot read it either.",
      path: path.description)
  }

  static func damagedDatabase(_ path: PackPath, _ problems: [String]) -> PackError {
    PackError(
      code: .unsuitable,
      message: "'\(path)' was not packed, because the database is damaged: "
        + "\(problems.joined(separator: "; ")).",
      advice: "Restore it from its source; 'holdfast db check' tells more.",
      path: path.description)
  }
}
