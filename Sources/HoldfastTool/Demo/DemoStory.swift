/// What the demo tells, chapter by chapter; each goes on where the last one ended.
enum DemoStory {
  static let chapters: [any DemoChapter] = [
    ImportChapter(), InstallChapter(), SearchChapter(), MoveChapter(), SecondProcessChapter(),
    SharingChapter(),
  ]
}
