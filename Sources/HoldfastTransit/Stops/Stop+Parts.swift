import Holdfast

extension Stop {
  /// Returns the numbers of stops and of everything that belongs to them, at any depth.
  static func withParts(_ sids: [Int64], _ db: Database) throws -> Set<Int64> {
    // Calls in an area of a flexible service have the number 0, which is no stop.
    var all = Set(sids.lazy.filter { $0 > 0 })
    var unexplored = Array(all)
    while let sid = unexplored.popLast() {
      let parts = try Int64.fetchAll(
        db, sql: "SELECT sid FROM main.stops WHERE parent_sid = ?", arguments: [sid])
      for part in parts where part > 0 && all.insert(part).inserted { unexplored.append(part) }
    }
    return all
  }
}
