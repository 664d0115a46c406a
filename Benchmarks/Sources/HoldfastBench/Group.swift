/// The benchmarks that belong together, by the part of the library they are about.
enum Group: String, CaseIterable {
  case access

  /// What the cases are measured against.
  var floor: String {
    switch self {
    case .access: "the same work in C against SQLite's own interface, in turns with ours"
    }
  }

  func cases(isShort: Bool) throws -> [Case] {
    switch self {
    case .access:
      try AccessCases(isShort: isShort).all + ObservationCases(isShort: isShort).all
        + SizeCase().all
    }
  }
}
