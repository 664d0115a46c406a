/// `holdfast manual`.
struct Manual: Verb {
  let declaration = Declaration("manual", "Prints the manual page, in the format of man.")

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let page = ManualPage(tree: .holdfast, version: Version.number).text
    switch output.format {
    case .json: try output.record(["page": .text(page)])
    case .table, .csv: try output.console.print(page)
    }
    return .success
  }
}
