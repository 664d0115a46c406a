/// Why a generation is not removed, as far as its folder says.
///
/// It is a pure decision: whether files are open is up to the owner of the folder.
package enum GenerationNeed: Hashable, Sendable {
  /// It is the current generation.
  case current
  /// It was the current generation before.
  case previous
  /// A process uses it.
  case held(Lease)
  /// A process used it, and whether it runs is unknown.
  case mayBeHeld(Lease)

  /// Decides why a generation is needed; `nil` when the folder says nothing.
  ///
  /// - Parameters:
  ///   - name: The name of the generation.
  ///   - current: The name of the current generation; `nil` when no generation is protected so.
  ///   - previous: The name of the one before.
  ///   - uses: The leases of the generation that have not ended.
  package init?(
    of name: String, current: String?, previous: String?, _ uses: [LeaseFolder.Use]
  ) {
    if name == current {
      self = .current
    } else if name == previous {
      self = .previous
    } else if let held = uses.first(where: { $0.standing == .held }) {
      self = .held(held.lease)
    } else if let unknown = uses.first(where: { $0.standing == .unknown }) {
      self = .mayBeHeld(unknown.lease)
    } else {
      return nil
    }
  }
}
