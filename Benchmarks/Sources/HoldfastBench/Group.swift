/// The benchmarks that belong together, by the part of the library they are about.
enum Group: String, CaseIterable {
  case access
  case sharing

  /// What the cases are measured against.
  var floor: String {
    switch self {
    case .access: "the same work in C against SQLite's own interface, in turns with ours"
    case .sharing: "the same work without the other process"
    }
  }

  func cases(isShort: Bool) throws -> [Case] {
    switch self {
    case .access:
      try AccessCases(isShort: isShort).all + ObservationCases(isShort: isShort).all
    case .sharing: WatchCases(isShort: isShort).all
    }
  }
}
