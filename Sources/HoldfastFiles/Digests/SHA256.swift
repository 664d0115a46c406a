#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// An incremental SHA-256 hasher.
///
/// ```swift
/// var hasher = SHA256()
/// hasher.update(chunk)
/// let digest = hasher.finalize()
/// ```
///
/// It uses CryptoKit on Apple platforms and libcrypto elsewhere. It is not public, because
/// CryptoKit has a type of this name.
@safe
package struct SHA256: ~Copyable {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()

    /// Creates a hasher of empty content.
    package init() {}
  #else
    private let state: OpaquePointer

    /// Creates a hasher of empty content.
    package init() {
      guard let state = unsafe EVP_MD_CTX_new() else {
        // A digest cannot be computed without memory, and no caller could continue.
        fatalError("No memory is left for computing a digest.")
      }
      unsafe self.state = state
      let isReady = unsafe EVP_DigestInit_ex(state, EVP_sha256(), nil) == 1
      precondition(isReady, "libcrypto does not offer SHA-256.")
    }

    deinit {
      unsafe EVP_MD_CTX_free(state)
    }
  #endif

  /// Appends bytes to the content.
  ///
  /// - Parameter bytes: The bytes that follow those added before.
  package mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  /// Appends bytes to the content.
  ///
  /// - Parameter bytes: The bytes that follow those added before; not copied if they are
  ///   contiguous, as in an array, a slice of one, or `Data`.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isAdded: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe add(UnsafeRawBufferPointer(buffer))
    }
    if isAdded == nil { update(Array(bytes).span) }
  }

  private mutating func add(_ buffer: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      unsafe state.update(bufferPointer: buffer)
    #else
      let isAdded = unsafe EVP_DigestUpdate(state, buffer.baseAddress, buffer.count) == 1
      precondition(isAdded, "libcrypto refused bytes for a digest.")
    #endif
  }

  /// Finishes the computation.
  ///
  /// - Returns: The digest of all bytes added.
  package consuming func finalize() -> SHA256Digest {
    #if canImport(CryptoKit)
      let bytes = Array(state.finalize())
    #else
      var bytes = [UInt8](repeating: 0, count: 32)
      let isFinal = unsafe EVP_DigestFinal_ex(state, &bytes, nil) == 1
      precondition(isFinal, "libcrypto refused to end a digest.")
    #endif
    guard let digest = SHA256Digest(bytes: bytes) else {
      preconditionFailure("SHA-256 has 32 bytes.")
    }
    return digest
  }
}
