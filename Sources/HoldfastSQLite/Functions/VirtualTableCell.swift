public import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The destination of one column's value in a virtual table's row, valid only during the call.
@safe
public struct VirtualTableCell: ~Copyable {
  @usableFromInline let context: OpaquePointer

  init(context: OpaquePointer) {
    unsafe self.context = context
  }

  /// Writes an integer.
  public func write(_ value: Int64) {
    unsafe sqlite3_result_int64(context, value)
  }

  /// Writes an integer.
  public func write(_ value: Int) {
    write(Int64(value))
  }

  /// Writes a real number; NaN becomes NULL.
  public func write(_ value: Double) {
    unsafe sqlite3_result_double(context, value)
  }

  /// Writes text, which SQLite copies.
  public func write(_ value: String) {
    unsafe value.hand(to: context)
  }

  /// Writes text in the form of UTF-8 bytes.
  ///
  /// - Parameter utf8: The bytes, in valid UTF-8; they are copied and not checked.
  public func write(utf8: Span<UInt8>) {
    unsafe utf8.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
          return unsafe holdfast_result_text(context, "", 0)
        }
        unsafe holdfast_result_text(context, address, CInt(clamping: bytes.count))
      }
    }
  }

  /// Writes bytes.
  public func write(_ value: Data) {
    unsafe DatabaseValue(storage: .blob(value)).hand(to: context)
  }

  /// Writes a value of any storage class.
  public func write(_ value: DatabaseValue) {
    unsafe value.hand(to: context)
  }

  /// Writes NULL.
  public func writeNull() {
    unsafe sqlite3_result_null(context)
  }
}

/// The values of the constraints that a plan uses, valid only during the call.
@safe
public struct VirtualTableArguments: ~Copyable {
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  /// The number of values.
  public let count: Int

  init(values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
    unsafe self.values = unsafe values
    self.count = unsafe values == nil ? 0 : count
  }

  private func value(at index: Int) -> OpaquePointer {
    guard index >= 0, index < count, let value = unsafe values?[index] else {
      Misuse.trap(Misuse.noArgument(at: index, count: count))
    }
    return unsafe value
  }

  /// The value at a position, copied.
  public subscript(_ index: Int) -> DatabaseValue {
    unsafe DatabaseValue(borrowed: value(at: index))
  }

  /// Returns the integer at a position.
  ///
  /// - Parameter index: The position, from 0.
  /// - Returns: The integer; `nil` when the value is of another storage class.
  public func int64(at index: Int) -> Int64? {
    let value = unsafe value(at: index)
    guard unsafe sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_int64(value)
  }
}
