import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct StoredPathTests {
  static let uuid = "6F1D2C3B-0A9E-4C1D-8B7A-1234567890AB"
  static let device = "/var/mobile/Containers/Data/Application/\(uuid)"

  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var owner: StoredPath.Owner
    var names: [String]
    var relocated: String?

    var testDescription: String { text }
  }

  static let cases = [
    Case(
      text: "\(device)/Documents/a b.m4b", owner: .app, names: ["Documents", "a b.m4b"],
      relocated: "@documents/a b.m4b"),
    Case(
      text: "/private\(device)/Library/Caches/x", owner: .app, names: ["Library", "Caches", "x"],
      relocated: "@caches/x"),
    Case(
      text: "file://\(device)/Documents/50%2541%20off.m4b", owner: .app,
      names: ["Documents", "50%41 off.m4b"], relocated: "@documents/50%41 off.m4b"),
    Case(
      text: "file://localhost\(device)/tmp/x", owner: .app, names: ["tmp", "x"],
      relocated: "@temporary/x"),
    Case(
      text: "\(device)/Library/Preferences/a.plist", owner: .app,
      names: ["Library", "Preferences", "a.plist"], relocated: "@library/Preferences/a.plist"),
    Case(
      text: "/Users/ann/Library/Developer/CoreSimulator/Devices/\(uuid)/data/Containers/Data/"
        + "Application/\(uuid)/Library/Application Support/db.sqlite", owner: .app,
      names: ["Library", "Application Support", "db.sqlite"],
      relocated: "@application-support/db.sqlite"),
    Case(
      text: "/var/mobile/Containers/Data/PluginKitPlugin/\(uuid)/Documents/x",
      owner: .appExtension, names: ["Documents", "x"], relocated: "@documents/x"),
    Case(
      text: "/private/var/mobile/Containers/Shared/AppGroup/\(uuid)/a/b", owner: .appGroup,
      names: ["a", "b"], relocated: "@app-group:IDENTIFIER/a/b"),
    Case(
      text: "/var/containers/Bundle/Application/\(uuid)/X.app/map.mbtiles", owner: .bundle,
      names: ["X.app", "map.mbtiles"], relocated: "@bundle/map.mbtiles"),
    Case(
      text: "/Users/ann/Library/Containers/org.example.app/Data/Documents/x", owner: .sandbox,
      names: ["Documents", "x"], relocated: "@documents/x"),
    Case(
      text: "/Users/ann/Library/Group Containers/group.org.example/x", owner: .groupSandbox,
      names: ["x"], relocated: "@app-group:group.org.example/x"),
  ]

  @Test(arguments: cases) func eachFormIsRecognized(form: Case) throws {
    let path = try #require(StoredPath(form.text))
    #expect(path.owner == form.owner)
    #expect(path.names == form.names)
    #expect(path.relocated()?.description == form.relocated)
    #expect(StoredPath.all(in: form.text) == [path])
  }

  @Test(arguments: cases) func eachFormIsFoundInOtherText(form: Case) throws {
    let path = try #require(StoredPath(form.text))
    for text in ["{\"a\":\"\(form.text)\"}", "<a href='\(form.text)'>", "x\n\"\(form.text)\"\ny"] {
      #expect(StoredPath.all(in: text).map(\.names) == [path.names], "\(text)")
    }
    // A nested JSON text escapes its slashes.
    let escaped = "\"" + form.text.replacing("/", with: "\\/") + "\""
    #expect(StoredPath.all(in: escaped).map(\.names) == [path.names])
  }

  @Test func severalPathsInATextAreSeveral() {
    let text = "opened \(Self.device)/Documents/a.m4b, then file://\(Self.device)/tmp/b%20c."
    let paths = StoredPath.all(in: text)
    #expect(paths.map(\.names) == [["Documents", "a.m4b"], ["tmp", "b c"]])
    #expect(paths.map(\.isWhole) == [false, true])
  }

  @Test func aPathInTheQueryOfAURLIsFound() {
    let encoded = Self.device.replacing("/", with: "%2F")
    let paths = StoredPath.all(in: "app://open?file=\(encoded)%2FDocuments%2Fa%20b&x=1")
    #expect(paths.map(\.names) == [["Documents", "a b"]])
  }

  @Test(arguments: [
    "shipping containers", "/Containers/Data/Application/not-a-uuid/Documents/x",
    "https://example.org/Containers/Data/Application/\(uuid)/x", "downloads/book.m4b",
    "/usr/share/x", "Containers/Data/Application/\(uuid)/Documents/x", "ontainers",
  ])
  func otherTextIsNoPath(text: String) {
    #expect(StoredPath.all(in: text) == [])
  }

  @Test func theExampleShowsWhichFileAndNotTheWholeIdentifier() throws {
    let path = try #require(StoredPath("\(Self.device)/Documents/a.m4b"))
    #expect(
      path.identifyingText == "…/Containers/Data/Application/6F1D2C3B…/Documents/a.m4b")
    let long = try #require(
      StoredPath("\(Self.device)/Documents/\(String(repeating: "x", count: 500))"))
    #expect(long.identifyingText.count == 119)
  }

  /// Each name of such a text was compared with all kinds of containers, and the text copied several times.
  @Test func aTextThatIsLongerThanAnyPathHasNoRelocatedForm() throws {
    let start = "\(Self.device)/Documents/first"
    let end = String(repeating: "/é/x", count: 100)
    let short = try #require(StoredPath(start + String(repeating: "/a", count: 2000) + "/last"))
    #expect(short.relocated()?.components.last == "last")
    let long = try #require(StoredPath(start + String(repeating: "/a", count: 200_000) + end))
    #expect(long.names.count == 200_202)
    #expect(long.relocated() == nil)
    #expect(
      long.identifyingText
        == "…/Containers/Data/Application/6F1D2C3B…/Documents/first/a/a…"
        + String(repeating: "/é/x", count: 15).dropFirst())
    let wide = try #require(StoredPath(start + String(repeating: "x", count: 4096)))
    #expect(wide.relocated() == nil)
  }

  @Test func randomBytesNeverTrap() {
    var random = SeededRandom(seed: 11)
    let pieces = [
      Self.device, "Containers", "containers/", "%2F", "%", "\\/", "file:", "/", "\"", " ", "é",
      "\n", "Group Containers", Self.uuid, "?", "..",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      for path in StoredPath.all(in: text) { _ = (path.identifyingText, path.relocated()) }
    }
  }
}
