/// The places where a repair looks for a file that is not at its stored path, in their order.
public enum RepairStep: String, Hashable, Sendable, CaseIterable {
  /// A path where the app expects the file.
  case expectedPath
  /// The same relative path in another root.
  case otherRoot
  /// A file of the same length and digest.
  case identity
}
