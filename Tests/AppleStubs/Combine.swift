// What this package uses of Combine, for checking types on Linux: Scripts/check-apple. Nothing of it is
// ever linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct AnyPublisher<Output, Failure: Error> {}
