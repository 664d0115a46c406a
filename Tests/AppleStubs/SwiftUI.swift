// What the documentation's examples use of SwiftUI, for checking types on Linux: Scripts/check-apple.
// Nothing of it is ever linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct Text: View {
  public nonisolated init(_ content: some StringProtocol) {}
  public var body: Never { stub() }
}

public struct List<Content: View>: View {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable {}

  public var body: Never { stub() }
}

extension Never: View {
  public var body: Never { stub() }
}

private func stub() -> Never { preconditionFailure("A stub is never run.") }
