import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Statement {
  /// Binds the values of a store to the first parameters.
  func bind(_ values: PackedValues) -> CInt {
    unsafe values.withCells { unsafe bind($0, in: $1, kept: $2) } ?? SQLITE_OK
  }

  /// Binds the values that there are.
  ///
  /// Values by position leave the parameters after them as they are, so that none may be bound there.
  ///
  /// - Returns: The result code of the first call that failed, or `SQLITE_OK`.
  func bindUnchecked(_ arguments: StatementArguments) -> CInt {
    guard arguments.named != nil else { return bind(arguments.packed) }
    let (values, _) = arguments.values(ofParameters: parameterCount, name: parameterName) { _ in
      .null
    }
    for (index, value) in values.enumerated() {
      let code = bind(value, at: CInt(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// Binds packed values to the first parameters, where they lie.
  ///
  /// - Parameters:
  ///   - values: At most as many as there are parameters are bound.
  ///   - bytes: Where their bytes begin, which stay there until other values are bound. It is no
  ///     NULL address, which would bind NULL.
  ///   - kept: Returns a value that is not among the bytes.
  /// - Returns: The result code of the first call that failed, or `SQLITE_OK`.
  func bind(
    _ values: UnsafeBufferPointer<PackedValue>, in bytes: UnsafeRawPointer,
    kept: (Int) -> DatabaseValue
  ) -> CInt {
    for position in 0..<min(values.count, parameterCount) {
      let index = CInt(truncatingIfNeeded: position + 1)
      let code =
        switch unsafe values[position] {
        case .null:
          unsafe sqlite3_bind_null(handle, index)
        case .int64(let value):
          unsafe sqlite3_bind_int64(handle, index, value)
        case .double(let value):
          unsafe sqlite3_bind_double(handle, index, value)
        case .text(let start, let count):
          unsafe holdfast_bind_text_static(handle, index, bytes + start, count)
        case .blob(let start, let count):
          unsafe holdfast_bind_blob_static(handle, index, bytes + start, count)
        case .kept(let number):
          bind(kept(number), at: index)
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// Binds integers to the parameters, which must be three.
  func bind(_ first: Int64, _ second: Int64, _ third: Int64) throws(DatabaseError) {
    guard parameterCount == 3 else { throw wrongCount(of: 3) }
    var code = unsafe sqlite3_bind_int64(handle, 1, first)
    if code == SQLITE_OK { code = unsafe sqlite3_bind_int64(handle, 2, second) }
    if code == SQLITE_OK { code = unsafe sqlite3_bind_int64(handle, 3, third) }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func bind(_ value: DatabaseValue, at index: CInt) -> CInt {
    if case .invalidText(let bytes) = value.content {
      return unsafe bytes.withUnsafeBytes { unsafe bindText($0, at: index) }
    }
    return switch value.storage {
    case .null: unsafe sqlite3_bind_null(handle, index)
    case .int64(let value): unsafe sqlite3_bind_int64(handle, index, value)
    case .double(let value): unsafe sqlite3_bind_double(handle, index, value)
    case .string(let value): bind(value, at: index)
    case .blob(let value): bind(value, at: index)
    }
  }

  // An empty text or blob may have no address, and a NULL address would bind NULL. A count past
  // the range of `int` is past SQLite's limit too, and is refused by it.

  private func bind(_ text: String, at index: CInt) -> CInt {
    let code = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      unsafe bindText(UnsafeRawBufferPointer(utf8), at: index)
    }
    if let code { return code }
    var native = text
    return native.withUTF8 { utf8 in unsafe bindText(UnsafeRawBufferPointer(utf8), at: index) }
  }

  private func bindText(_ utf8: UnsafeRawBufferPointer, at index: CInt) -> CInt {
    guard let address = utf8.baseAddress else {
      return unsafe holdfast_bind_text(handle, index, "", 0)
    }
    return unsafe holdfast_bind_text(handle, index, address, CInt(clamping: utf8.count))
  }

  private func bind(_ blob: Data, at index: CInt) -> CInt {
    unsafe blob.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress, bytes.count > 0 else {
        return unsafe sqlite3_bind_zeroblob(handle, index, 0)
      }
      return unsafe holdfast_bind_blob(handle, index, address, CInt(clamping: bytes.count))
    }
  }
}
