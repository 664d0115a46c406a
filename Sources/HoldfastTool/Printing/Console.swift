import Foundation
import HoldfastFiles
import Synchronization

/// Standard output and standard error, written in whole lines by any number of threads.
///
/// A progress bar on standard error is erased before each line and at the end. Lines for a pipe or
/// a file are buffered up to 32 KiB; ``flush()`` writes them.
///
/// Lines contain texts of databases and files. What a terminal would obey is escaped here: in all lines on
/// standard error, and in those on standard output if it is a terminal.
final class Console: Sendable {
  /// One of the two streams.
  struct Channel: Sendable {
    let file: FileHandle
    /// The width of the terminal that the stream is connected to; `nil` when it is not a terminal.
    let columns: Int?
    /// Whether it is a terminal that shows styles.
    var isStyled = false
  }

  private struct State {
    var pending: [UInt8] = []
    var isBarShown = false
    var barWasDrawn: ContinuousClock.Instant?
  }

  let output: Channel
  let errors: Channel
  private let state = Mutex(State())
  private let farewells = Mutex<[@Sendable () -> Void]>([])

  private struct UndoableWork {
    var isRunning = false
    /// The exit code of an interruption that waits for the work to be undone.
    var exitCode: Int32?
    /// Each ends a step of the work that does not check for interruptions itself; several threads may have one.
    var stops: [UUID: @Sendable () -> Void] = [:]
  }

  private let undoableWork = Mutex(UndoableWork())

  init(output: Channel, errors: Channel) {
    (self.output, self.errors) = (output, errors)
  }

  /// The console of this process.
  static func standard() -> Console {
    Console(
      output: Channel(.standardOutput, descriptor: 1),
      errors: Channel(.standardError, descriptor: 2))
  }

  // MARK: Lines

  /// Prints lines on standard output.
  ///
  /// - Throws: ``ToolError`` with `.outputClosed` when the reader has closed the pipe, with
  ///   `.inputOutput` when they cannot be written, for example on a full disk.
  func print(_ lines: String) throws(ToolError) { try print(StyledText(lines)) }

  /// Prints lines on standard output, with their styles if it is a terminal that shows them.
  ///
  /// - Throws: The same errors as ``print(_:)``.
  func print(_ lines: StyledText) throws(ToolError) {
    try state.withLock { state throws(ToolError) in
      let text = lines.rendered(
        escapingControls: output.columns != nil, isStyled: output.isStyled)
      state.pending.append(contentsOf: text.utf8)
      state.pending.append(UInt8(ascii: "\n"))
      if output.columns != nil || state.pending.count >= 32 << 10 { try send(&state) }
    }
  }

  /// Writes bytes on standard output as they are, after the lines before.
  ///
  /// - Throws: The same errors as ``print(_:)``.
  func write(_ bytes: Data) throws(ToolError) {
    try state.withLock { state throws(ToolError) in
      state.pending.append(contentsOf: bytes)
      try send(&state)
    }
  }

  /// Writes the buffered lines, so that a waiting reader receives them.
  ///
  /// - Throws: The same errors as ``print(_:)``.
  func flush() throws(ToolError) {
    try state.withLock { state throws(ToolError) in try send(&state) }
  }

  /// Prints lines on standard error, after the buffered lines of standard output.
  ///
  /// A failure to write to standard error is ignored, because it cannot be reported anywhere.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - style: The style of the first line on a terminal.
  func complain(_ lines: [String], first style: TextStyle? = nil) {
    state.withLock { state in
      // There is no place left to report a failure of either stream.
      try? send(&state)
      eraseBar(&state)
      let text = lines.enumerated().map { index, line in
        StyledText(line.escapingControls, index == 0 ? style : nil)
          .rendered(escapingControls: false, isStyled: errors.isStyled) + "\n"
      }.joined()
      // As above.
      try? errors.file.write(contentsOf: Data(text.utf8))
    }
  }

  private func send(_ state: inout State) throws(ToolError) {
    guard !state.pending.isEmpty else { return }
    if output.columns != nil { eraseBar(&state) }
    let bytes = Data(state.pending)
    state.pending.removeAll(keepingCapacity: true)
    do {
      try output.file.write(contentsOf: bytes)
    } catch {
      throw .notWritten(error)
    }
  }

  // MARK: Progress bar

  /// Draws a bar in place of the last one, unless it was drawn very recently.
  func showBar(_ bar: (_ columns: Int) -> String) {
    // A bar is shown only on a terminal.
    guard let columns = errors.columns else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.barWasDrawn, last.duration(to: now) < .milliseconds(50) { return }
      state.barWasDrawn = now
      state.isBarShown = true
      // One column stays free: a full line would make some terminals wrap.
      let text = "\r" + bar(columns - 1) + Self.eraseToEnd
      try? errors.file.write(contentsOf: Data(text.utf8))
    }
  }

  /// Erases the bar.
  func endBar() {
    state.withLock { state in
      eraseBar(&state)
      state.barWasDrawn = nil
    }
  }

  private func eraseBar(_ state: inout State) {
    guard state.isBarShown else { return }
    state.isBarShown = false
    // See `complain(_:)`.
    try? errors.file.write(contentsOf: Data(("\r" + Self.eraseToEnd).utf8))
  }

  /// EL of ECMA-48: erases from the cursor to the end of the line.
  private static let eraseToEnd = "\u{1B}[K"

  // MARK: End

  /// Registers a closure to run before a signal terminates the process, the last one first.
  ///
  /// It must return quickly.
  func atEnd(_ body: @escaping @Sendable () -> Void) {
    farewells.withLock { $0.append(body) }
  }

  /// Runs work that leaves nothing behind when it throws.
  ///
  /// An interruption meanwhile makes ``checkInterruption()`` throw, and the process ends after the work.
  func undoing<Result>(_ work: () throws -> Result) rethrows -> Result {
    // Work does not begin once the process is about to end.
    let endingCode = undoableWork.withLock { work in
      work.isRunning = work.exitCode == nil
      return work.exitCode
    }
    if let endingCode { end(endingCode) }
    defer {
      let exitCode = undoableWork.withLock { work in
        work.isRunning = false
        return work.exitCode
      }
      if let exitCode { end(exitCode) }
    }
    return try work()
  }

  /// Runs a step of undoable work that takes long, such as a check by SQLite.
  ///
  /// - Parameters:
  ///   - stop: Called by an interruption, on another thread; it makes `body` throw soon.
  ///   - body: The step.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError` when the process was interrupted before; whatever `body` throws.
  func stoppable<Result>(
    by stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) throws -> Result {
    let step = UUID()
    undoableWork.withLock { $0.stops[step] = stop }
    defer { undoableWork.withLock { $0.stops[step] = nil } }
    try checkInterruption()
    return try body()
  }

  /// Throws when the process was interrupted, in work that can be undone.
  ///
  /// - Throws: `CancellationError`.
  func checkInterruption() throws {
    if isInterrupted { throw CancellationError() }
  }

  /// Whether the process was interrupted, and ends when its work is undone.
  var isInterrupted: Bool { undoableWork.withLock { $0.exitCode } != nil }

  /// Ends the process when no line is being written, or when work that runs has been undone.
  func interrupt(_ code: Int32) {
    let isUndoing = undoableWork.withLock { work in
      work.exitCode = code
      return work.isRunning
    }
    if !isUndoing { end(code) }
    stopSteps()
  }

  /// Ends the steps that run, again and again: SQLite forgets an interruption between two statements of a step.
  private func stopSteps() {
    let stops = undoableWork.withLock { Array($0.stops.values) }
    // No step begins any more.
    guard !stops.isEmpty else { return }
    for stop in stops { stop() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { self.stopSteps() }
  }

  /// Waits for the end of the process if an interruption is about to end it, at most for a minute.
  ///
  /// What a verb prints or fails for while its files are removed is of no use to anyone.
  func waitIfInterrupted() {
    guard isInterrupted else { return }
    // The thread that handles the signal ends the process, unless a file system holds it.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(60))
  }

  /// Ends the process when no line is being written, without sending on what was gathered.
  func end(_ code: Int32) -> Never {
    for body in farewells.withLock({ $0 }).reversed() { body() }
    return state.withLock { state in
      eraseBar(&state)
      // Not `exit`, whose cleanup would race with the other threads.
      _exit(code)
    }
  }
}

extension Console.Channel {
  fileprivate init(_ file: FileHandle, descriptor: Int32) {
    self.file = file
    // A terminal of unknown width is assumed to have the traditional 80 columns.
    self.columns =
      Terminal.isTerminal(descriptor) ? Terminal.columns(of: descriptor) ?? 80 : nil
    self.isStyled =
      columns != nil && TextStyle.isWanted(in: ProcessInfo.processInfo.environment)
  }
}

extension ToolError {
  /// Returns the error for a failed write, which distinguishes a closed pipe from other failures.
  fileprivate static func notWritten(_ error: any Error) -> ToolError {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    if cause.domain == NSPOSIXErrorDomain, cause.code == Int(EPIPE) { return .outputClosed(error) }
    return .outputNotWritten(reason: error.systemReason, error)
  }
}
