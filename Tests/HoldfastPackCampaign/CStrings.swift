import Foundation

extension [String] {
  /// Calls a closure with the texts as C has them; behind the last one there is a null pointer.
  func withCStrings<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Value
  ) rethrows -> Value {
    let copies = unsafe map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let texts = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
    return try unsafe texts.withUnsafeBufferPointer { try unsafe body($0.baseAddress) }
  }
}
