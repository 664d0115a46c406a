import HoldfastLedger
import Testing

struct LedgerErrorTests {
  @Test func aCodeIsDescribedByItsName() {
    #expect(LedgerError.Code.unsuitableTable.description == "unsuitableTable")
  }
}
