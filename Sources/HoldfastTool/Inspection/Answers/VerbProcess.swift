import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import Synchronization

/// Other verbs of this tool, whose answers the page shows.
///
/// Each runs in a process of its own: it opens and closes files of the container, and closing a file in this
/// process would release the locks that SQLite holds on it here.
final class VerbProcess: Sendable {
  private let executable: URL?
  private let running = Mutex<(processes: [Process], isEnding: Bool)>(([], false))
  private let shared = SharedWork<[String], Answer>()
  /// Two at a time: one that reads a whole container must not keep a short one waiting.
  private let turns = DispatchSemaphore(value: 2)

  /// The output of a verb.
  struct Answer: Sendable {
    /// The objects that it printed, one per line, as they are.
    var lines: [String]

    /// The objects as a list in JSON.
    var list: String { "[" + lines.joined(separator: ",") + "]" }
  }

  /// A verb that failed: the object with its error.
  struct Failure: Error {
    var json: String
    var status: Int
  }

  /// Creates the runner of verbs.
  ///
  /// - Parameter executable: The tool; `nil` when the system does not say which program runs.
  init(executable: URL? = Bundle.main.executableURL) { self.executable = executable }

  /// Runs a verb, and waits until it ends; one that runs already with the same words is waited for.
  ///
  /// - Parameters:
  ///   - words: The verb and its options, without `--json`.
  ///   - path: What it examines.
  /// - Returns: What it printed.
  /// - Throws: ``Failure``; ``ToolError`` when it cannot be started.
  func answer(_ words: [String], _ path: FilePath) throws -> Answer {
    try shared.value(of: words + [path.text]) {
      turns.wait()
      defer { turns.signal() }
      return try run(words, path)
    }
  }

  private func run(_ words: [String], _ path: FilePath) throws -> Answer {
    guard let executable else { throw ToolError.noExecutable() }
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = words + ["--json", "--", path.text]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try running.withLock { running in
      if running.isEnding { throw ToolError.inspectionEnded }
      try process.run()
      running.processes.append(process)
    }
    defer { running.withLock { $0.processes.removeAll { $0 === process } } }
    // Both at a time, because one that is full keeps the process waiting.
    let complaint = Mutex(Data())
    let isRead = DispatchSemaphore(value: 0)
    let errorFile = errors.fileHandleForReading
    DispatchQueue.global().async {
      // What cannot be read is not there.
      let bytes = (try? errorFile.readToEnd()) ?? nil
      complaint.withLock { $0 = bytes ?? Data() }
      isRead.signal()
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    isRead.wait()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let code = process.terminationReason == .exit ? process.terminationStatus : -1
    // A check that found problems has succeeded.
    guard code != 0, code != ExitCode.problemsFound.rawValue else { return Answer(lines: lines) }
    let last = complaint.withLock { String(decoding: $0, as: UTF8.self) }
      .split(separator: "\n").last.map(String.init)
    guard let last, last.hasPrefix("{") else {
      throw ToolError.secondProcessFailed(status: process.terminationStatus)
    }
    throw Failure(json: last, status: ErrorStatus.status(of: ExitCode(rawValue: code)))
  }

  /// The numbers of this process and of the verbs that run, which open files of the container for a moment.
  var processNumbers: Set<Int32> {
    let running = running.withLock { $0.processes.map(\.processIdentifier) }
    return Set(running + [ProcessInfo.processInfo.processIdentifier])
  }

  /// Ends the verbs that run, which remove what they made.
  func end() {
    let processes = running.withLock { running in
      running.isEnding = true
      return running.processes
    }
    for process in processes { process.terminate() }
  }
}

/// The status of an answer that is an error.
enum ErrorStatus {
  static func status(of code: ExitCode?) -> Int {
    switch code {
    case .usage: 400
    case .noInput: 404
    case .unavailable: 503
    case .badData: 422
    default: 500
    }
  }

  /// Returns the answer to a request that failed.
  static func response(to error: any Error) -> HTTPResponse {
    if let failure = error as? VerbProcess.Failure {
      return HTTPResponse(json: failure.json, status: failure.status)
    }
    var error = error
    if let failure = error as? DatabaseError, failure.resultCode == .SQLITE_TOOBIG {
      error = InspectionError.tooLongValue()
    }
    let report = ErrorReport(error)
    let status =
      (report.error as? InspectionError)?.status ?? status(of: report.error.exitCode)
    return HTTPResponse(json: report.record.json, status: status)
  }
}
