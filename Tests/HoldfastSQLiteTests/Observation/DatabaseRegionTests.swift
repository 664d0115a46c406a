import HoldfastSQLite
import Testing

@Suite struct DatabaseRegionTests {
  private let names = DatabaseRegion(table: "stop", columns: ["name", "code"])
  private let rows = DatabaseRegion(table: "stop", rowIDs: [1, 2])

  @Test func aRegionContainsItsTablesColumnsAndRows() {
    #expect(DatabaseRegion().isEmpty)
    #expect(DatabaseRegion(table: "stop", columns: []).isEmpty)
    #expect(DatabaseRegion(table: "stop", rowIDs: []).isEmpty)
    #expect(!DatabaseRegion().isFullDatabase)
    #expect(DatabaseRegion.fullDatabase.isFullDatabase)
    #expect(!DatabaseRegion.fullDatabase.isEmpty)
    #expect(DatabaseRegion().description == "empty")
    #expect(DatabaseRegion.fullDatabase.description == "full database")
    #expect(names.union(DatabaseRegion(table: "route")).description == "route(*),stop(code,name)")
    #expect(rows.description == "stop(*)[1,2]")
  }

  @Test func namesAreCaseInsensitive() {
    #expect(names == DatabaseRegion(table: "STOP", columns: ["Name", "CODE"]))
    #expect(names.union(DatabaseRegion(table: "STOP", columns: ["NAME"])) == names)
    #expect(
      names.intersection(DatabaseRegion(table: "Stop", columns: ["Name"])).description
        == "stop(name)")
    #expect(DatabaseRegion(table: "é") != DatabaseRegion(table: "É"))
  }

  @Test func aUnionContainsBothRegions() {
    #expect(names.union(.fullDatabase) == .fullDatabase)
    #expect(DatabaseRegion().union(names) == names)
    #expect(names.union(rows) == DatabaseRegion(table: "stop"))
    #expect(rows.union(DatabaseRegion(table: "stop", rowIDs: [3])).description == "stop(*)[1,2,3]")
    var region = names
    region.formUnion(DatabaseRegion(table: "stop", columns: ["lat"]))
    #expect(region.description == "stop(code,lat,name)")
  }

  @Test func anIntersectionIsContainedInBothRegions() {
    #expect(names.intersection(.fullDatabase) == names)
    #expect(DatabaseRegion.fullDatabase.intersection(rows) == rows)
    #expect(names.intersection(rows).description == "stop(code,name)[1,2]")
    #expect(names.intersection(DatabaseRegion(table: "stop", columns: ["lat"])).isEmpty)
    #expect(rows.intersection(DatabaseRegion(table: "stop", rowIDs: [3])).isEmpty)
    #expect(names.intersection(DatabaseRegion(table: "route")).isEmpty)
  }

  @Test func eventKindsAffectTablesAndColumns() {
    let update = DatabaseEventKind.update(tableName: "stop", columnNames: ["lat"])
    #expect(!names.isModified(byEventsOfKind: update))
    #expect(rows.isModified(byEventsOfKind: update))
    #expect(
      names.isModified(byEventsOfKind: .update(tableName: "stop", columnNames: ["lat", "name"])))
    #expect(names.isModified(byEventsOfKind: .insert(tableName: "stop")))
    #expect(names.isModified(byEventsOfKind: .delete(tableName: "STOP")))
    #expect(!names.isModified(byEventsOfKind: .insert(tableName: "route")))
    #expect(!DatabaseRegion().isModified(byEventsOfKind: update))
    let nothing = DatabaseEventKind.update(tableName: "stop", columnNames: [])
    #expect(!DatabaseRegion.fullDatabase.isModified(byEventsOfKind: nothing))
    #expect(DatabaseRegion.fullDatabase.isModified(byEventsOfKind: update))
  }
}
