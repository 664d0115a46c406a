// swift-tools-version: 6.2

import PackageDescription

// The app of an invented festival, which ships its map as a pack.
let package = Package(
  name: "festival",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "Festival",
      dependencies: [
        .product(name: "HoldfastMaps", package: "holdfast"),
        .product(name: "HoldfastPacks", package: "holdfast"),
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastFiles", package: "holdfast"),
      ],
      // The plugin builds what is in there.
      exclude: ["Packs"],
      plugins: [.plugin(name: "HoldfastPackPlugin", package: "holdfast")])
  ],
  swiftLanguageModes: [.v6]
)
