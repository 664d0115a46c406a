/// What the command line asks for.
struct Options {
  private(set) var groups = Group.allCases

  /// Small sizes and one run, to check that both sides do the same work.
  private(set) var isShort = false

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--short": isShort = true
      case "--only":
        guard let name = arguments.next(), let group = Group(rawValue: name) else {
          throw BenchmarkError.usage("--only takes one of the groups.")
        }
        groups = [group]
      default: throw BenchmarkError.usage("There is no option \(argument).")
      }
    }
  }
}
