/// An error of a file ledger.
public struct LedgerError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unsuitableTable
    }

    private let kind: Kind

    /// A table does not have the columns or the content that a ledger needs.
    public static let unsuitableTable = Code(kind: .unsuitableTable)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// What happened, to what and why, in one sentence.
  public var message: String

  /// What to do next, in one imperative sentence.
  public var advice: String?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?
}

extension LedgerError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
