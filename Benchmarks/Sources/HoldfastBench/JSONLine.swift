import Foundation

/// A measurement for programs: one JSON object on one line, with every key always present.
struct JSONLine: Encodable {
  private let group: String
  private let measurement: Measurement
  private let isShort: Bool

  /// Whether no enforced bound is missed; always true for a short run.
  var ok: Bool { isShort || !measurement.isMissed }

  private enum Key: String, CodingKey {
    case group, name = "case", value, unit, reference, ratio, bound, ok, short
    case allocations, referenceAllocations = "reference_allocations"
  }

  init(_ measurement: Measurement, group: Group, isShort: Bool) {
    self.group = group.rawValue
    self.measurement = measurement
    self.isShort = isShort
  }

  func encode(to encoder: any Encoder) throws {
    let bound = measurement.bound
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(group, forKey: .group)
    try object.encode(measurement.name, forKey: .name)
    try object.encode(measurement.value.shortened, forKey: .value)
    try object.encode(measurement.unit, forKey: .unit)
    try object.encode(measurement.reference?.shortened, forKey: .reference)
    try object.encode(measurement.ratio?.shortened, forKey: .ratio)
    try object.encode(bound?.limit, forKey: .bound)
    try object.encode(ok, forKey: .ok)
    try object.encode(isShort, forKey: .short)
    try object.encode(measurement.allocations?.shortened, forKey: .allocations)
    try object.encode(measurement.floorAllocations?.shortened, forKey: .referenceAllocations)
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// Writes the lines of a group to `.build/bench` of the measured package.
  static func write(_ lines: [String], for group: Group) throws {
    let text = lines.map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: BenchFolder.url().appending(path: "\(group.rawValue).jsonl"))
  }
}

extension Double {
  /// The number rounded to three decimals; further ones are noise.
  fileprivate var shortened: Double { (self * 1000).rounded() / 1000 }
}
