import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The failures of transfers that end without a whole response.
enum TransferFailure {
  /// Returns whether a transfer that failed may succeed later as it is.
  ///
  /// - Parameter error: The system's error.
  /// - Returns: Whether the request is repeated; not if its URL cannot be requested, or a certificate is
  ///   refused.
  static func isTemporary(_ error: any Error) -> Bool {
    switch (error as? URLError)?.code {
    case .unsupportedURL, .badURL, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      false
    default: true
    }
  }
}
