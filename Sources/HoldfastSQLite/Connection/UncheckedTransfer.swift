/// A transfer of a value that is not `Sendable` from its only owner to the next.
///
/// Sendable because it is created from a `sending` value and opened once: at any time only one side
/// can reach the value. The compiler checks `sending` at function boundaries, but not through a
/// dispatch queue.
package struct UncheckedTransfer<Value>: @unchecked Sendable {
  private let value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  package func take() -> sending Value {
    // Sendable because the transfer is opened once: the receiver is the value's only owner.
    nonisolated(unsafe) let value = value
    return unsafe value
  }
}
