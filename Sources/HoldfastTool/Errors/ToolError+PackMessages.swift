import HoldfastFeeds
import HoldfastPacks

// The error messages of packs on the command line.

extension PackError: ReportedError {
  var exitCode: ExitCode {
    switch code {
    case .notFound: .noInput
    case .occupied: .cannotCreate
    case .suspended: .unavailable
    default: .badData
    }
  }

  var file: String? { path }
}

extension ToolError {
  static func noPack(_ path: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' cannot be read: \(reason).",
      advice: "Give the folder of a pack, or a ZIP archive of it.", file: path)
  }

  static func noPackSource(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "There is no folder '\(path)'.",
      advice: "Give the folder with the pack's files.", file: path)
  }

  static func packSourceIsFile(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' is a file, not a folder.",
      advice: "Give the folder with the pack's files.", file: path)
  }

  static func noPacks(in container: String, _ store: PackName) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(container)' has no pack in a store '\(store)'.",
      advice: "Give the name that the app uses in PackStore(…), with '--store'.", file: container)
  }

  static func onlyInEditions(_ pack: PackName, _ editions: [String]) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The pack '\(pack)' is installed in the edition '"
        + "\(editions.joined(separator: "', '"))', not without one.",
      advice: "Choose an edition with '--edition'.")
  }

  static func severalFolders(_ pack: PackName, _ folders: [String]) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "Several folders of the store contain the pack '\(pack)': '"
        + "\(folders.joined(separator: "', '"))'.",
      advice: "Keep the one that the app uses, and move the other out of the store.")
  }

  // MARK: Archives

  static func unusableArchive(_ error: FeedError) -> ToolError {
    ToolError(
      exitCode: error.exitCode, message: error.message,
      advice: "Give the folder of a pack, or a complete ZIP archive of it.", file: error.file)
  }

  static func archiveWithoutPack(_ archive: String) -> ToolError {
    ToolError(
      exitCode: .badData,
      message:
        "'\(archive)' contains no pack: there is no 'pack.json' in it, or in a folder of it.",
      advice: "Archive the folder that 'holdfast pack build' creates.", file: archive)
  }

  static func archiveWithPacks(_ archive: String, _ paths: [String]) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "'\(archive)' contains several packs: '\(paths.joined(separator: "', '"))'.",
      advice: "Archive each of them alone.", file: archive)
  }

  static func entryTwice(_ path: String, in archive: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(archive)' contains '\(path)' twice.",
      advice: "Archive the pack again.", file: archive)
  }

  static func manifestTooLong(_ path: String, in archive: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' in '\(archive)' is too long for a manifest.",
      advice: "Archive the folder that 'holdfast pack build' creates.", file: archive)
  }

  static func fileMissing(_ path: String, in archive: String) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "'\(archive)' lacks '\(path)', which the pack's manifest lists.",
      advice: "Archive the whole folder of the pack again.", file: archive)
  }

  static func otherLength(
    _ path: String, in archive: String, found: Int, expected: Int64
  ) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "'\(path)' in '\(archive)' has \(found) bytes, and the pack's manifest says "
        + "\(expected).",
      advice: "Archive the folder of the pack again.", file: archive)
  }

  static func noSpaceToUnpack(_ archive: String, needed: Int64, free: Int64) -> ToolError {
    ToolError(
      exitCode: .inputOutput,
      message: "'\(archive)' was not unpacked: it needs \(needed) bytes, and \(free) are free in "
        + "the temporary folder.",
      advice: "Free some space, or set TMPDIR to a folder on another volume.", file: archive)
  }

  static func notUnpacked(_ archive: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .inputOutput,
      message: "'\(archive)' was not unpacked into the temporary folder: \(reason).",
      advice: "Free some space, or set TMPDIR to a folder on another volume.", file: archive)
  }

  // MARK: Stores

  static func severalGenerations(_ version: String, _ names: [String]) -> ToolError {
    ToolError(
      exitCode: .usage,
      message: "Several generations have the version \(version): '"
        + "\(names.joined(separator: "', '"))'.",
      advice: "Give the name of one of them.")
  }

  static func notCleaned(_ reason: String) -> ToolError {
    ToolError(
      exitCode: .unavailable, message: "The clean-up was not completed: \(reason)",
      advice: "Clean again later.")
  }
}
