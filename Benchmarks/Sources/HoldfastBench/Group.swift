/// A group of benchmarks, by the part of the library that they measure.
enum Group: String, CaseIterable {
  case access, sharing

  /// A description of the work that the cases are compared with.
  var floor: String {
    switch self {
    case .access: "the same work in C against SQLite's own interface, in turns with ours"
    case .sharing: "what the system or another process does without the library, where there is it"
    }
  }

  func cases(isShort: Bool) throws -> [Case] {
    switch self {
    case .access:
      try AccessCases(isShort: isShort).all + ObservationCases(isShort: isShort).all
        + SizeCase().all
    case .sharing:
      SuspensionCases(isShort: isShort).all + WatchCases(isShort: isShort).all
        + HistoryCases(isShort: isShort).all
    }
  }
}
