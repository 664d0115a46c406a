import Dispatch

/// A gate that opens once and then lets all current and later waiters pass.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate permanently.
  public func open() {
    semaphore.signal()
  }

  /// Blocks the calling thread until the gate is open; ends the process after a minute.
  ///
  /// - Parameters:
  ///   - file: The file of the call, for the message at the end of the process.
  ///   - line: The line of the call.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    guard semaphore.wait(timeout: .now() + 60) == .success else {
      fatalError("The gate was not opened within a minute.", file: file, line: line)
    }
    semaphore.signal()
  }
}
