import Foundation

/// `holdfast doctor CONTAINER [--large MB]`.
struct Doctor: Verb {
  private let container = Argument(
    "CONTAINER", "A copied container: a folder, or the .xcappdata that Xcode downloads.", .path)
  private let large = Option(
    "--large", "MB",
    "The size in megabytes from which on a file should be excluded from backups.",
    .integer(in: 1...1_000_000), otherwise: 20)

  var declaration: Declaration {
    Declaration(
      "doctor",
      "Reads a copied container of any app, changes nothing, and lists what will hurt.",
      container, large, example: "Samples")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let examination = try output.withProgress { bar in
      var examination = try ContainerExamination(
        of: arguments[container], largeByteCount: Int64(arguments[large]) * 1_000_000, bar: bar)
      try examination.run()
      return examination
    }
    let report = DoctorReport(examination)
    switch output.format {
    case .json:
      for finding in report.findings {
        try output.console.print(OutputRecord(finding: finding).json)
      }
    case .table, .csv:
      let columns = output.console.output.columns
      for finding in report.findings {
        try output.console.print(finding.text(columns: columns))
      }
    }
    try output.console.flush()
    for line in report.summary { output.note(line) }
    return report.hurts ? .problemsFound : .success
  }
}

extension OutputRecord {
  /// Creates the record of a finding; every key is always present, and null when it does not apply.
  fileprivate init(finding: Finding) {
    self = [
      "severity": .text(finding.severity.rawValue),
      "kind": .text(finding.kind.rawValue),
      "file": .text(finding.file),
      "table": Cell(finding.place.table),
      "column": Cell(finding.place.column),
      "key": Cell(finding.place.key),
      "count": Cell(finding.count),
      "message": .text(finding.message),
      "reason": .text(finding.reason),
      "advice": .text(finding.advice),
      "example": Cell(finding.example),
      "becomes": Cell(finding.becomes),
      "rowid": finding.row.map(Cell.integer) ?? .null,
    ]
  }
}
