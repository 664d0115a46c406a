import Foundation
import Testing

@testable import HoldfastDownloads

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct TransferFailureTests {
  @Test(
    arguments: [
      .badURL, .unsupportedURL, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .clientCertificateRequired,
    ] as [URLError.Code])
  func whatNeverPassesIsNotTriedAgain(_ code: URLError.Code) {
    #expect(!TransferFailure.isTemporary(URLError(code)))
    #expect(!DownloadError.network(URLError(code)).isTransient)
  }

  @Test(
    arguments: [
      .timedOut, .networkConnectionLost, .notConnectedToInternet, .cannotConnectToHost,
      .secureConnectionFailed,
    ] as [URLError.Code])
  func anotherFailureMayPass(_ code: URLError.Code) {
    #expect(TransferFailure.isTemporary(URLError(code)))
    #expect(DownloadError.network(URLError(code)).isTransient)
  }

  @Test func anErrorThatIsNotTheSystemsMayPass() {
    #expect(TransferFailure.isTemporary(CocoaError(.fileReadUnknown)))
  }
}
