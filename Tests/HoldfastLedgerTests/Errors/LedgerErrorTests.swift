import HoldfastFiles
import Testing

@testable import HoldfastLedger

struct LedgerErrorTests {
  @Test func aCodeIsDescribedByItsName() {
    #expect(LedgerError.Code.unsuitableTable.description == "unsuitableTable")
  }

  @Test func onlyWhatOtherCodeDoesMayPass() throws {
    let path = try RelocatablePath(.documents, "a")
    #expect(LedgerError.inUse("app.db", "another process").isTransient)
    #expect(LedgerError.changedMeanwhile("a", in: "t").isTransient)
    #expect(LedgerError.repairRunning(in: "t").isTransient)
    #expect(!LedgerError.occupied(path).isTransient)
    #expect(!LedgerError.noTable("t").isTransient)
  }

  @Test func aTextWithoutAFileHasTheCodeOfARecordWithoutAFile() {
    #expect(LedgerError.noFile(inText: "").code == .noFile)
    #expect(LedgerError.noFile("a", in: "t").code == .noFile)
  }
}
