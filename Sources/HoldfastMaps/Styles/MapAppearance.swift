/// The appearance of a map: light or dark.
public enum MapAppearance: String, Hashable, Sendable, CaseIterable, Codable {
  /// For the day, and for apps with a light appearance.
  case light
  /// For the night, and for apps with a dark appearance.
  case dark

  /// The name of the style document of this appearance.
  public var styleName: String { "style-\(rawValue).json" }
}
