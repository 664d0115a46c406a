import Foundation

/// What the command line asks for.
struct Options {
  private(set) var groups = Group.allCases

  /// Small sizes and one run, to check that both sides do the same work.
  private(set) var isShort = false

  /// Whether processor time is measured in place of the time that passes; see `Stopwatch`.
  private(set) var isOfProcessorTime = false

  /// A piece of the names of the cases to run, all when `nil`.
  private(set) var caseName: String?

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--short": isShort = true
      case "--processor-time": isOfProcessorTime = true
      case "--case":
        guard let name = arguments.next() else {
          throw BenchmarkError.usage("--case takes a piece of a case's name.")
        }
        caseName = name
      case "--only":
        guard let name = arguments.next(), let group = Group(rawValue: name) else {
          throw BenchmarkError.usage("--only takes one of the groups.")
        }
        groups = [group]
      default: throw BenchmarkError.usage("There is no option \(argument).")
      }
    }
  }

  /// Whether the case is asked for.
  func wants(_ subject: Case) -> Bool {
    caseName.map { subject.name.localizedCaseInsensitiveContains($0) } ?? true
  }
}
