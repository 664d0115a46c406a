import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTransit

// How the libraries' errors present themselves on the command line.

extension FeedError: ReportedError {
  var exitCode: ExitCode {
    switch code {
    case .notFound, .unreadable: .noInput
    case .foreignOutput: .cannotCreate
    case .unsoundDatabase: .internalFault
    default: .badData
    }
  }
}

extension TransitError: ReportedError {
  var exitCode: ExitCode { code == .notFound ? .noInput : .badData }
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

extension DatabaseError: ReportedError {
  var exitCode: ExitCode {
    switch resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .unavailable
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: .badData
    // The SQL that was given has a mistake, or tries to write.
    case .SQLITE_ERROR, .SQLITE_MISUSE, .SQLITE_READONLY: .usage
    case .SQLITE_CANTOPEN, .SQLITE_AUTH, .SQLITE_PERM: .noInput
    case .SQLITE_FULL, .SQLITE_IOERR: .inputOutput
    default: .internalFault
    }
  }

  var message: String { description }
  var file: String? { path }
}
