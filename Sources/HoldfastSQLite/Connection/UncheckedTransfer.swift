/// Carries a value that is not `Sendable` from its one owner to the next.
///
/// Sendable because it is made from a `sending` value and opened once: at any time one side only
/// can reach what is inside. The compiler checks `sending` at function borders, but not through a
/// dispatch queue.
package struct UncheckedTransfer<Value>: @unchecked Sendable {
  private let value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  package func take() -> sending Value {
    // Sendable because the handover is opened once: whoever takes the value is its only owner.
    nonisolated(unsafe) let value = value
    return unsafe value
  }
}
