/// The benchmarks that belong together, by the part of the library they are about.
enum Group: String, CaseIterable {
  case access

  func cases(isShort: Bool) throws -> [Case] {
    switch self {
    case .access: try AccessCases(isShort: isShort).all
    }
  }
}
