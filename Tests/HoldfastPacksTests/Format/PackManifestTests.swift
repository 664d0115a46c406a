import Foundation
import HoldfastFiles
import HoldfastPacks
import Testing

@Suite struct PackManifestTests {
  static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private static func file(
    _ path: String, size: Int64 = 0, kind: PackFile.Kind = .plain
  ) throws -> PackFile {
    let digest = try #require(SHA256Digest(empty))
    return try PackFile(
      path: PackPath(path), content: FileDigest(byteCount: size, sha256: digest), kind: kind,
      schema: kind.isDatabase ? .init(applicationID: -1, userVersion: 7) : nil,
      pageSize: kind.isDatabase ? 512 : nil)
  }

  private static func manifest(_ files: [PackFile]) throws -> PackManifest {
    try PackManifest(
      name: PackName("Map"), version: PackVersion("2025.1"), edition: PackEdition("2025"),
      files: files)
  }

  private static func text(_ files: String, format: String = "1") -> Data {
    Data(
      #"{"format":\#(format),"name":"map","version":"1","files":[\#(files)],"later":{}}"#.utf8)
  }

  private static func line(_ path: String, _ more: String = "") -> String {
    """
    {"path":"\(path)","size":0,"sha256":"\(empty)","kind":"plain","storage":"sealed"\(more)}
    """
  }

  @Test func `The text of a manifest is the same each time, byte for byte`() throws {
    let manifest = try Self.manifest([
      Self.file("b\"\\.json"), Self.file("Z.txt"), Self.file("a.sqlite", size: 1024, kind: .sqlite),
    ])
    #expect(
      String(decoding: manifest.data, as: UTF8.self) == #"""
        {
          "edition": "2025",
          "files": [
            {
              "kind": "plain",
              "path": "Z.txt",
              "sha256": "\#(Self.empty)",
              "size": 0,
              "storage": "sealed"
            },
            {
              "kind": "sqlite",
              "page_size": 512,
              "path": "a.sqlite",
              "schema": {
                "application_id": -1,
                "user_version": 7
              },
              "sha256": "\#(Self.empty)",
              "size": 1024,
              "storage": "sealed"
            },
            {
              "kind": "plain",
              "path": "b\"\\.json",
              "sha256": "\#(Self.empty)",
              "size": 0,
              "storage": "sealed"
            }
          ],
          "format": 1,
          "name": "Map",
          "version": "2025.1"
        }

        """#)
    #expect(manifest.generationName == "2025.1-\(manifest.digest.description.prefix(8))")
    #expect(manifest.byteCount == 1024)
  }

  @Test func `A manifest that is read is the one that was written`() throws {
    let manifest = try Self.manifest([
      Self.file("caf\u{E9}"), Self.file("a.mbtiles", size: 512, kind: .mbtiles),
    ])
    let read = try PackManifest(data: manifest.data)
    #expect(read == manifest)
    #expect(read.files == manifest.files)
    #expect(read.name.description == "Map")
    #expect(read.edition == manifest.edition)
    #expect(read.file(at: "caf\u{E9}") != nil)
    #expect(read.file(at: "cafe\u{301}") == nil)
    #expect(read.file(at: "a.mbtiles")?.pageCount == 1)
  }

  @Test func `Members of a later version are ignored, and the bytes stay`() throws {
    let data = Self.text(Self.line("a", #","later":[1,2]"#))
    let manifest = try PackManifest(data: data)
    #expect(manifest.data == data)
    #expect(manifest.files.map(\.path.description) == ["a"])
    // Another text with the same meaning is another generation, because the digest is of the text.
    #expect(try PackManifest(data: Self.text(Self.line("a"))).digest != manifest.digest)
  }

  @Test func `A later format is refused by its number`() throws {
    let error = try #require(throws: PackError.self) {
      try PackManifest(data: Data(#"{"format":2,"whatever":true}"#.utf8))
    }
    #expect(error.code == .newerFormat)
    #expect(error.message.contains("format 2"))
    #expect(error.message.contains("format 1"))
  }

  @Test(arguments: [
    ("", "it is no JSON"), ("[]", "no JSON"), (#"{"format":0}"#, "no format 0"),
    (#"{"format":1,"name":"map"}"#, "'version' is missing"), (#"{"name":"map"}"#, "'format'"),
    (#"{"format":1,"name":5,"version":"1","files":[]}"#, "'name' has another type"),
  ])
  func `A text that is no manifest is refused with the place`(
    _ text: String, reason: String
  ) throws {
    let error = try #require(throws: PackError.self) { try PackManifest(data: Data(text.utf8)) }
    #expect(error.code == .invalidManifest)
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test func `A file with an illegal description is refused by its path`() throws {
    let files = [
      (#"{"path":"a","size":0,"sha256":"00","kind":"plain","storage":"sealed"}"#, "'sha256'"),
      (
        Self.line("a").replacing(#""kind":"plain""#, with: #""kind":"film""#),
        "'a' has the unknown kind 'film'"
      ),
      (
        Self.line("a").replacing(#""storage":"sealed""#, with: #""storage":"seeded""#),
        "'a' is seeded, which only a SQLite database can be"
      ),
      (Self.line("a").replacing(#""size":0"#, with: #""size":-1"#), "'a' has a negative size"),
      (Self.line("a", #","page_size":512"#), "'a' has the numbers of a database, and is none"),
      (
        Self.line("a").replacing("plain", with: "sqlite"),
        "'a' is a database, and its numbers are missing"
      ),
      (
        Self.line("a", #","page_size":1000,"schema":{"application_id":0,"user_version":0}"#)
          .replacing("plain", with: "sqlite"), "'a' has pages of 1000 bytes"
      ),
      (
        Self.line("a", #","page_size":1024,"schema":{"application_id":0,"user_version":0}"#)
          .replacing("plain", with: "sqlite").replacing(#""size":0"#, with: #""size":1023"#),
        "'a' has 1023 bytes, which are no whole pages of 1024"
      ),
    ]
    for (text, reason) in files {
      let error = try #require(throws: PackError.self) {
        try PackManifest(data: Self.text(text))
      }
      #expect(error.code == .invalidManifest)
      #expect(error.message.contains(reason), "\(error)")
    }
  }

  @Test func `Paths that could not lie in one folder everywhere are refused`() throws {
    let cases: [([String], String)] = [
      ([], "no file"),
      (["a", "a"], "'a' twice"),
      (["map", "MAP"], "one name where letter case"),
      (["caf\u{E9}", "cafe\u{301}"], "one name where letter case"),
      (["Styles/a", "styles/b"], "one name where letter case"),
      (["a", "a/b"], "'a' is a file and a folder"),
      (["A", "a/b"], "'a' and 'A' are one name"),
      (["a/b/c", "A/B"], "one name where letter case"),
      (["a", "a-b", "a/c"], "'a' is a file and a folder"),
      (["Styles/a", "styles-b", "styles/c"], "one name where letter case"),
      (["e\u{301}/a", "e/b", "e.c", "\u{E9}/d"], "one name where letter case"),
      (["pack.json"], "the manifest's own name"),
      (["Pack.JSON"], "the manifest's own name"),
      (["x/map.db", "x/map.db-wal"], "next to 'x/map.db'"),
      (["map.db", "MAP.db-Journal"], "next to 'map.db'"),
    ]
    for (paths, reason) in cases {
      let error = try #require(throws: PackError.self) {
        try Self.manifest(paths.map { try Self.file($0) })
      }
      #expect(error.code == .invalidManifest)
      #expect(error.message.contains(reason), "\(paths): \(error)")
      #expect(throws: PackError.self) {
        try PackManifest(data: Self.text(paths.map { Self.line($0) }.joined(separator: ",")))
      }
    }
    // In another folder they are harmless.
    _ = try Self.manifest([
      Self.file("x/map.db"), Self.file("map.db-wal"), Self.file("x/pack.json"),
      Self.file("x-1/a"), Self.file("x/y/a"), Self.file("x/y-z"),
    ])
  }

  @Test func `Lengths that add up to more than an integer holds are refused`() throws {
    let files = try [Self.file("a", size: .max), Self.file("b", size: 1)]
    let error = #expect(throws: PackError.self) { try Self.manifest(files) }
    #expect(error?.code == .invalidManifest)
    #expect(try Self.manifest([files[0]]).byteCount == .max)
  }

  @Test func `A path in a manifest cannot leave the pack`() throws {
    for path in ["../a", "/etc/passwd", "a/../../b", ".lock"] {
      let error = try #require(throws: PackError.self) {
        try PackManifest(data: Self.text(Self.line(path)))
      }
      #expect(error.code == .invalidName)
    }
  }

  @Test func `A manifest with each byte changed is read or refused`() throws {
    let manifest = try Self.manifest([Self.file("a.sqlite", size: 512, kind: .sqlite)])
    let bytes = Array(manifest.data)
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x22, 0x30, 0x5B, 0x7B, 0xFF] {
        var changed = bytes
        changed[index] = byte
        do throws(PackError) {
          let read = try PackManifest(data: Data(changed))
          #expect(changed == bytes || read.digest != manifest.digest)
        } catch {
          #expect(!error.message.isEmpty)
        }
      }
      // The last byte is the line feed.
      let isCut = index < bytes.count - 1
      if isCut {
        #expect(throws: PackError.self) { try PackManifest(data: Data(bytes.prefix(index))) }
      }
    }
  }
}
