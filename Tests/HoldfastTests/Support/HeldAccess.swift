import HoldfastTestSupport

/// An access on a thread of its own, which has its connection until it is released.
struct HeldAccess {
  private let leave = Gate()
  private let thread: OwnThread<Void>

  /// Begins an access, which calls the closure inside and then blocks, and waits until it does.
  init(_ access: @escaping @Sendable (_ hold: () -> Void) throws -> Void) async throws {
    let (inside, leave) = (Gate(), self.leave)
    thread = OwnThread {
      try access {
        inside.open()
        leave.wait()
      }
    }
    try await onOwnThread { inside.wait() }
  }

  /// Lets the access end.
  func release() { leave.open() }

  /// Waits until the access has ended.
  func end() async throws { try await thread.value }
}
