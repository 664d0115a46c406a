/// The commands of a geometry, one position after the other.
///
/// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>, section 4.3
struct VectorTileCommands {
  /// A single step of a command.
  enum Step: Hashable {
    case move(VectorTileGeometry.Point)
    case line(VectorTileGeometry.Point)
    case close
  }

  private enum Command: UInt64 {
    case moveTo = 1
    case lineTo = 2
    case closePath = 7
  }

  private let type: VectorTileGeometry.Kind
  private let layer: String
  private var reader: VectorTileReader
  private var command = Command.moveTo
  private var remaining: UInt64 = 0
  private var point = VectorTileGeometry.Point(x: 0, y: 0)
  /// The command before, which decides which one may follow.
  private var previous: Command?

  /// Whether all commands so far are in the order that the type of the geometry demands.
  private(set) var isRegular = true

  /// Whether any command so far has a position.
  private(set) var hasPoint = false

  init(_ bytes: [UInt8], in range: Range<Int>, type: VectorTileGeometry.Kind, layer: String) {
    reader = VectorTileReader(bytes, in: range)
    (self.type, self.layer) = (type, layer)
  }

  /// Returns the next step; `nil` at the end.
  ///
  /// - Throws: ``VectorTileFault`` with `.command` or `.farCoordinate`.
  mutating func next() throws(VectorTileFault) -> Step? {
    while remaining == 0 {
      guard !reader.isAtEnd else {
        finish()
        return nil
      }
      guard try begin() else { continue }
    }
    remaining -= 1
    switch command {
    case .moveTo:
      try advance()
      return .move(point)
    case .lineTo:
      try advance()
      return .line(point)
    case .closePath: return .close
    }
  }

  /// Reads a command; returns whether it does anything.
  private mutating func begin() throws(VectorTileFault) -> Bool {
    let integer = try number()
    guard let command = Command(rawValue: integer & 7) else { throw .command(layer: layer) }
    let count = (integer & 0xFFFF_FFFF) >> 3
    note(command, count)
    (self.command, previous) = (command, command)
    // "ClosePath … MUST have a command count of 1"; more would be work without bytes.
    remaining = command == .closePath ? min(count, 1) : count
    return remaining > 0
  }

  /// Compares a command with those that its geometry may have (section 4.3.4).
  private mutating func note(_ command: Command, _ count: UInt64) {
    let isExpected =
      switch (type, command) {
      case (.unknown, _): true
      case (.point, .moveTo): previous == nil && count > 0
      case (.line, .moveTo): previous != .moveTo && count == 1
      case (.polygon, .moveTo): (previous == nil || previous == .closePath) && count == 1
      case (.line, .lineTo): previous == .moveTo && count > 0
      case (.polygon, .lineTo): previous == .moveTo && count > 1
      case (.polygon, .closePath): previous == .lineTo && count == 1
      default: false
      }
    isRegular = isRegular && isExpected
  }

  private mutating func finish() {
    let isComplete =
      switch type {
      case .unknown: true
      case .point: previous == .moveTo
      case .line: previous == .lineTo
      case .polygon: previous == .closePath
      }
    isRegular = isRegular && isComplete
  }

  private mutating func advance() throws(VectorTileFault) {
    let (x, isFarX) = point.x.addingReportingOverflow(try delta())
    let (y, isFarY) = point.y.addingReportingOverflow(try delta())
    guard !isFarX, !isFarY else { throw .farCoordinate(layer: layer) }
    point = VectorTileGeometry.Point(x: x, y: y)
    hasPoint = true
  }

  private mutating func delta() throws(VectorTileFault) -> Int32 {
    let number = UInt32(truncatingIfNeeded: try number())
    return Int32(bitPattern: number >> 1) ^ (number & 1 == 0 ? 0 : -1)
  }

  /// Reads a number, for which "breaks off" means that a command does.
  private mutating func number() throws(VectorTileFault) -> UInt64 {
    do {
      return try reader.varint()
    } catch .truncated {
      throw .command(layer: layer)
    } catch {
      throw error
    }
  }
}
