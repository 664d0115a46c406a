import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// `holdfast files repair --dry-run` says what `holdfast files repair` does.
@Suite struct FilesDryRunTests {
  /// Expects that a dry run changes nothing, and says what the repair does.
  private func expectSame(_ schema: String, _ actions: [String]) throws {
    let copy = try ContainerCopy("Copy")
    try copy.write("one", to: "Documents/downloads/one.m4b")
    try copy.database(FilesTests.database) { db in
      try db.execute(sql: FilesTests.table + schema)
    }
    func run(_ verb: String, _ words: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(
        words: ["files", verb, copy.folder.lastPathComponent] + words, in: copy.directory.url)
    }
    let before = try copy.state()
    let shown = try run("repair", "--dry-run", "--json")
    #expect(try copy.state() == before)
    #expect(try shown.objects.compactMap { $0["action"] as? String } == actions)
    #expect(try run("adopt").status == 0)
    let repaired = try run("repair", "--json")
    #expect(repaired.status == shown.status)
    #expect(repaired.output == shown.output)
  }

  @Test func aRecordIsRefusedBecauseOfAnother() throws {
    try expectSame(
      """
      CREATE UNIQUE INDEX one ON local_audio_file_downloads (download_path);
      INSERT INTO local_audio_file_downloads VALUES
        ('1', 1, '\(ContainerCopy.device)/Documents/downloads/one.m4b', 1, 1),
        ('2', 1, 'file://\(ContainerCopy.device)/Documents/downloads/one.m4b', 1, 1);
      """, ["rewritten", "refused"])
  }

  @Test func theRepairOfOneTableDecidesAboutAnother() throws {
    let other = FilesTests.table.replacing(
      "local_audio_file_downloads", with: "local_library_file_downloads"
    ).replacing("audio_file_id", with: "library_file_id")
    let path = "\(ContainerCopy.device)/Documents/downloads/one.m4b"
    try expectSame(
      other + """
        INSERT INTO local_audio_file_downloads VALUES ('1', 1, '\(path)', 1, 1);
        INSERT INTO local_library_file_downloads VALUES ('2', 1, '\(path)', 1, 1);
        CREATE TRIGGER both AFTER UPDATE ON local_audio_file_downloads BEGIN
          UPDATE local_library_file_downloads SET download_path = new.download_path;
        END;
        """, ["rewritten"])
  }
}
