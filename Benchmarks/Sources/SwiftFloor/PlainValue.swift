internal import CSQLiteCalls

/// A value that is bound to a parameter.
protocol PlainValue {
  func bind(_ row: PlainRow, _ index: CInt)
}

extension Int64: PlainValue {
  func bind(_ row: PlainRow, _ index: CInt) {
    unsafe sqlite3_bind_int64(row.statement, index, self)
  }
}

extension Double: PlainValue {
  func bind(_ row: PlainRow, _ index: CInt) {
    unsafe sqlite3_bind_double(row.statement, index, self)
  }
}

extension Bool: PlainValue {
  func bind(_ row: PlainRow, _ index: CInt) {
    unsafe sqlite3_bind_int64(row.statement, index, self ? 1 : 0)
  }
}

extension String: PlainValue {
  func bind(_ row: PlainRow, _ index: CInt) {
    // A literal or a text of the app is UTF-8 without a gap, so this copies nothing.
    var text = self
    text.withUTF8 { bytes in
      _ = unsafe calls_bind_text(row.statement, index, bytes.baseAddress, CInt(bytes.count))
    }
  }
}

extension Optional: PlainValue where Wrapped: PlainValue {
  func bind(_ row: PlainRow, _ index: CInt) {
    guard let self else {
      unsafe sqlite3_bind_null(row.statement, index)
      return
    }
    self.bind(row, index)
  }
}
