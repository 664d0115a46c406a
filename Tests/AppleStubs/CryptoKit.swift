// Declarations of CryptoKit that this package uses, for type checking on Linux with
// Scripts/check-apple. They are never linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct SHA256 {
  public init() {}

  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { stub() }

  public func finalize() -> SHA256Digest { stub() }
}

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { stub() }
}

private func stub() -> Never { preconditionFailure("A stub is never run.") }
