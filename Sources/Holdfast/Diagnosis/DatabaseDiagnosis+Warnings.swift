extension DatabaseDiagnosis {
  /// What is not as it should be, a sentence each, with what to do about it.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files>
  public var warnings: [String] {
    guard let log, let reader = oldestReader else { return [] }
    let waiting = log.frameCount - log.checkpointedFrameCount
    // SQLite checkpoints by itself at 1000 frames; several times that, and it was kept from it.
    guard waiting >= Self.starvation, reader.frame < log.frameCount else { return [] }
    return [
      "\(waiting) frames of the write-ahead log wait for a checkpoint, which cannot pass "
        + "\(reader.holder), who still reads the state of frame \(reader.frame): end that read."
    ]
  }

  static let starvation = 4000
}

extension DatabaseDiagnosis.Reader {
  /// The process, by its name and its number as far as they are known.
  var holder: String {
    switch (processName, processIdentifier) {
    case (let name?, let number?): "\(name) (\(number))"
    case (nil, let number?): "process \(number)"
    default: "an unknown process"
    }
  }
}
