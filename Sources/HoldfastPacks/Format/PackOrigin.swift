/// The origin of a pack.
public enum PackOrigin: String, Hashable, Sendable {
  /// The app's bundle.
  case bundle
  /// A folder, such as one that was downloaded; preferred to the bundle.
  case folder
}
