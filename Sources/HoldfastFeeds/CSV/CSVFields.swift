/// The borrowed fields of a block's rows, which are accessed without checks in an optimized build.
///
/// They are valid only during the call to which they are passed.
@safe struct CSVFields {
  /// The number of rows.
  let rowCount: Int
  private let bytes: UnsafePointer<UInt8>
  private let fields: UnsafeBufferPointer<CSVRows.Field>
  private let rows: UnsafeBufferPointer<CSVRows.Row>
  private let flawCount: Int

  init(
    bytes: UnsafePointer<UInt8>, fields: UnsafeBufferPointer<CSVRows.Field>,
    rows: UnsafeBufferPointer<CSVRows.Row>, flawCount: Int
  ) {
    rowCount = rows.count
    unsafe (self.bytes, self.fields, self.rows) = (bytes, fields, rows)
    self.flawCount = flawCount
  }

  /// Returns the number of the first field of a row.
  @inline(__always) func first(_ row: Int) -> Int { unsafe Int(rows[row].firstField) }

  /// Returns the number of fields of a row.
  @inline(__always) func count(_ row: Int) -> Int {
    unsafe (row + 1 < rowCount ? first(row + 1) : fields.count) - first(row)
  }

  /// Returns whether the text of a row has a flaw.
  @inline(__always) func hasFlaw(_ row: Int) -> Bool {
    let end = unsafe row + 1 < rowCount ? Int(rows[row + 1].firstFlaw) : flawCount
    return unsafe end > Int(rows[row].firstFlaw)
  }

  /// Returns the number of lines before a row in the block.
  @inline(__always) func line(_ row: Int) -> Int { unsafe Int(rows[row].line) }

  /// Returns the position of a field in the bytes of the block.
  @inline(__always) func start(_ field: Int) -> Int { unsafe Int(fields[field].start) }

  /// Returns whether a field is empty.
  @inline(__always) func isBlank(_ field: Int) -> Bool { unsafe fields[field].isEmpty }

  /// Returns the bytes of a field.
  @inline(__always) subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
    let (start, end) = unsafe (Int(fields[field].start), Int(fields[field].end))
    return unsafe UnsafeBufferPointer(start: bytes + start, count: end - start)
  }

  /// Appends the bytes of a field to others.
  func append(_ field: Int, to buffer: inout [UInt8]) {
    unsafe buffer.append(contentsOf: self[field])
  }

  /// Returns the bytes from a position in the block on.
  @inline(__always) func bytes(at start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: bytes + start, count: count)
  }
}

extension CSVRows {
  /// Calls a closure with the fields of the rows; `nil` if there are no rows.
  func withFields<Result>(_ body: (CSVFields) -> Result) -> Result? {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      return unsafe fields.withUnsafeBufferPointer { fields in
        unsafe rows.withUnsafeBufferPointer { rows in
          unsafe body(CSVFields(bytes: base, fields: fields, rows: rows, flawCount: flaws.count))
        }
      }
    }
  }
}
