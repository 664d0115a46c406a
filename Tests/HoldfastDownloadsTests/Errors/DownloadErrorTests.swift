import HoldfastDownloads
import Testing

struct DownloadErrorTests {
  @Test func aCodeIsDescribedByItsName() {
    #expect(DownloadError.Code.invalidRequest.description == "invalidRequest")
  }
}
