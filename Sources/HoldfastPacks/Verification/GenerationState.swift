/// The known state of a generation's files.
package enum GenerationState: Hashable, Sendable {
  /// They are the files that were verified.
  case whole
  /// They were not verified since they changed, if ever.
  case unverified
  /// They are missing, or not what the manifest says.
  case damaged
}
