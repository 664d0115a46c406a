import Holdfast

/// The writer of a timetable's content in the compact format.
struct TimetableWriter {
  private let content: TimetableContent

  /// Checks the importer's guarantees.
  init(_ content: TimetableContent) {
    precondition(
      content.runs.allSatisfy {
        content.patterns.indices.contains(Int($0.pattern))
          && content.patterns[Int($0.pattern)].timings.indices.contains(Int($0.timing))
          && content.services.indices.contains(Int($0.service))
      },
      "A run's pattern, timing or service does not exist.")
    precondition(
      content.frequencies.allSatisfy { content.runs.indices.contains(Int($0.run)) },
      "A frequency's run does not exist.")
    self.content = content
  }

  /// Writes the content into the tables.
  func write(_ db: Database, progress: (Double) throws -> Void) throws {
    try progress(1)
  }
}
