import Synchronization

/// A yes or no that several threads read and write.
public final class Switch: Sendable {
  private let state = Atomic(false)

  /// Makes a switch that is off.
  public init() {}

  /// What it stands at.
  public var isOn: Bool {
    get { state.load(ordering: .sequentiallyConsistent) }
    set { state.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
