import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

// Every error message of the tool itself.
extension ToolError {
  // MARK: Command line

  static func unknownWord(_ word: String, in command: String, lookAlike: String?) -> ToolError {
    usage("'\(command)' does not know '\(word)'.", lookAlike: lookAlike, help: command)
  }

  static func missingVerb(of command: String, verbs: [String]) -> ToolError {
    usage(
      "'\(command)' needs a verb.",
      "Add one of \(verbs.joined(separator: ", ")), or see '\(command) --help'.")
  }

  static func unknownOption(_ name: String, of command: String, lookAlike: String?) -> ToolError {
    usage(
      "'\(command)' has no option '\(name)'.",
      lookAlike.map { "Did you mean '\($0)'? '\(command) --help' shows all options." }
        ?? "See '\(command) --help', or put -- before a word that begins with a hyphen.")
  }

  static func missingArgument(_ name: String, of command: String) -> ToolError {
    usage("'\(command)' needs \(name).", "Add it, or see '\(command) --help'.")
  }

  static func extraArgument(_ word: String, after command: String) -> ToolError {
    usage(
      "'\(command)' has no use for '\(word)'.",
      "Leave it out, or put quotes around words that belong together.")
  }

  static func missingValue(of option: String, spelling: String) -> ToolError {
    usage("'\(option)' needs a value.", "Write \(spelling).")
  }

  static func unwantedValue(_ value: String, of flag: String) -> ToolError {
    usage("'\(flag)' takes no value, but was given '\(value)'.", "Write \(flag) alone.")
  }

  static func givenTwice(_ option: String, first: String, second: String) -> ToolError {
    usage("'\(option)' was given twice, as '\(first)' and '\(second)'.", "Give it once.")
  }

  static func notAccepted(
    _ word: String, for name: String, expected: String, of command: String,
    lookAlike: String? = nil
  ) -> ToolError {
    let isAddress = ["http://", "https://"].contains { word.lowercased().contains($0) }
    return usage(
      "\(name) is \(expected), not '\(word)'.",
      lookAlike.map { "Did you mean '\($0)'? '\(command) --help' explains it." }
        ?? (isAddress
          ? "Fetch the file first, and name where it lies."
          : "Correct it, or see '\(command) --help'."))
  }

  static func notTogether(_ first: String, _ second: String) -> ToolError {
    usage("'\(first)' and '\(second)' cannot be given together.", "Leave one of them out.")
  }

  static func usage(_ message: String, _ advice: String) -> ToolError {
    ToolError(exitCode: .usage, message: message, advice: advice)
  }

  private static func usage(_ message: String, lookAlike: String?, help: String) -> ToolError {
    usage(
      message,
      lookAlike.map { "Did you mean '\($0)'? '\(help) --help' lists all of them." }
        ?? "See '\(help) --help'.")
  }

  // MARK: Input

  static func noTile(_ tile: String, _ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "The tileset '\(path)' has no tile \(tile).",
      advice: "Choose a zoom level and an area that 'holdfast map info' shows.")
  }

  static func templateIsFolder(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' is a folder, not the template of a style.",
      advice: "Name the template file itself.", file: path)
  }

  static func unreadableTemplate(_ path: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' cannot be read: \(reason).",
      advice: "Check the permissions of the template and of its folders.", file: path)
  }

  static func noFile(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "There is no file '\(path)'.",
      advice: path.hasPrefix("/")
        ? "Check the path." : "Check the path; it is relative to the current folder.",
      file: path)
  }

  // MARK: Output

  static func outputExists(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' already exists.",
      advice: "Name another file, or add --replace if no process has it open.", file: path)
  }

  static func outputIsFolder(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' is a folder, and a file is to be made.",
      advice: "Name a file in it.", file: path)
  }

  static func noOutputFolder(for path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' cannot be made: there is no such folder.",
      advice: "Make the folder first, or name another one.", file: path)
  }

  /// The error for a closed output, which is not printed (see ``Output/report(_:)``).
  static func outputClosed(_ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .outputClosed, message: "The output is no longer read.", underlying: cause)
  }

  static func outputNotWritten(reason: String, _ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .inputOutput,
      message: "Standard output could not be written: \(reason).",
      advice: "Send the output somewhere that is open for writing and has room, and run it again.",
      underlying: cause)
  }

  // MARK: Doctor

  static func noContainer(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "There is no folder '\(path)'.",
      advice: path.hasPrefix("/")
        ? "Check the path." : "Check the path; it is relative to the current folder.",
      file: path)
  }

  static func containerIsFile(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' is a file, not a folder.",
      advice: "Name the folder of the container, or the .xcappdata that Xcode downloaded; "
        + "'holdfast db check' checks one database.", file: path)
  }

  static func containerUnreadable(_ path: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' cannot be read: \(reason).",
      advice: "Check that you may read the folder.", file: path)
  }

  static func temporaryFolderInContainer(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate,
      message: "The temporary folder '\(path)' lies in the container, which must not be changed.",
      advice: "Set TMPDIR to a folder outside of it.", file: path)
  }

  static func noTemporaryFolder(_ path: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate,
      message: "No folder for copies of databases can be made in '\(path)': \(reason).",
      advice: "Set TMPDIR to a folder that you may write to.", file: path)
  }

  // MARK: Files

  static func noContainerLayout(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' has no Documents, Library or tmp in it.",
      advice: "Name the folder that contains them, or the .xcappdata.", file: path)
  }

  static func noLedgerDatabase(
    _ path: String, table: String?, databases: Int, unreadable: Int
  ) -> ToolError {
    let seen =
      unreadable == 0
      ? "" : "; \(unreadable == 1 ? "one file" : "\(unreadable) files") could not be read"
    return ToolError(
      exitCode: .noInput,
      message: databases == 0
        ? "'\(path)' contains no SQLite database\(seen)."
        : "No database in '\(path)' has \(table.map { "a table '\($0)'" } ?? "a known table")\(seen).",
      advice: table == nil
        ? "Name the database with --database, and its table with --table and --path-column."
        : "Check the name, or name the database with --database.", file: path)
  }

  static func tooManyPrefixes(_ count: Int, feeds: Int) -> ToolError {
    usage(
      "'--prefix' is given \(count) times, and there \(feeds == 1 ? "is 1 feed" : "are \(feeds) feeds").",
      "Give it once for each FEED, in their order.")
  }

  static func tooManyPrefixes(_ count: Int, messages: Int) -> ToolError {
    usage(
      "'--prefix' is given \(count) times, and '--live' \(messages == 1 ? "once" : "\(messages) times").",
      "Give it once for each --live, in their order.")
  }

  static func severalLedgerDatabases(_ path: String, _ names: [String]) -> ToolError {
    usage(
      "Several databases in '\(path)' have such a table: '\(names.joined(separator: "', '"))'.",
      "Name one of them with --database.")
  }

  static func noKnownTable(_ database: String) -> ToolError {
    ToolError(
      exitCode: .usage, message: "'\(database)' has no table of files that is known.",
      advice: "Name it with --table and --path-column, and --dialect if needed.", file: database)
  }

  static func needsTable(_ option: String) -> ToolError {
    usage("'\(option)' describes a table, and no table is named.", "Add --table TABLE.")
  }

  static func unknownTable(_ name: String, columns: [String]) -> ToolError {
    usage(
      "The table '\(name)' is not known, so the column of its paths must be named.",
      "Add --path-column with one of \(columns.joined(separator: ", ")), and --dialect if needed.")
  }

  static func noColumn(_ column: String, in table: String, columns: [String]) -> ToolError {
    usage(
      "The table '\(table)' has no column '\(column)'.",
      "Name one of \(columns.joined(separator: ", ")).")
  }

  static func noKey(of table: String, missing: String) -> ToolError {
    usage(
      "The table '\(table)' has no column '\(missing)' that identifies its rows.",
      "Add --id-column with the columns of a unique index.")
  }

  static func databaseInUse(_ path: String, _ reason: String) -> ToolError {
    ToolError(
      exitCode: .unavailable, message: "'\(path)' is in use. \(reason)",
      advice: "Close what uses it, or work on a copy of the container.", file: path)
  }

  static func databaseNotCopied(_ path: String, reason: String) -> ToolError {
    ToolError(
      exitCode: .inputOutput,
      message: "'\(path)' could not be copied to the temporary folder: \(reason).",
      advice: "Check that you may read it, or set TMPDIR to a folder with more room.", file: path)
  }

  static func noRoomForCopy(_ path: String, needed: Int64, free: Int64) -> ToolError {
    func megabytes(_ count: Int64) -> String { "\(count / 1_000_000 + 1) MB" }
    return ToolError(
      exitCode: .inputOutput,
      message: "'\(path)' was not copied to the temporary folder: it needs "
        + "\(megabytes(needed)), and \(megabytes(CopyShelf.reserve)) must stay free there; "
        + "\(megabytes(free)) are free.",
      advice: "Make room, or set TMPDIR to a folder on another volume.", file: path)
  }

  static func notAdopted(_ table: String, file: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "The table '\(table)' is not adopted by a ledger.",
      advice: "Run 'holdfast files adopt' first, or only look with --dry-run.", file: file)
  }

  /// Returns the error of a ledger, with what to do on the command line.
  static func ledger(_ error: LedgerError, file: String) -> ToolError {
    let (exitCode, advice): (ExitCode, String?) =
      switch error.code {
      case .notAdopted:
        (.badData, "Run 'holdfast files adopt' first, or only look with --dry-run.")
      case .absolutePaths:
        (.usage, "Add --dialect with the form that the app's own code reads, such as documents.")
      case .unknownTables:
        (.badData, "List the orphans in the app, which knows its tables.")
      default: (.badData, error.advice)
      }
    return ToolError(
      exitCode: exitCode, message: error.message, advice: advice, file: file, underlying: error)
  }

  // MARK: Demo

  static func demoFolderInUse(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' holds files that are not the demo's.",
      advice: "Name an empty folder, or one that does not exist yet.")
  }

  static func demoFolderIsFile(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' is a file, and the demo needs a folder.",
      advice: "Name an empty folder, or one that does not exist yet.")
  }

  static func demoFolderNotMade(_ path: String, _ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .cannotCreate,
      message: "The demo cannot write in '\(path)': \(cause.systemReason).",
      advice: "Name a folder that you may write to.", underlying: cause)
  }

  static func demoDisproved(_ sentence: String) -> ToolError {
    ToolError(
      exitCode: .internalFault, message: "The demo could not prove that \(sentence).",
      advice: "Please report it with everything the demo printed.")
  }

  static func noExecutable() -> ToolError {
    ToolError(
      exitCode: .unavailable, message: "The demo cannot find its own program to run it twice.",
      advice: "Run it by its path.")
  }

  static func secondProcessFailed(status: Int32) -> ToolError {
    ToolError(
      exitCode: .internalFault, message: "The second process ended with exit code \(status).",
      advice: "Run the command it was given by hand to see why.")
  }

  // MARK: Faults

  static func unexpected(_ error: any Error) -> ToolError {
    ToolError(
      exitCode: .internalFault,
      message: "Something happened that holdfast does not expect: \(error).",
      advice: "Please report it, with the command you ran and this text.",
      underlying: error)
  }
}

extension Error {
  /// The system's message, without the framework's introduction and without a full stop.
  var systemReason: String {
    let cause = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? self as NSError
    let reason = cause.localizedFailureReason ?? cause.localizedDescription
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}
