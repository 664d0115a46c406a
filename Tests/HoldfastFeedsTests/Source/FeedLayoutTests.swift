import Testing

@testable import HoldfastFeeds

@Suite struct FeedLayoutTests {
  @Test(arguments: [
    (["stops.txt", "agency.txt"], "", ["agency.txt", "stops.txt"], []),
    (
      ["a/", "a/b/stops.txt", "a/b/notes.txt", "README.txt"], "a/b", ["stops.txt"],
      ["README.txt", "notes.txt"]
    ),
    (["__MACOSX/stops.txt", "x/._stops.txt", "x/stops.txt", ".DS_Store"], "x", ["stops.txt"], []),
    (["../stops.txt", "../macosx/._stops.txt"], "..", ["stops.txt"], []),
    (["stops.txt", "old/stops.txt"], "", ["stops.txt"], ["old/stops.txt"]),
    (["feed\\Stops.TXT"], "feed", ["stops.txt"], []),
    (["./stops.txt", "feed.zip"], "", ["stops.txt"], ["feed.zip"]),
    (["/etc/stops.txt"], "etc", ["stops.txt"], []),
    (["feed/stops.txt", "feed/\u{301}a"], "feed", ["stops.txt"], ["\u{301}a"]),
  ])
  func findsTheFeed(paths: [String], directory: String, files: [String], unknown: [String]) throws {
    let layout = try FeedLayout(of: paths, in: "feed.zip")
    #expect(layout.directory == directory)
    #expect(layout.files.map(\.name) == files)
    #expect(layout.files.map(\.path) == layout.files.map { paths[$0.index] })
    #expect(layout.unknown == unknown)
  }

  @Test(arguments: [
    (["a/stops.txt", "b/trips.txt"], ["'a'", "'b'"]),
    (["\u{e9}/stops.txt", "e\u{301}/trips.txt"], ["'\u{e9}'"]),
    (["x/inner.zip"], ["'x/inner.zip'"]),
    (
      ["bus.zip", "rail.zip", "__MACOSX/._rail.zip"],
      ["other archives: 'bus.zip' and 'rail.zip'."]
    ),
    (
      ["1/a.zip", "2/a.zip", "3/a.zip", "4/a.zip", "notes.txt"],
      ["'1/a.zip' and '2/a.zip' and '3/a.zip' and 1 more."]
    ),
    (["stops.txt", "STOPS.txt"], ["'stops.txt'", "'STOPS.txt'"]),
    (["stops.txt", "stops.txt"], ["'stops.txt'"]),
    (["shapes.txt", "readme.md"], ["'feed.zip'"]),
    ([], ["'feed.zip'"]),
  ])
  func refusesAnythingButOneFeed(paths: [String], named: [String]) {
    let error = #expect(throws: FeedError.self) { try FeedLayout(of: paths, in: "feed.zip") }
    #expect(error?.code == .notAFeed)
    #expect(error?.advice != nil)
    for name in named { #expect(error?.message.contains(name) == true) }
  }
}
