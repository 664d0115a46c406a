import Foundation

// The functions of texts that every connection has. Their names are GRDB's, because a schema may
// contain them.

extension DatabaseFunction {
  /// A function that capitalizes each word of a text, by Swift's rules.
  public static let capitalize = text("swiftCapitalizedString") { $0.capitalized }

  /// A function that converts a text to lowercase, by Swift's rules.
  public static let lowercase = text("swiftLowercaseString") { $0.lowercased() }

  /// A function that converts a text to uppercase, by Swift's rules.
  public static let uppercase = text("swiftUppercaseString") { $0.uppercased() }

  /// A function that capitalizes each word of a text, by the rules of the current locale.
  public static let localizedCapitalize = text("swiftLocalizedCapitalizedString") {
    $0.localizedCapitalized
  }

  /// A function that converts a text to lowercase, by the rules of the current locale.
  public static let localizedLowercase = text("swiftLocalizedLowercaseString") {
    $0.localizedLowercase
  }

  /// A function that converts a text to uppercase, by the rules of the current locale.
  public static let localizedUppercase = text("swiftLocalizedUppercaseString") {
    $0.localizedUppercase
  }

  static let builtIn = [
    capitalize, lowercase, uppercase, localizedCapitalize, localizedLowercase, localizedUppercase,
  ]

  private static func text(
    _ name: String, _ convert: @escaping @Sendable (String) -> String
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      String.fromDatabaseValue(values[0]).map(convert)
    }
  }
}
