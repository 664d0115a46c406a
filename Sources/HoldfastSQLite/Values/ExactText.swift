import Foundation

/// A text that is compared by its bytes, as in SQLite.
///
/// Swift's strings are equal when they are canonically equivalent: `é` in one code point equals `é`
/// in two. In SQLite, in the file system and in GTFS these are two texts. So a decision that
/// depends on the equality of texts uses one of these types, and not `String`:
///
/// | what is compared | type |
/// |---|---|
/// | a value of a column | ``DatabaseValue`` |
/// | a name in SQL: of a table, a column, a schema, a savepoint, a function | ``DatabaseIdentifier`` |
/// | the path of a file | `FilePath`, or `RelocatablePath` where it is stored |
/// | any other text: SQL, a parameter's name, an identifier of GTFS, a name in an archive | `ExactText` |
///
/// `String` itself is compared only with ASCII constants, where an equivalent text is at worst
/// refused; in text for people; and in the sets and dictionaries that GRDB's interface prescribes,
/// such as the columns of a `DatabaseEventKind`, which are filled from the types above. The names
/// of migrations are the only exception: as in GRDB, equivalent names are equal.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    let isBefore = unsafe left.text.utf8.withContiguousStorageIfAvailable { one in
      unsafe right.text.utf8.withContiguousStorageIfAvailable { other in
        guard let first = one.baseAddress, let second = other.baseAddress else {
          return one.count < other.count
        }
        let order = unsafe memcmp(first, second, min(one.count, other.count))
        return order == 0 ? one.count < other.count : order < 0
      }
    }
    return (isBefore ?? nil) ?? left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    text.hashBytes(into: &hasher)
  }
}

extension String {
  /// Returns whether both texts have the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
      unsafe other.utf8.withContiguousStorageIfAvailable { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe first == second || memcmp(first, second, one.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Hashes the bytes that ``hasSameBytes(as:)`` compares.
  func hashBytes(into hasher: inout Hasher) {
    let isDone: Void? = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { unsafe Array(utf8).withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
    // A terminator, so that the hash of two consecutive texts differs from that of their
    // concatenation.
    hasher.combine(0xFF as UInt8)
  }
}
