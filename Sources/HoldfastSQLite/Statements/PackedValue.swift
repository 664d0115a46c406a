import Foundation

/// A value of a statement's parameter; the bytes of texts and blobs lie next to it, in the store that
/// it belongs to.
@usableFromInline
enum PackedValue {
  case null
  case int64(Int64)
  case double(Double)
  case text(start: Int, count: Int32)
  case blob(start: Int, count: Int32)
  /// A value that is too long for the store's bytes, by its position among those.
  case kept(Int)

  /// A text or blob between two positions.
  ///
  /// A length past the range of `Int32` is past SQLite's limit too, and is refused when it is bound.
  @inlinable
  static func text(_ range: Range<Int>) -> PackedValue {
    .text(start: range.lowerBound, count: Int32(clamping: range.count))
  }

  @inlinable
  static func blob(_ range: Range<Int>) -> PackedValue {
    .blob(start: range.lowerBound, count: Int32(clamping: range.count))
  }

  /// Returns the value.
  ///
  /// - Parameters:
  ///   - bytes: Where the store's bytes begin.
  ///   - kept: Returns a value that is not among them.
  /// - Returns: A copy, which stays valid when the bytes do not.
  func databaseValue(
    in bytes: UnsafeRawPointer, kept: (Int) -> DatabaseValue
  ) -> DatabaseValue {
    switch self {
    case .null:
      .null
    case .int64(let value):
      DatabaseValue(storage: .int64(value))
    case .double(let value):
      DatabaseValue(storage: .double(value))
    case .text(let start, let count):
      unsafe DatabaseValue(
        text: UnsafeRawBufferPointer(start: bytes + start, count: Int(count)))
    case .blob(let start, let count):
      unsafe DatabaseValue(
        storage: .blob(
          Data(UnsafeRawBufferPointer(start: bytes + start, count: Int(count)))))
    case .kept(let position):
      kept(position)
    }
  }
}
