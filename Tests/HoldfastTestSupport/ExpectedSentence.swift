public import Testing

/// Expects that a process that ended said why.
///
/// - Parameters:
///   - sentence: What its standard error contains.
///   - result: What the exit test observed.
///   - sourceLocation: Where the expectation stands.
public func expectSentence(
  _ sentence: String, in result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), sourceLocation: sourceLocation)
}
