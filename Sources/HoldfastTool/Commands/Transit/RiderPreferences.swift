import Foundation
import Holdfast
import HoldfastTransit

extension Option<[String]> {
  /// The languages of the names that a verb prints, the most preferred one first.
  static let language = Option(
    repeated: "--language", "CODE",
    "Prints names in this language, such as fr or zh-Hant; of several, in the first one there is.",
    .language)
}

extension Reading<String> {
  /// A language.
  ///
  /// - SeeAlso: RFC 5646, section 2.1: a tag is a sequence of subtags of at most eight letters and
  ///   digits.
  fileprivate static let language = Reading(
    expected: "the code of a language, such as fr or zh-Hant"
  ) { word in
    word.wholeMatch(of: /[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*/) == nil ? nil : word
  }
}

extension Reading<Position> {
  /// A position in degrees of WGS 84.
  static let position = Reading(
    expected: "a latitude from -90 to 90 and a longitude from -180 to 180, such as -43.805,172.965"
  ) { word in
    guard let numbers = Position.numbers(in: word) else { return nil }
    // The error would say which number is out of its range; what is expected says it too.
    return try? Position(latitude: numbers.latitude, longitude: numbers.longitude)
  }
}

extension Position {
  /// Returns the two numbers of a word of the form `LAT,LON`, which may be out of range.
  static func numbers(in word: String) -> (latitude: Double, longitude: Double)? {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
    return (latitude, longitude)
  }
}
