/// `holdfast --version` or `-V`.
struct Version: Verb {
  /// The version of the package, which is defined only here.
  static let number = "0.1.0"

  let declaration = Declaration("--version", short: "-V", "Prints the version.")

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    switch output.format {
    case .table, .csv: try output.line("holdfast \(Self.number)")
    case .json: try output.record(["version": .text(Self.number)])
    }
    return .success
  }
}
