// The Swift of GettingStartedWithPacks.md, compiled: GettingStartedWithPacksTests finds each block of it
// here, and runs every function.

import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks

func buildGuide(filesIn sources: URL, to folder: URL, version: String) throws -> PackManifest {
  var description = PackDescription(
    name: try PackName("guide"), version: try PackVersion(version))
  description.storages = [try PackPath("favorites.sqlite"): .seeded]
  return try PackBuilder(description).build(filesIn: sources, to: folder).manifest
}

func openStore(in container: Container = .current) throws -> PackStore {
  var configuration = PackStore.Configuration()
  configuration.container = container
  return PackStore(try PackName("app"), configuration: configuration)
}

func installGuide(from bundle: URL, into store: PackStore) async throws -> InstallReport {
  let report = try await store.install(PackName("guide"), from: .bundle(bundle))
  print(report.reason)
  if let failure = report.failure { print(failure) }
  return report
}

func places(in store: PackStore) async throws -> [String] {
  let pool = try store.open("places.db", of: PackName("guide"))
  return try await pool.read { db in
    try String.fetchAll(db, sql: "SELECT name FROM place ORDER BY name")
  }
}

func followPlaces(in store: PackStore) throws -> PackDatabaseSource {
  store.source("places.db", of: try PackName("guide"))
}

func readText(in store: PackStore) throws -> Data? {
  guard let lease = try store.hold(PackName("guide")) else { return nil }
  return try withExtendedLifetime(lease) {
    try lease.generation.url(ofFileAt: "about.txt").map { try Data(contentsOf: $0) }
  }
}

func openFavorites(in store: PackStore) async throws -> DatabasePool {
  let seeded = try await store.openSeeded("favorites.sqlite", of: PackName("guide")) { db, _ in
    try db.execute(sql: "INSERT OR IGNORE INTO favorite SELECT * FROM seed.favorite")
  }
  return seeded.pool
}

func takeBack(in store: PackStore) async throws -> Generation? {
  try await store.rollback(PackName("guide")).generation
}

func releaseLocks(of store: PackStore, with pool: DatabasePool) {
  store.endLocksOnSuspension(of: pool)
}
