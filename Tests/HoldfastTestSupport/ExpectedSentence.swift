public import Testing

/// Expects that a process that ended printed the reason.
///
/// - Parameters:
///   - sentence: A part of its standard error.
///   - result: The result of the exit test.
///   - sourceLocation: The location of the expectation.
public func expectSentence(
  _ sentence: String, in result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), sourceLocation: sourceLocation)
}
