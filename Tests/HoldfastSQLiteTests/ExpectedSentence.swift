import Testing

/// Expects that a process that ended said why.
func expectSentence(
  _ sentence: String, in result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), sourceLocation: sourceLocation)
}
