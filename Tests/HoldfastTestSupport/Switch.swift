import Synchronization

/// A Boolean value that several threads read and write.
public final class Switch: Sendable {
  private let state = Atomic(false)

  /// Creates a switch that is off.
  public init() {}

  /// A Boolean value that indicates whether the switch is on.
  public var isOn: Bool {
    get { state.load(ordering: .sequentiallyConsistent) }
    set { state.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
