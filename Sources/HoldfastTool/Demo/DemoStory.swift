/// The chapters of the demo; each continues where the previous one ended.
enum DemoStory {
  static let chapters: [any DemoChapter] = [
    ImportChapter(), InstallChapter(), SearchChapter(), TimetableChapter(), MoveChapter(),
    DownloadsChapter(), SharingChapter(), PackChapter(),
  ]
}
