import Foundation

/// The options of the command line.
struct Options {
  private(set) var groups = Group.allCases

  /// Whether to use small sizes and one run, only to check that both sides do the same work.
  private(set) var isShort = false

  /// Whether processor time is measured instead of elapsed time; see `Stopwatch`.
  private(set) var isOfProcessorTime = false

  /// A part of the names of the cases to run; `nil` for all cases.
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

  /// Returns whether the case is to be run.
  func wants(_ subject: Case) -> Bool {
    caseName.map { subject.name.localizedCaseInsensitiveContains($0) } ?? true
  }
}
