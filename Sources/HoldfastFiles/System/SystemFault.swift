import Synchronization

/// A fault injected at one system call, so that tests can exercise failures, crashes and
/// interleavings.
///
/// It applies during a closure: `SystemCalls.$fault.withValue(SystemFault(…)) { … }`.
package final class SystemFault: Sendable {
  package enum Effect: Sendable {
    /// The call is not made and fails with this number.
    case fail(Errno)
    /// Like `fail`, for this call and all later ones.
    case failFromHere(Errno)
    /// The process ends with this status instead of making the call; nothing is flushed.
    case exit(status: Int32)
    /// The closure runs before the call is made, as if another process had been faster.
    case overtake(@Sendable () -> Void)
    /// The closure runs before this call and before all later ones are made.
    case watch(@Sendable (SystemCalls.Name) -> Void)
    /// This call and all later ones are interrupted once before they are made, except `close`, which
    /// is not retried.
    case interruptFromHere
    /// This call and all later ones fail with these numbers if they have these names.
    case refuse([SystemCalls.Name: Errno])
    /// From this call on, a name also finds a file whose name differs only in letter case or in
    /// Unicode normalization, as on a volume that ignores both. New files keep their names.
    case foldNames
  }

  private let ordinal: Int
  private let effect: Effect
  private let calls = Mutex<[SystemCalls.Name]>([])
  // Whether the next call is the retry of one that was interrupted.
  private let isRetry = Mutex(false)

  /// - Parameters:
  ///   - ordinal: The number of the affected call; the first one is 1.
  ///   - effect: The effect at that call.
  package init(atCall ordinal: Int, _ effect: Effect) {
    self.ordinal = ordinal
    self.effect = effect
  }

  /// The calls requested so far, including the affected one.
  package var callsSeen: [SystemCalls.Name] {
    calls.withLock { $0 }
  }

  /// Whether the affected call has been reached.
  package var hasStruck: Bool {
    callsSeen.count >= ordinal
  }

  /// Counts one call and returns the error that it must fail with, if any.
  func strike(_ name: SystemCalls.Name) -> Errno? {
    let reached = calls.withLock { calls in
      calls.append(name)
      return calls.count
    }
    switch effect {
    case .fail(let errno): return reached == ordinal ? errno : nil
    case .failFromHere(let errno): return reached >= ordinal ? errno : nil
    case .exit(let status):
      if reached == ordinal { SystemCalls.exitImmediately(status: status) }
      return nil
    case .overtake(let happening):
      if reached == ordinal { happening() }
      return nil
    case .watch(let happening):
      if reached >= ordinal { happening(name) }
      return nil
    case .interruptFromHere:
      guard reached >= ordinal, name != .close else { return nil }
      return isRetry.withLock { isRetry in
        isRetry.toggle()
        return isRetry ? .interrupted : nil
      }
    case .refuse(let refusals): return reached >= ordinal ? refusals[name] : nil
    case .foldNames: return nil
    }
  }

  /// Returns the path that a volume would find, if this fault folds names.
  func folded(_ path: String) -> String {
    guard case .foldNames = effect, callsSeen.count + 1 >= ordinal else { return path }
    return FoldedNames.path(path)
  }

  /// Returns the path that a volume would rename a file to, if this fault folds names: a file may
  /// get another form of its own name.
  func folded(_ newPath: String, renamedFrom path: String) -> String {
    let found = folded(newPath)
    let isOwnName = found.utf8.elementsEqual(folded(path).utf8)
    guard isOwnName else { return found }
    return String(found[..<Self.startOfName(found)]) + newPath[Self.startOfName(newPath)...]
  }

  private static func startOfName(_ path: String) -> String.Index {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
  }
}
