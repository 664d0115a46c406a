import Dispatch

/// Opens once; who waits before it goes on then, and who comes later does not wait.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes a closed gate.
  public init() {}

  /// Lets everybody through from now on.
  public func open() {
    semaphore.signal()
  }

  /// Holds the calling thread until the gate is open; ends the process after a minute.
  ///
  /// - Parameters:
  ///   - file: Where it is waited, for the sentence at the end of the process.
  ///   - line: The line there.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    guard semaphore.wait(timeout: .now() + 60) == .success else {
      fatalError("The gate was not opened within a minute.", file: file, line: line)
    }
    semaphore.signal()
  }
}
