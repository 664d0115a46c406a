// Declarations of Apple's Foundation that this package uses and Linux's lacks, for type checking on
// Linux: Scripts/check-apple imports them into every file. They are never linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import FoundationNetworking

// MARK: - File coordination

open class NSFileCoordinator: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let withoutChanges = ReadingOptions(rawValue: 1)
  }

  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let forMerging = WritingOptions(rawValue: 4)
  }

  public init(filePresenter: (any NSFilePresenter)?) {}

  open func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [], error: inout NSError?,
    byAccessor reader: (URL) -> Void
  ) { stub() }

  open func coordinate(
    writingItemAt url: URL, options: WritingOptions = [], error: inout NSError?,
    byAccessor writer: (URL) -> Void
  ) { stub() }

  open func cancel() { stub() }
}

public protocol NSFilePresenter: NSObjectProtocol {}

// MARK: - Background sessions

extension URLSessionConfiguration {
  public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    stub()
  }

  public var sessionSendsLaunchEvents: Bool {
    get { stub() }
    set { stub() }
  }
}

// MARK: - Attributes of files

extension URLResourceKey {
  public static var fileProtectionKey: URLResourceKey { stub() }
}

extension URLResourceValues {
  public var fileProtection: URLFileProtection? { stub() }
}

public struct URLFileProtection: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension FileManager {
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? { stub() }
}

// MARK: - Time for extensions

extension ProcessInfo {
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) { stub() }
}

private func stub() -> Never { preconditionFailure("A stub is never run.") }
