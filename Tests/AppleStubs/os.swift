// Declarations of Apple's unified logging system that this package uses, for type checking on
// Linux: Scripts/check-apple imports them. They are never linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum OSLogPrivacy: Sendable { case `public` }

public struct OSLogMessage: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
      _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy
    ) {}
  }
  public init(stringInterpolation: StringInterpolation) {}
  public init(stringLiteral value: String) {}
}

public struct Logger: Sendable {
  public init(subsystem: String, category: String) {}
  public func debug(_ message: OSLogMessage) {}
  public func info(_ message: OSLogMessage) {}
  public func notice(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
}
