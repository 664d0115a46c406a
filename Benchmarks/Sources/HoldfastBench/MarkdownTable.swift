import Foundation

/// The measurements of a group as a table, printed line by line.
struct MarkdownTable {
  private let nameWidth: Int

  init(caseNames: [String]) {
    nameWidth = caseNames.map(\.count).max() ?? 0
  }

  var head: String {
    """
    \(line("case", "ours", "floor", "unit", "ratio", "spread", "allocations", "floor's", "bound", "reached"))
    \(line("---", "--:", "--:", "---", "--:", "---", "--:", "--:", "--:", "---"))
    """
  }

  func row(_ measurement: Measurement, isShort: Bool) -> String {
    let spread = measurement.ratios.map { ratios in
      "\(Self.number(ratios.min(), digits: 2)) to \(Self.number(ratios.max(), digits: 2))"
    }
    return line(
      measurement.name,
      Self.number(measurement.value, digits: 0),
      Self.number(measurement.reference, digits: 0),
      measurement.unit,
      Self.number(measurement.ratio, digits: 2),
      spread ?? "–",
      Self.number(measurement.allocations, digits: 1),
      Self.number(measurement.floorAllocations, digits: 1),
      Self.limit(measurement.bound),
      isShort ? "not judged" : Self.verdict(measurement))
  }

  /// Returns the row of a case that cannot be run here.
  func row(skipped name: String, because reason: String) -> String {
    line(name, "–", "–", "–", "–", "–", "–", "–", "–", "skipped: \(reason)")
  }

  private static func limit(_ bound: Bound?) -> String {
    bound.map { limit($0.limit) } ?? "–"
  }

  private static func verdict(_ measurement: Measurement) -> String {
    guard let bound = measurement.bound else { return "–" }
    return switch bound.standing {
    case .enforced: measurement.isMissed ? "MISSED" : "reached"
    case .unreached(let reason, let profile): "unreached: \(reason) (\(profile))"
    }
  }

  private static func limit(_ value: Double) -> String {
    String(format: "%g", value)
  }

  private static func number(_ value: Double?, digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "–"
  }

  private func line(_ cells: String...) -> String {
    let widths = [nameWidth, 6, 6, 10, 6, 14, 11, 7, 5, 22]
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      // Texts are left-aligned, numbers right-aligned.
      return [0, 3, 5, 9].contains(index) ? cell.0 + blanks : blanks + cell.0
    }
    return "| \(padded.joined(separator: " | ")) |"
  }
}
