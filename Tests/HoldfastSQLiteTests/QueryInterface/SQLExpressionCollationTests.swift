import HoldfastSQLite
import Testing

@Suite struct SQLExpressionCollationTests {
  private static let name = Column("name")

  /// A condition that is collated compares by the collation, as GRDB's do.
  @Test func aCollatedConditionComparesByTheCollation() throws {
    let name = Self.name
    let others = Table("t").select([name], as: String.self)
    let conditions: [SQLExpression] = [
      name == "ARTHUR", name === "ARTHUR", !(name != "ARTHUR"), "ARTHUR" == name,
      ["ARTHUR", "Craig"].contains(name), ["ARTHUR"].contains(name),
      [name].contains("ARTHUR".sqlExpression),
      !(!["ARTHUR", "x"].contains(name)), ("ARTHUR"..."ARTHUR").contains(name),
      ("ARTHUR"..<"ARTHUR2").contains(name), name <= "ARTHUR" && name >= "ARTHUR",
      name == "ARTHUR" || name == "Craig", !(name < "ARTHUR") && !(name > "ARTHUR"),
      !(name < "ARTHUR" || name > "ARTHUR"), others.contains("ARTHUR".sqlExpression) && name < "b",
      SQL("name = \("ARTHUR")").sqlExpression, SQL("name > 'ARTHU' AND name < 'b'").sqlExpression,
      SQL("name").collating(.binary) == "ARTHUR", name.collating(.binary) == "ARTHUR",
      (name == "ARTHUR").collating(.binary),
    ]
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('arthur'), ('barbara'), (NULL)")
      for condition in conditions {
        let collated = condition.collating(.nocase)
        for filtered in [collated, [collated, true.sqlExpression].joined(operator: .and)] {
          let request = Table("t").filter(filtered)
          let sql = try request.makeSQL(db).build(db).sql
          #expect(try request.select([name], as: String.self).fetchAll(db) == ["arthur"], "\(sql)")
        }
        let opposite = Table("t").filter((!condition).collating(.nocase))
        #expect(try !opposite.select([name], as: String?.self).fetchAll(db).contains("arthur"))
      }
      let alias = TableAlias<Row>()
      let inAlias = Table("t").aliased(alias).filter(alias[name == "ARTHUR"].collating(.nocase))
      #expect(try inAlias.fetchCount(db) == 1)
      let least = SQL("SELECT max(name) FROM t").collating(.nocase) == "BARBARA"
      #expect(try Table("t").filter(least).fetchCount(db) == 3)
      let ordered = Table("t").order(SQL("name").collating(.nocase).desc)
      #expect(
        try ordered.select([name], as: String?.self).fetchAll(db) == ["barbara", "arthur", nil])
    }
  }
}
