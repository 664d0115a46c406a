import Foundation
import HoldfastMaps
import HoldfastPacks

/// The build plugin's tool: `HoldfastPackTool SOURCE OUT` builds a pack as `holdfast pack build` does.
///
/// It is a program of its own, because a plugin's tool is built on each machine on which
/// the app is built: this one needs no library that reads feeds, and has little to compile.

let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
guard arguments.count == 2 else {
  fail(
    "HoldfastPackTool", "it takes a folder with a pack's files, and the folder of the pack",
    EX_USAGE)
}
do {
  var builder = PackBuilder(
    try PackDescription(of: arguments[0]), packCheck: PackBuilder.mapPackCheck)
  builder.replacesPack = true
  let report = try builder.build(filesIn: arguments[0], to: arguments[1])
  for warning in report.warnings {
    FileHandle.standardError.write(Data("\(arguments[0].path): warning: \(warning)\n".utf8))
  }
  let verification = try PackVerification(of: arguments[1])
  if let flaw = verification.flaws.first { fail(arguments[1].path, "\(flaw)", EX_DATAERR) }
  if let (path, error) = verification.unread.first {
    fail(arguments[1].path, "'\(path)' was not verified: \(error)", EX_IOERR)
  }
} catch {
  fail(arguments[0].path, "\(error)", EX_DATAERR)
}

/// Ends the program with a line in the form in which build systems show errors at their file.
func fail(_ path: String, _ message: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("\(path): error: \(message)\n".utf8))
  exit(status)
}
