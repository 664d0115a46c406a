import Holdfast

extension ReportBuilder {
  /// Begins the report on a feed, with its files and what is unusual about their names.
  convenience init(_ source: FeedSource) {
    var report = FeedReport(
      feed: source.name, isArchive: source.isArchive, directory: source.directory)
    report.files = (source.files + source.otherFiles).map {
      .init(name: $0.name, path: $0.path, bytes: $0.size)
    }
    self.init(report)
    if !source.directory.isEmpty {
      add(.feedDirectory(source.directory).at(source.name))
    }
    for file in source.files where !file.path.hasSuffix(file.name) {
      add(.fileNameCase(file.path).at(file.name))
    }
    let kept = Set(source.otherFiles.map { ExactText($0.name) })
    let present = Set(source.files.map(\.name))
    for name in source.unknownFiles {
      let isKept = kept.contains(ExactText(name))
      if let meant = FeedCatalog.meant(by: name), !present.contains(meant) {
        add(.misnamedFile(meant, isKept: isKept).at(name))
      } else {
        add(.unknownFile(isKept: isKept).at(name))
      }
    }
  }

  /// Adds the files that the feed lacks and needs; `folder` stands before their names, where there are
  /// several feeds.
  func addMissingFiles(of source: FeedSource, in folder: String = "") {
    let present = Set(source.files.map(\.name))
    func candidate(for names: [String]) -> String? {
      source.unknownFiles.first { FeedCatalog.meant(by: $0).map(names.contains) == true }
    }
    for name in FeedCatalog.required
    where !present.contains(name) && FeedCatalog.isRequired(name, in: present) {
      add(.missingFile(candidate: candidate(for: [name])).at(folder + name))
    }
    if present.isDisjoint(with: FeedCatalog.calendars) {
      add(
        .missingCalendar(candidate: candidate(for: FeedCatalog.calendars))
          .at(folder + FeedCatalog.calendars[0]))
    }
  }
}
