import Holdfast
import HoldfastFiles

/// The paths that a container stores: in values, in texts and in symbolic links.
extension ContainerExamination {
  /// Examines where a symbolic link leads, which is a stored path too.
  mutating func examineLink(_ path: FilePath, _ name: String) throws(Errno) {
    let target: String
    do throws(Errno) {
      target = try SystemCalls.linkText(of: path.text)
    } catch .illegalBytes {
      // The system writes no such path.
      return
    }
    guard let path = StoredPath(target) else { return }
    findings.add(.absoluteLink(path, in: name))
    judge(path, in: name, at: .wholeFile, count: 1, isProof: path.isWhole)
  }

  /// Examines a blob: a property list, JSON, or any other that has texts.
  mutating func examineBytes(
    _ bytes: [UInt8], in file: String, at place: Finding.Place, depth: Int = 0
  ) {
    guard let list = BinaryPropertyList(bytes) else {
      for text in BlobText.find(in: bytes) { examineText(text, in: file, at: place) }
      return
    }
    guard list.count <= BinaryPropertyList.mostObjects else {
      findings.add(
        .notExamined(
          file,
          because: "A binary property list in it has \(list.count) objects, and at most "
            + "\(BinaryPropertyList.mostObjects) are read.",
          advice: "Convert it with 'plutil -convert xml1' and examine it again."))
      return
    }
    let references = list.references()
    list.visitTexts(where: StoredPath.mayBeIn, references) { text, count in
      examineText(text.text, in: file, at: place.below(text.key), count: count)
    }
    // Apps archive values into data, and store that in their preferences.
    guard depth < 3 else { return }
    list.visitData(references) { key, bytes in
      guard bytes.count >= StoredPath.shortest else { return }
      examineBytes(Array(bytes), in: file, at: place.below(key), depth: depth + 1)
    }
  }

  /// Examines a text, which may be JSON or contain paths.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - file: The path of its file in the container.
  ///   - place: Its place there.
  ///   - count: The number of such texts.
  ///   - depth: The number of strings in JSON around it.
  ///   - isProof: Whether a path whose end is certain proves that a file is gone.
  /// - Returns: Whether a path was found.
  @discardableResult
  mutating func examineText(
    _ text: String, in file: String, at place: Finding.Place, count: Int = 1, depth: Int = 0,
    isProof: Bool = true
  ) -> Bool {
    let bytes = Array(text.utf8)
    if depth < Self.deepestJSON, JSONTexts.mayBeJSON(bytes) {
      guard StoredPath.mayBeIn(bytes) else { return false }
      var isFound = false
      // A string in it may be JSON again.
      let visit: (inout ContainerExamination, StoredText) -> Void = { examination, text in
        let place = place.below(text.key)
        if examination.examineText(
          text.text, in: file, at: place, count: count, depth: depth + 1, isProof: isProof)
        {
          isFound = true
        }
      }
      var reader = JSONTexts(where: StoredPath.mayBeIn)
      reader.read(bytes[...]) { visit(&self, $0) }
      reader.end { visit(&self, $0) }
      if isFound { return true }
    }
    var isFound = false
    StoredPath.visit(in: text, bytes) { path in
      isFound = true
      examine(path, in: file, at: place, count: count, isProof: isProof && path.isWhole)
    }
    return isFound
  }

  /// How deep JSON is read that is a string in JSON; its escapes double each time.
  private static let deepestJSON = 8

  private mutating func examine(
    _ path: StoredPath, in file: String, at place: Finding.Place, count: Int, isProof: Bool
  ) {
    if judgedFile?.name != file { judgedFile = (file, UnfollowedPath.isReport(file)) }
    if judgedFile?.isReport == true { return }
    if let key = place.key {
      if judgedKey?.key != key || judgedKey?.file != file {
        judgedKey = (file, key, UnfollowedPath.isUnfollowed(key, in: file))
      }
      if judgedKey?.isUnfollowed == true { return }
    }
    if !path.isWhole, UnfollowedPath.isMessage(place) { return }
    let appGroup = container.appGroup
    findings.add(.absolutePath, in: file, at: place, count: count) {
      .absolutePath(path, appGroup: appGroup, in: file, at: place)
    }
    judge(path, in: file, at: place, count: count, isProof: isProof)
  }

  /// Examines whether the file of a path is there.
  private mutating func judge(
    _ path: StoredPath, in file: String, at place: Finding.Place, count: Int, isProof: Bool
  ) {
    switch path.owner {
    case _ where container.contains(path):
      var candidates = [path.names, path.decodedNames].compactMap { $0 }
      // The files of a template are there if its folder is.
      candidates = candidates.map { UnfollowedPath.folder(ofTemplate: $0) ?? $0 }
      if UnfollowedPath.isSprite(key: place.key), let last = path.names.last {
        candidates.append(path.names.dropLast() + [last + ".json"])
      }
      add(
        candidates.map(container.presence), isProof: isProof, path.identifyingText, in: file,
        at: place, count: count)
    case .app, .sandbox, .appExtension, .appGroup, .bundle, .groupSandbox:
      findings.add(.unknownReference, in: file, at: place, count: count) {
        .unknownReference(
          path.identifyingText,
          because: "It leads into \(path.owner.rawValue), which is not part of this copy.",
          in: file, at: place)
      }
    }
  }

  /// Examines a relative path of which several places are possible.
  mutating func examineReference(
    _ example: String, _ candidates: [RelocatablePath], in file: String, at place: Finding.Place
  ) {
    let answers = candidates.map { path -> CopiedContainer.Presence in
      guard let data = container.data, let root = container.folder(of: path.root),
        let names = root.names(below: data)
      else { return .unknown }
      return container.presence(names + path.components)
    }
    add(answers, isProof: true, example, in: file, at: place, count: 1)
  }

  /// Examines the name of a file in a folder that lies next to its database.
  mutating func examineExternalBlob(
    _ folder: [String], _ name: String, in file: String, at place: Finding.Place
  ) {
    let path = container.folder.appending(folder)
    // A file that cannot be examined is unknown.
    let exists = { (path: FilePath) in try? path.exists() }
    let answer: CopiedContainer.Presence =
      switch (exists(path), exists(path.appending([name]))) {
      case (true?, true?): .present
      case (true?, false?): .absent
      // A folder that was not copied proves nothing.
      default: .unknown
      }
    add(
      [answer], isProof: true, (folder + [name]).joined(separator: "/"), in: file, at: place,
      count: 1)
  }

  /// Adds a finding unless one of the answers is that the file exists.
  private mutating func add(
    _ answers: [CopiedContainer.Presence], isProof: Bool, _ example: @autoclosure () -> String,
    in file: String, at place: Finding.Place, count: Int
  ) {
    guard !answers.contains(.present) else { return }
    if isProof, answers.allSatisfy({ $0 == .absent }) {
      findings.add(.deadReference, in: file, at: place, count: count) {
        .deadReference(example(), in: file, at: place)
      }
      return
    }
    let hasLayout = container.data != nil
    findings.add(.unknownReference, in: file, at: place, count: count) {
      .unknownReference(
        example(),
        because: !hasLayout
          ? "The folder has neither Documents nor Library nor tmp, so its layout is unknown."
          : isProof
            ? "Its folder is not part of this copy, cannot be read, or is a symbolic link."
            : "The path stands in running text, where its end is not certain.",
        in: file, at: place)
    }
  }
}

extension Finding.Place {
  /// Returns the place of a value inside the one at this place.
  fileprivate func below(_ key: String) -> Finding.Place {
    var place = self
    if !key.isEmpty {
      place.key = [self.key ?? "", key].filter { !$0.isEmpty }.joined(separator: ".")
    }
    return place
  }
}
