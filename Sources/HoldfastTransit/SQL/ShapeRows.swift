import Holdfast

/// The rows of `shapes.txt`, shape by shape.
struct ShapeRows: CompactRows {
  static let file = "shapes.txt"
  static let columns = [
    VirtualTableColumn("shape_id", .text), VirtualTableColumn("shape_pt_lat", .real),
    VirtualTableColumn("shape_pt_lon", .real), VirtualTableColumn("shape_pt_sequence", .integer),
    VirtualTableColumn("shape_dist_traveled", .real),
  ]
  static let keys = [CompactKey(column: 0, rowCount: 500, cost: 500)]
  static let rowCount: Int64 = 1_000_000

  private enum Walk {
    case first
    case after(String)
    case one(String)
    case ended
  }

  private var walk = Walk.ended
  private var shapeID = ""
  private var shape: StoredShape?
  /// The number of shapes before this one.
  private var rank: Int64 = 0
  private var index = 0

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) throws {
    (shape, rank, index) = (nil, -1, 0)
    walk = key.map { Walk.one($0.value) } ?? .first
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    index += 1
    while true {
      if let shape, index < shape.points.count { return true }
      guard let next = try nextID(db) else {
        shape = nil
        return false
      }
      shapeID = next
      shape = try ShapeTable(db).shape(next)
      index = 0
    }
  }

  private mutating func nextID(_ db: Database) throws -> String? {
    let next: String?
    switch walk {
    case .ended: return nil
    case .one(let id):
      walk = .ended
      rank =
        try Int64.fetchOne(
          db, sql: "SELECT count(*) FROM polylines WHERE shape_id < ?", arguments: [id]) ?? 0
      return id
    case .first: next = try String.fetchOne(db, sql: "SELECT min(shape_id) FROM polylines")
    case .after(let last):
      next = try String.fetchOne(
        db, sql: "SELECT min(shape_id) FROM polylines WHERE shape_id > ?", arguments: [last])
    }
    rank += 1
    walk = next.map { Walk.after($0) } ?? .ended
    return next
  }

  private var point: StoredShape.Point? { shape?.points[index] }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) {
    guard let point else { return }
    switch column {
    case 0: cell.write(shapeID)
    case 1: cell.write(point.latitude)
    case 2: cell.write(point.longitude)
    case 3: cell.write(point.sequence)
    default:
      if let distance = point.distance { cell.write(distance) } else { cell.writeNull() }
    }
  }

  var others: Int32 { 0 }

  var ownRecord: String? {
    guard let shape, let point, point.others >= 0 else { return nil }
    return shape.texts[Int(point.others)]
  }

  var rowID: Int64 { rank * Int64(StoredShape.mostPoints) + Int64(index) }
}
