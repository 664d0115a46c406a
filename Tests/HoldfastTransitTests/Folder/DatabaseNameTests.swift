import HoldfastFiles
import Testing

@testable import HoldfastTransit

@Suite struct DatabaseNameTests {
  @Test func `The name begins with the digest, and counts from the second file of that name`()
    throws
  {
    var hasher = SHA256()
    hasher.update(Array("timetable".utf8))
    let digest = hasher.finalize()
    let first = DatabaseName(digest, choice: 1)
    let second = DatabaseName(digest, choice: 2)
    #expect(first.text == "\(digest.description.prefix(8)).db")
    #expect(second.text == "\(digest.description.prefix(8))-2.db")
    for name in [first, second] {
      #expect(DatabaseName(name.text) == name)
      #expect(name.isName(of: digest))
    }
  }

  @Test(arguments: [
    "", "current", "0123456.db", "012345678.db", "0123456g.db", "01234567.DB", "ABCDEF01.db",
    "01234567-1.db", "01234567-02.db", "01234567--2.db", "01234567-2-3.db", "../01234567.db",
    "01234567.db-wal", "01234567.db.db", "\u{FF10}1234567.db",
  ])
  func `Other names are not taken for databases of the folder`(name: String) {
    #expect(DatabaseName(name) == nil)
  }
}
