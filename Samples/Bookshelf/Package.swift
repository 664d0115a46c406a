// swift-tools-version: 6.2

import PackageDescription

// An app that came from GRDB, without a window.
let package = Package(
  name: "bookshelf",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "Bookshelf",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastFiles", package: "holdfast"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
