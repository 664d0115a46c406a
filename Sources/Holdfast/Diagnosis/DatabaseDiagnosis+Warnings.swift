extension DatabaseDiagnosis {
  /// The problems of the database, each as a sentence with advice.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files>
  public var warnings: [String] {
    guard let log, let reader = oldestReader else { return [] }
    let waiting = log.frameCount - log.checkpointedFrameCount
    // SQLite checkpoints automatically at 1000 frames; at several times that it was prevented.
    guard waiting >= Self.starvation, reader.frame < log.frameCount else { return [] }
    return [
      "\(waiting) frames of the write-ahead log wait for a checkpoint, which cannot pass "
        + "\(reader.holder), which still reads the state of frame \(reader.frame): end that read."
    ]
  }

  static let starvation = 4000
}

extension DatabaseDiagnosis.Reader {
  /// The name and number of the process, as far as they are known.
  var holder: String {
    switch (processName, processIdentifier) {
    case (let name?, let number?): "\(name) (\(number))"
    case (nil, let number?): "process \(number)"
    default: "an unknown process"
    }
  }
}
