import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Names in the rider's language.
@Suite struct TranslationsTests {
  private static let rows = """
    table_name,field_name,language,translation,record_id,record_sub_id,field_value
    stops,stop_name,en,Shrine,J,,
    stops,stop_name,en,Temple,,,神社
    stops,stop_name,fr,Sanctuaire,J,,
    stops,stop_name,fr-CH,Sanctuaire suisse,J,,
    stops,stop_name,en,Harbour,,,港
    stops,stop_desc,en,Wrong field,P,,
    routes,route_long_name,en,Bay Line,F1,,
    trips,trip_headsign,en,City,,,市内

    """

  private func timetable(feedLanguage: String = "ja") throws -> Timetable {
    try SmallFeed().timetable(
      of: [
        .init(id: "J", name: "神社"), .init(id: "J2", name: "神社"), .init(id: "P", name: "港"),
        .init(id: "K", name: "駅"),
      ], routes: "F1,HF,F1,湾線,4,\n",
      files: [
        "translations.txt": Self.rows,
        "feed_info.txt": """
        feed_publisher_name,feed_publisher_url,feed_lang
        Harbour,https://example.org,\(feedLanguage)

        """,
      ])
  }

  @Test(arguments: [
    (["en"], "Shrine"), (["en-AU"], "Shrine"), (["EN_us"], "Shrine"), (["fr"], "Sanctuaire"),
    (["fr-CA"], "Sanctuaire"), (["fr-CH"], "Sanctuaire suisse"),
    (["fr-CH-1996"], "Sanctuaire suisse"), (["de", "fr"], "Sanctuaire"), (["de"], "神社"),
    ([], "神社"), (["ja", "en"], "神社"), (["ja-JP", "en"], "神社"), (["f"], "神社"),
  ])
  func `The most preferred language is chosen`(languages: [String], name: String) throws {
    let timetable = try timetable()
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: "J"))
      #expect(try Translations(languages).translating(stop, db).stopName == name)
    }
  }

  @Test func `A row of the record comes before one of the text`() throws {
    let timetable = try timetable()
    let names = try timetable.reader.read { db in
      try ["J", "J2", "P", "K"].map { id in
        let stop = try #require(try Stop.fetchOne(db, stopID: id))
        return try Translations(["en"]).translating(stop, db).stopName
      }
    }
    #expect(names == ["Shrine", "Temple", "Harbour", "駅"])
  }

  /// A feed in several languages is in none of them.
  @Test func `A feed of many languages is always translated`() throws {
    let timetable = try timetable(feedLanguage: "mul")
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: "J"))
      #expect(try Translations(["ja", "en"]).translating(stop, db).stopName == "Shrine")
    }
  }

  @Test func `Routes are translated`() throws {
    let timetable = try timetable()
    try timetable.reader.read { db in
      let route = try #require(try Route.fetchAll(db).first)
      let translated = try Translations(["en"]).translating(route, db)
      #expect(translated.routeLongName == "Bay Line" && translated.routeShortName == "F1")
      #expect(try Translations(["fr"]).translating(route, db) == route)
    }
  }

  @Test func `A stop is found by its name in any language`() throws {
    let timetable = try timetable()
    let found = { (text: String, languages: [String]) in
      var search = StopSearch(text)
      search.languages = languages
      return try timetable.reader.read { db in try search.fetchAll(db).map(\.stopName) }
    }
    #expect(try found("harb", []) == ["港"])
    #expect(try found("harb", ["en-NZ", "ja"]) == ["Harbour"])
    #expect(try found("港", ["en"]) == ["Harbour"])
    #expect(try found("sanctuaire s", []) == ["神社"])
    #expect(try found("temple", []) == ["神社", "神社"])
    #expect(try found("wrong", []) == [])
  }

  @Test func `A timetable without translations stays as it is`() throws {
    let timetable = try SmallFeed().timetable(named: ["Quay"])
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchAll(db).first)
      #expect(try Translations(["fr"]).translating(stop, db) == stop)
    }
  }
}
