extension LockTable {
  /// The name of a lock that SQLite takes.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lockingv3.html>,
  ///   <https://www.sqlite.org/walformat.html#wal_locks>
  public enum Name: Hashable, Sendable {
    /// On the database: a writer waits for the readers to end, and no new read may begin.
    case pending
    /// On the database: a process is about to write, while reads continue.
    case reserved
    /// On the database: a process reads, or has a write-ahead log open.
    case shared
    /// On the database: a process writes, and no other may read or write.
    case exclusive
    /// On the wal-index: a process writes to the log.
    case walWrite
    /// On the wal-index: a process copies the log's pages into the database.
    case checkpoint
    /// On the wal-index: a process rebuilds the index after a crash.
    case recover
    /// On the wal-index: a process reads a state from the log; with mark 0 from the database alone.
    ///
    /// A write lock means that the mark is being moved.
    case readMark(Int)
    /// On the wal-index, the dead man's switch: it is open; a write lock while it is initialized.
    case deadManSwitch
    /// On the log or the journal, which SQLite never locks, or on Turso's `-tshm`: a process uses another engine.
    ///
    /// Its commits and SQLite's overwrite each other.
    case log
    /// On a whole file, such as a lock file; not a lock of SQLite's.
    case file
    /// On bytes that SQLite does not lock.
    case bytes
  }
}

extension LockTable.Name: CustomStringConvertible {
  /// The name as in SQLite's documentation.
  public var description: String {
    switch self {
    case .pending: "PENDING"
    case .reserved: "RESERVED"
    case .shared: "SHARED"
    case .exclusive: "EXCLUSIVE"
    case .walWrite: "WAL WRITE"
    case .checkpoint: "CHECKPOINT"
    case .recover: "RECOVER"
    case .readMark(let number): "READ mark \(number)"
    case .deadManSwitch: "DMS"
    case .log: "LOG"
    case .file: "FILE"
    case .bytes: "BYTES"
    }
  }
}

extension LockTable {
  /// The kind of a file, which determines what locks on its bytes mean to SQLite.
  enum Part: Hashable, Sendable {
    case database
    case sharedMemory
    case log
    case other

    /// The bytes that SQLite locks, in ascending order.
    ///
    /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#the_lock_byte_page>,
    ///   <https://www.sqlite.org/walformat.html#wal_locks>
    private var regions: [(name: Name, bytes: ClosedRange<Int64>)] {
      switch self {
      case .database:
        let first: Int64 = 0x4000_0000
        return [
          (.pending, first...first),
          (.reserved, first + 1...first + 1),
          (.shared, first + 2...first + 511),
        ]
      case .sharedMemory:
        let index: [(Name, ClosedRange<Int64>)] = [
          (.walWrite, 120...120), (.checkpoint, 121...121), (.recover, 122...122),
        ]
        // The switch is defined in os_unix.c only: UNIX_SHM_DMS.
        return index + (0..<5).map { (.readMark($0), 123 + Int64($0)...123 + Int64($0)) }
          + [(.deadManSwitch, 128...128)]
      case .log, .other:
        return []
      }
    }

    /// The ranges to query where a system reports locks by range only.
    var ranges: [ClosedRange<Int64>] {
      regions.isEmpty ? [0...Int64.max] : regions.map(\.bytes)
    }

    /// Splits locked bytes into SQLite's locks and the bytes between them; no byte is omitted.
    func pieces(
      of bytes: ClosedRange<Int64>, _ mode: Mode
    ) -> [(name: Name, bytes: ClosedRange<Int64>)] {
      if self == .log { return [(.log, bytes)] }
      var pieces: [(name: Name, bytes: ClosedRange<Int64>)] = []
      var next = bytes.lowerBound
      for region in regions where region.bytes.overlaps(bytes) {
        let piece = region.bytes.clamped(to: bytes)
        if next < piece.lowerBound { pieces.append((.bytes, next...piece.lowerBound - 1)) }
        // A write lock on the bytes of the readers' locks excludes all readers.
        let isExclusive = region.name == .shared && mode == .write
        pieces.append((isExclusive ? .exclusive : region.name, piece))
        next = piece.upperBound + 1
      }
      if pieces.isEmpty || next <= bytes.upperBound {
        pieces.append((.bytes, next...bytes.upperBound))
      }
      return Self.joiningExclusive(pieces)
    }

    /// Joins the three locks of the database, when all are held, into one: EXCLUSIVE.
    private static func joiningExclusive(
      _ pieces: [(name: Name, bytes: ClosedRange<Int64>)]
    ) -> [(name: Name, bytes: ClosedRange<Int64>)] {
      guard let first = pieces.firstIndex(where: { $0.name == .pending }),
        pieces.count > first + 2, pieces[first + 2].name == .exclusive
      else { return pieces }
      var pieces = pieces
      let bytes = pieces[first].bytes.lowerBound...pieces[first + 2].bytes.upperBound
      pieces.replaceSubrange(first...first + 2, with: [(.exclusive, bytes)])
      return pieces
    }
  }
}
