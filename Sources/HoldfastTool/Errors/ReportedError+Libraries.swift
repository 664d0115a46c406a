import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastMaps
import HoldfastTransit

// The presentation of the libraries' errors on the command line.

extension FeedError: ReportedError {
  var exitCode: ExitCode {
    switch code {
    case .notFound, .unreadable: .noInput
    case .foreignOutput, .outputExists: .cannotCreate
    case .outputInUse: .unavailable
    case .unusablePrefix: .usage
    case .unsoundDatabase: .internalFault
    default: .badData
    }
  }
}

extension TransitError: ReportedError {
  var exitCode: ExitCode { [.notFound, .unreadable].contains(code) ? .noInput : .badData }
  var file: String? { path }
}

extension MapError: ReportedError {
  var exitCode: ExitCode { [.notFound, .missingAsset].contains(code) ? .noInput : .badData }
  var file: String? { path }
}

extension FileError: ReportedError {
  var exitCode: ExitCode {
    switch code {
    case .busy: .unavailable
    case .noSpace, .inputOutput, .notDurable: .inputOutput
    case .digestMismatch: .badData
    default: .cannotCreate
    }
  }

  var file: String? { path }
}

extension RowDecodingError: ReportedError {
  var exitCode: ExitCode { .badData }
  var advice: String? { "Create the database again, or restore it from its source." }
}

extension ToolError {
  /// Returns the error for the command line that corresponds to a library's error.
  static func database(_ error: DatabaseError) -> ToolError {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked(error)
    case .SQLITE_NOTADB: .notADatabase(error)
    case .SQLITE_CORRUPT: .damaged(error)
    case .SQLITE_CANTOPEN, .SQLITE_AUTH, .SQLITE_PERM: .notOpened(error)
    case .SQLITE_FULL: .diskFull(error)
    case .SQLITE_IOERR: .notReadOrWritten(error)
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
      .hotJournal(error)
    case .SQLITE_READONLY: .notReadWithoutWriting(error)
    // The tool's own SQL is correct, so the tables must be wrong.
    case .SQLITE_ERROR: .otherTables(error)
    // The content of the file decides about these.
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .refusedChange(error)
    case .SQLITE_NOMEM, .SQLITE_TOOBIG: .tooLargeValue(error)
    case .SQLITE_INTERRUPT: .endlessStatement(error)
    default: .unexpected(error)
    }
  }

  /// Returns the error for the command line of a file that is not opened for reading.
  static func sharing(_ error: SharingError) -> ToolError {
    guard error.code == .notADatabase else {
      return ToolError(
        exitCode: error.code == .busy ? .unavailable : .badData, message: error.message,
        advice: error.advice, file: error.path, underlying: error)
    }
    // The cause says whether a key is missing or wrong.
    let cause = error.underlying as? DatabaseError
    return .notADatabase(cause ?? DatabaseError(resultCode: .SQLITE_NOTADB, path: error.path))
  }
}
