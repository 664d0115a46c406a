public import Foundation

// Foundation's classes are stored as the types of Swift that they stand for. A class that is not final
// returns an instance of a subclass of its own, if one is asked for, only if that is what it makes.

extension NSData: DatabaseValueConvertible {
  /// The bytes, stored as a blob.
  public var databaseValue: DatabaseValue {
    Data(referencing: self).databaseValue
  }

  /// Returns a stored blob, or the UTF-8 bytes of stored text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Data.fromDatabaseValue(value).map { NSData(data: $0) } as? Self
  }
}

extension NSDate: DatabaseValueConvertible {
  /// The date in the format of `Date`.
  public var databaseValue: DatabaseValue {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate).databaseValue
  }

  /// Returns a stored date in any format of `Date`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Date.fromDatabaseValue(value).map {
      NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
    } as? Self
  }
}

extension NSNull: DatabaseValueConvertible {
  /// The NULL value.
  public var databaseValue: DatabaseValue { .null }

  /// Returns the null object for NULL.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    value.isNull ? NSNull() as? Self : nil
  }
}

extension NSNumber: DatabaseValueConvertible {
  /// An integer, or a real number if the number was created from one.
  ///
  /// A decimal number without a fraction is stored as an integer, if it fits.
  ///
  /// - Precondition: An integer fits into 64 signed bits.
  public var databaseValue: DatabaseValue {
    if let decimal = self as? NSDecimalNumber {
      let integer = decimal.int64Value
      return NSDecimalNumber(value: integer) == decimal
        ? integer.databaseValue : decimal.doubleValue.databaseValue
    }
    // The type encodings of C: https://developer.apple.com/documentation/foundation/nsnumber/objctype
    switch unsafe UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return doubleValue.databaseValue
    case UInt8(ascii: "Q"): return uint64Value.databaseValue
    default: return int64Value.databaseValue
    }
  }

  /// Returns a stored number, or the decimal number of a stored text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    if self is NSDecimalNumber.Type {
      return Decimal.fromDatabaseValue(value).map { NSDecimalNumber(decimal: $0) } as? Self
    }
    let number: NSNumber? =
      switch value.storage {
      case .int64(let value): NSNumber(value: value)
      case .double(let value): NSNumber(value: value)
      case .string: Decimal.fromDatabaseValue(value).map { NSDecimalNumber(decimal: $0) }
      default: nil
      }
    return number as? Self
  }
}

extension NSString: DatabaseValueConvertible {
  /// The text, stored as UTF-8.
  public var databaseValue: DatabaseValue {
    String(self).databaseValue
  }

  /// Returns stored text, or a stored blob that is valid UTF-8.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    String.fromDatabaseValue(value).map { NSString(string: $0) } as? Self
  }
}

extension NSURL: DatabaseValueConvertible {
  /// The absolute string of the URL.
  public var databaseValue: DatabaseValue {
    (self as URL).databaseValue
  }

  /// Returns the URL of stored text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    URL.fromDatabaseValue(value).flatMap { NSURL(string: $0.absoluteString) } as? Self
  }
}

extension NSUUID: DatabaseValueConvertible {
  /// The sixteen bytes, stored as a blob.
  public var databaseValue: DatabaseValue {
    UUID(uuidString: uuidString)?.databaseValue ?? .null
  }

  /// Returns the UUID of a stored blob of sixteen bytes, or of a stored UUID string.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    UUID.fromDatabaseValue(value).flatMap { NSUUID(uuidString: $0.uuidString) } as? Self
  }
}
