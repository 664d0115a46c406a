// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nothing a benchmark needs ever reaches a user of the library.
// The settings are those of the package it measures.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "holdfast-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "holdfast-bench", targets: ["HoldfastBench"]),
    .executable(name: "hello-holdfast", targets: ["HelloHoldfast"]),
    .executable(name: "hello-sqlite", targets: ["HelloSQLite"]),
  ],
  traits: [.trait(name: "SQLCipher", description: "The library with SQLCipher in place of SQLite")],
  dependencies: [
    .package(
      name: "holdfast", path: "..",
      traits: [.trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"]))])
  ],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CTracer"),
    // SQLite's header stays inside, so that Swift meets one SQLite only: the library's, which is also the
    // one that it calls. It links none of its own, because with SQLCipher that would be a second one.
    .target(
      name: "CFloor",
      linkerSettings: [
        .linkedLibrary("crypto"), .linkedLibrary("z"),
        .linkedLibrary("dl", .when(platforms: [.linux])),
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]),
    // The floor in Swift has a module of its own for the same reason.
    .target(name: "CSQLiteCalls"),
    .target(name: "SwiftFloor", dependencies: ["CSQLiteCalls"], swiftSettings: settings),
    .executableTarget(name: "HelloSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "HelloHoldfast", dependencies: [.product(name: "Holdfast", package: "holdfast")],
      swiftSettings: settings),
    .executableTarget(
      name: "HoldfastBench",
      dependencies: [
        "CAllocations", "CFloor", "CTracer", "SwiftFloor",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastFiles", package: "holdfast"),
        .product(name: "HoldfastDownloads", package: "holdfast"),
        .product(name: "HoldfastLedger", package: "holdfast"),
        .product(name: "HoldfastPacks", package: "holdfast"),
        .product(name: "HoldfastMaps", package: "holdfast"),
        .product(name: "HoldfastTransit", package: "holdfast"),
        .product(name: "HoldfastFeeds", package: "holdfast"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
