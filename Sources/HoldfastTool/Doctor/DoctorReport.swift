import Holdfast

/// The result of an examination, as it is printed.
struct DoctorReport: Sendable {
  let findings: [Finding]
  private let unlistedCount: Int
  private let fileCount: Int
  private let databaseCount: Int
  private let hasLayout: Bool

  init(_ examination: ContainerExamination) {
    findings = examination.findings.sorted
    unlistedCount = examination.findings.unlistedCount
    (fileCount, databaseCount) = (examination.fileCount, examination.databaseCount)
    hasLayout = examination.container.data != nil
  }

  /// Whether something is or will go wrong; what was not examined does not count.
  var hurts: Bool { findings.contains { $0.severity != .note } }

  /// The lines after the findings.
  var summary: [String] {
    var lines: [String] = []
    if unlistedCount > 0 { lines.append("\(unlistedCount) more of the same kinds are not listed.") }
    if !hasLayout, fileCount > 0 {
      lines.append(
        "There is no Documents, Library or tmp in it, so whether stored paths lead to files was "
          + "not decided.")
    }
    func number(_ severity: Finding.Severity) -> Int {
      findings.count { $0.severity == severity }
    }
    let counts = [
      Self.count(number(.error), "error"), Self.count(number(.warning), "warning"),
      Self.count(number(.note), "note"),
    ].compactMap { $0 }
    let examined =
      "\(Self.count(fileCount, "file") ?? "no file") and "
      + "\(Self.count(databaseCount, "database") ?? "no database") seen"
    if databaseCount > 0 { lines.append("The tool runs on \(SQLiteLibrary.current).") }
    lines.append(
      counts.isEmpty
        ? "Nothing that hurts: \(examined)."
        : "\(counts.joined(separator: ", ")): \(examined).")
    return lines
  }

  private static func count(_ number: Int, _ thing: String) -> String? {
    number == 0 ? nil : Count.of(number, thing)
  }
}

extension Finding {
  /// The finding as it is printed, with its severity in a color and an empty line at the end.
  func text(columns: Int?) -> StyledText {
    let lines = lines(columns: columns).joined(separator: "\n") + "\n"
    let word = severity.rawValue
    guard lines.hasPrefix(word) else { return StyledText(lines) }
    let style: TextStyle =
      switch severity {
      case .error: .red
      case .warning: .yellow
      case .note: .bold
      }
    var text = StyledText(word, style)
    text.append(String(lines.dropFirst(word.count)))
    return text
  }

  /// The finding as a heading and indented paragraphs.
  ///
  /// - Parameter columns: The width of the terminal; `nil` for a file or a pipe, where nothing is
  ///   wrapped.
  /// - Returns: The lines, without line endings.
  func lines(columns: Int?) -> [String] {
    let heading = [
      file, place.table.map { "table \($0)" }, place.column.map { "column \($0)" },
      place.key.flatMap { $0.isEmpty ? nil : "key \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
    let times = count > 1 ? " (\(count) times)" : ""
    var lines = Self.wrapped("\(severity.rawValue): ", heading + times, columns, indent: 2)
    lines += Self.wrapped("  ", message, columns, indent: 2)
    if let example { lines += Self.wrapped("  for example: ", example, columns, indent: 4) }
    if let becomes { lines += Self.wrapped("  would become: ", becomes, columns, indent: 4) }
    lines += Self.wrapped("  why: ", reason, columns, indent: 4)
    lines += Self.wrapped("  do: ", advice, columns, indent: 4)
    return lines
  }

  private static func wrapped(
    _ label: String, _ text: String, _ columns: Int?, indent: Int
  ) -> [String] {
    let text = text.escapingControls
    guard let columns else { return [label + text] }
    let blank = String(repeating: " ", count: min(indent, columns / 4))
    var lines: [String] = []
    let head = label.drop { $0 == " " }
    let start = String(label.prefix { $0 == " " })
    for piece in (head + text).wrapped(toColumns: max(1, columns - indent)) {
      // A path may be longer than a line.
      for part in piece.broken(toColumns: max(1, columns - indent)) {
        lines.append((lines.isEmpty ? start : blank) + part)
      }
    }
    return lines
  }
}
