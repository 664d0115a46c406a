package import Foundation

/// Bytes on their way from where they are made to a connection, in a bounded buffer.
// Sendable because every access is under `condition`.
package final class ByteChannel: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [Data] = []
  private var waitingCount = 0
  private var isFinished = false
  private var hasFailed = false
  private var isClosed = false
  private var onClose: (@Sendable () -> Void)?
  private let capacity: Int
  private let heartbeat: Data?
  private let pause: TimeInterval

  /// The time between two looks whether somebody receives, in seconds.
  private static let lookPause: TimeInterval = 0.5

  /// A piece that a receiver gets.
  enum Piece {
    case bytes(Data)
    case end
    /// The bytes end before they are complete, which the receiver must see.
    case failure
  }

  /// Creates an empty channel.
  ///
  /// - Parameters:
  ///   - capacity: About how many bytes wait at most.
  ///   - heartbeat: What is received where nothing was sent for `pause` seconds, so that a receiver that
  ///     is gone is noticed; `nil` for none.
  ///   - pause: The time between two of them in seconds.
  package init(capacity: Int = 1 << 20, heartbeat: Data? = nil, pause: TimeInterval = 15) {
    (self.capacity, self.heartbeat, self.pause) = (capacity, heartbeat, pause)
  }

  /// Registers what is done when nobody receives any more, at once if that is so already.
  package func atClose(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    let isLate = isClosed
    if !isLate { onClose = body }
    condition.unlock()
    if isLate { body() }
  }

  /// Sends bytes, and waits while too many wait.
  ///
  /// - Returns: Whether they may be received: false also when the channel is finished meanwhile.
  package func send(_ bytes: Data) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while waitingCount > capacity, !isClosed, !isFinished { condition.wait() }
    return append(bytes)
  }

  /// Sends bytes without waiting.
  ///
  /// - Returns: Whether they may be received: false when too many wait, or nobody receives.
  package func offer(_ bytes: Data) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard waitingCount <= capacity else { return false }
    return append(bytes)
  }

  private func append(_ bytes: Data) -> Bool {
    guard !isClosed, !isFinished else { return false }
    if !bytes.isEmpty {
      waiting.append(bytes)
      waitingCount += bytes.count
    }
    condition.broadcast()
    return true
  }

  /// Ends the bytes after those that were sent.
  ///
  /// - Parameter complete: Whether they are all; otherwise the connection is broken, so that nobody takes
  ///   them for the whole.
  package func finish(complete: Bool = true) {
    condition.lock()
    defer { condition.unlock() }
    end(complete: complete)
  }

  /// Ends the bytes before they are complete, after some that say why, however many wait.
  package func breakOff(_ last: Data) {
    condition.lock()
    defer { condition.unlock() }
    _ = append(last)
    end(complete: false)
  }

  private func end(complete: Bool) {
    guard !isFinished else { return }
    isFinished = true
    hasFailed = !complete
    condition.broadcast()
  }

  /// Waits for bytes.
  ///
  /// - Parameter isGone: Asked again and again while there are none: whether nobody receives them any more.
  /// - Returns: The next bytes, or how they ended.
  func receive(until isGone: () -> Bool = { false }) -> Piece {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: pause)
    while waiting.isEmpty, !isFinished, !isClosed {
      let look = Date(timeIntervalSinceNow: Self.lookPause)
      _ = condition.wait(until: heartbeat == nil ? look : min(look, deadline))
      guard waiting.isEmpty, !isFinished, !isClosed else { break }
      if isGone() { return .failure }
      if let heartbeat, Date.now >= deadline { return .bytes(heartbeat) }
    }
    if isClosed { return .failure }
    guard !waiting.isEmpty else { return hasFailed ? .failure : .end }
    let bytes = waiting.removeFirst()
    waitingCount -= bytes.count
    condition.broadcast()
    return .bytes(bytes)
  }

  /// Ends the channel from the receiver's side.
  func close() {
    condition.lock()
    let body = isClosed ? nil : onClose
    isClosed = true
    onClose = nil
    condition.broadcast()
    condition.unlock()
    body?()
  }
}
