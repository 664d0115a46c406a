import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// `holdfast files repair --dry-run` says what `holdfast files repair` does.
@Suite struct FilesDryRunTests {
  /// One of two records is refused because of the other one.
  @Test func aRepairDoesWhatTheDryRunSaidAlsoWhereOneChangeDecidesAboutAnother() throws {
    let copy = try ContainerCopy("Copy")
    try copy.write("one", to: "Documents/downloads/one.m4b")
    try copy.database(FilesTests.database) { db in
      try db.execute(
        sql: FilesTests.table + """
          CREATE UNIQUE INDEX one ON local_audio_file_downloads (download_path);
          INSERT INTO local_audio_file_downloads VALUES
            ('1', 1, '\(ContainerCopy.device)/Documents/downloads/one.m4b', 1, 1),
            ('2', 1, 'file://\(ContainerCopy.device)/Documents/downloads/one.m4b', 1, 1);
          """)
    }
    func run(_ verb: String, _ words: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(
        words: ["files", verb, copy.folder.lastPathComponent] + words, in: copy.directory.url)
    }
    let before = try copy.state()
    let shown = try run("repair", "--dry-run", "--json")
    #expect(try copy.state() == before)
    #expect(shown.status == 1)
    #expect(try shown.objects.compactMap { $0["action"] as? String } == ["rewritten", "refused"])
    #expect(try run("adopt").status == 0)
    let repaired = try run("repair", "--json")
    #expect(repaired.status == shown.status)
    #expect(repaired.output == shown.output)
  }
}
