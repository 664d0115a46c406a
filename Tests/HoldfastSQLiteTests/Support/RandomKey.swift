import Foundation
import HoldfastSQLite
import HoldfastTestSupport

/// A type of keys, some of whose values are numbered.
protocol RandomKey: DatabaseValueConvertible, Codable, Hashable, Sendable {
  /// Returns the value of a number, below 32, which equals that of no other one.
  static func numbered(_ number: Int) -> Self
}

extension Int: RandomKey {
  static func numbered(_ number: Int) -> Int { number - 3 }
}

extension String: RandomKey {
  static func numbered(_ number: Int) -> String {
    number == 0 ? "" : ["a'", "A'", "é", "x\0"][number % 4] + "\(number / 4)"
  }
}

extension Double: RandomKey {
  static func numbered(_ number: Int) -> Double { Double(number) / 4 }
}

extension UUID: RandomKey {
  static func numbered(_ number: Int) -> UUID {
    UUID(uuidString: "6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F\(10 + number)") ?? UUID()
  }
}

extension Date: RandomKey {
  // Whole days, which every strategy keeps.
  static func numbered(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number - 9) * 86_400)
  }
}

extension Data: RandomKey {
  static func numbered(_ number: Int) -> Data { Data("word \(number)".utf8) }
}

/// A type of an app, with its own way of being stored.
struct RandomCode: RandomKey, RawRepresentable {
  var rawValue: String
  static func numbered(_ number: Int) -> RandomCode { RandomCode(rawValue: "code \(number)") }
}

/// The strategies by which the records of the current task store their values.
struct RandomStrategies: Sendable {
  @TaskLocal static var current = RandomStrategies()

  var uuid = DatabaseUUIDEncodingStrategy.deferredToUUID
  var date = DatabaseDateEncodingStrategy.deferredToDate
  var readDate = DatabaseDateDecodingStrategy.deferredToDate
  var data = DatabaseDataEncodingStrategy.deferredToData
  var readData = DatabaseDataDecodingStrategy.deferredToData

  init() {}

  init(_ random: inout SeededRandom) {
    uuid =
      [.deferredToUUID, .uppercaseString, .lowercaseString].randomElement(using: &random) ?? uuid
    let dates: [(DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy)] = [
      (.deferredToDate, .deferredToDate),
      (.timeIntervalSinceReferenceDate, .timeIntervalSinceReferenceDate),
      (.timeIntervalSince1970, .timeIntervalSince1970),
      (.secondsSince1970, .timeIntervalSince1970),
      (.millisecondsSince1970, .millisecondsSince1970),
      (.iso8601, .iso8601),
      (.formatted(Self.formatter), .formatted(Self.formatter)),
      (.custom { "day \(Int($0.timeIntervalSinceReferenceDate) / 86_400)" }, .custom(Self.day)),
    ]
    (date, readDate) = dates.randomElement(using: &random) ?? (date, readDate)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: data = .text
    case 1:
      data = .custom { Data($0.reversed()) }
      readData = .custom { value in Data.fromDatabaseValue(value).map { Data($0.reversed()) } }
    default: break
    }
  }

  private static var formatter: DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "dd/MM/yyyy"
    return formatter
  }

  @Sendable private static func day(_ value: DatabaseValue) -> Date? {
    guard let text = String.fromDatabaseValue(value), let day = Double(text.dropFirst(4)) else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: day * 86_400)
  }
}

/// A record with keys of a type, which it stores by the current strategies.
struct RandomKeyed<Key: RandomKey>: Codable, Hashable, Identifiable, FetchableRecord,
  PersistableRecord
{
  static var databaseTableName: String { "keyed" }
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    RandomStrategies.current.uuid
  }
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    RandomStrategies.current.date
  }
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    RandomStrategies.current.readDate
  }
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
    RandomStrategies.current.data
  }
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
    RandomStrategies.current.readData
  }

  var id: Key
  var code: Key
  var score: Int
}
