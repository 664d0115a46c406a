import Holdfast
import HoldfastFiles

/// A writer of one CSV file, which keeps a few rows in memory.
struct CSVWriter: ~Copyable {
  private static let most = 256 * 1024

  private let file: OpenFile
  /// The output of the export, which errors name.
  private let output: FilePath
  private var buffer: [UInt8] = []
  private var isFirst = true
  private(set) var byteCount: Int64 = 0

  /// Creates a file.
  init(_ path: FilePath, output: FilePath) throws(FileError) {
    do throws(Errno) {
      file = try SystemCalls.openFile(path.text, for: .createNew)
    } catch {
      throw .couldNotWrite(output, error)
    }
    self.output = output
    buffer.reserveCapacity(Self.most + 4096)
  }

  /// Writes a field as text; NULL is a blank field.
  mutating func write(_ value: DatabaseValue) throws(FileError) {
    switch value.storage {
    case .null: beginField()
    case .int64(let number): try write("\(number)")
    case .double(let number): try write(DecimalText.text(of: number))
    case .string(let text): try write(text)
    // No table of a timetable has one; SQLite's own conversion would do the same.
    case .blob(let data): try write(String(decoding: data, as: UTF8.self))
    }
  }

  /// Writes a field.
  mutating func write(_ text: String) throws(FileError) {
    beginField()
    let quote = UInt8(ascii: "\"")
    let mustBeQuoted = text.utf8.contains {
      $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D
    }
    if mustBeQuoted {
      buffer.append(quote)
      for byte in text.utf8 {
        if byte == quote { buffer.append(quote) }
        buffer.append(byte)
      }
      buffer.append(quote)
    } else {
      buffer.append(contentsOf: text.utf8)
    }
    if buffer.count >= Self.most { try flush() }
  }

  private mutating func beginField() {
    if !isFirst { buffer.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  /// Writes the text of a file that has no rows and fields.
  mutating func write(whole text: String) throws(FileError) {
    buffer.append(contentsOf: text.utf8)
    try flush()
  }

  /// Ends a row.
  mutating func endRow() throws(FileError) {
    buffer.append(0x0A)
    isFirst = true
  }

  private mutating func flush() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.writeBytes(file, buffer, count: buffer.count)
    } catch {
      throw .couldNotWrite(output, error)
    }
    byteCount += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left, makes the file durable if asked to, and returns its length in bytes.
  mutating func finish(durably: Bool) throws(FileError) -> Int64 {
    try flush()
    guard durably else { return byteCount }
    do throws(Errno) {
      try SystemCalls.sync(file)
    } catch {
      throw .couldNotWrite(output, error)
    }
    return byteCount
  }
}

/// The decimal form of a number, as GTFS writes numbers: without an exponent.
enum DecimalText {
  /// Returns the shortest digits that are read as the same number; an integer has no point.
  static func text(of number: Double) -> String {
    let text = "\(number)"
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = parts[0].filter(\.isNumber)
    let point = (parts[0].split(separator: ".").first.map { $0.count(where: \.isNumber) } ?? 1)
    let position = point + exponent
    let trimmed = digits.hasSuffix("0") && parts[0].contains(".") ? digits.dropLast() : digits[...]
    if position <= 0 {
      return sign + "0." + String(repeating: "0", count: -position) + trimmed
    }
    if position >= trimmed.count {
      return sign + trimmed + String(repeating: "0", count: position - trimmed.count)
    }
    return sign + trimmed.prefix(position) + "." + trimmed.dropFirst(position)
  }
}
