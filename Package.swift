// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// One row of the table of targets below.
struct Module {
  enum Kind {
    case system(pkgConfig: String?, apt: String?, brew: String?)
    /// The header of a framework that a package provides.
    case framework(product: String, package: String)
    case library, tool, plugin, test
  }

  var name: String
  var kind: Kind
  var imports: [String] = []
  /// What Apple's SDKs bring with them, and other systems do not.
  var linuxImports: [String] = []
  /// What is imported only with the trait `SQLCipher`, such as its library in place of `CSQLite`.
  var cipherImports: [String] = []
  /// The modules whose declarations it exports as its own.
  ///
  /// Whoever imports it depends on them too. Otherwise a release build that is repeated keeps their old inlined code,
  /// because the package manager compiles again what depends on a changed module, and no more.
  var reexports: [String] = []
  var isProduct = false
  var path: String?
  /// What is in its folder and is not compiled as a part of it.
  var otherFiles: [String] = []
  var readsManyBytes = false
  /// Whether a user of the tool waits for it, so that the installed tool has it optimized for time.
  var isWaitedFor = false
}

/// Whether the tool is built for `Scripts/install`, as small as it can be without being slower.
///
/// It asks no server for anything. On Linux the part of Foundation that does has a megabyte, and loads libcurl.
let isInstalled = Context.environment["HOLDFAST_INSTALL"] != nil

// Apple's systems have no SQLCipher, for which its makers provide a package.
#if os(macOS)
  let cipher = Module.Kind.framework(product: "SQLCipher", package: "SQLCipher.swift")
  let packages: [Package.Dependency] = [
    // The first whose SQLite does not have the WAL-reset bug (SQLiteLibrary).
    .package(url: "https://github.com/sqlcipher/SQLCipher.swift.git", from: "4.14.0")
  ]
  // Homebrew's headers are found by pkg-config alone, which links the library too.
  let serverHeaders: String? = "libmicrohttpd"
#else
  let cipher = Module.Kind.system(pkgConfig: "sqlcipher", apt: "libsqlcipher-dev", brew: nil)
  let packages: [Package.Dependency] = []
  let serverHeaders: String? = nil
#endif

// The house (ARCHITECTURE.md): a row imports only rows above it.
let allModules = [
  // Its module map links it where it is imported, and pkg-config would wherever it is declared: with
  // SQLCipher it is declared and not imported, and a process must never have two of them.
  Module(name: "CSQLite", kind: .system(pkgConfig: nil, apt: "libsqlite3-dev", brew: nil)),
  Module(name: "CSQLCipher", kind: cipher),
  Module(name: "CZip", kind: .system(pkgConfig: "libzip", apt: "libzip-dev", brew: "libzip")),
  Module(
    name: "CInflate", kind: .system(pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l")),
  Module(
    name: "CCrypto", kind: .system(pkgConfig: "libcrypto", apt: "libssl-dev", brew: nil)),
  Module(name: "CZlib", kind: .system(pkgConfig: nil, apt: "zlib1g-dev", brew: nil)),
  // It is loaded when a server starts (HTTPLibrary), and not linked.
  Module(
    name: "CMicroHTTPD",
    kind: .system(
      pkgConfig: serverHeaders, apt: "libmicrohttpd-dev", brew: "libmicrohttpd")),
  Module(name: "CLinux", kind: .system(pkgConfig: nil, apt: nil, brew: nil)),

  Module(
    name: "HoldfastSQLite", kind: .library, imports: ["CSQLite"], linuxImports: ["CLinux"],
    cipherImports: ["CSQLCipher"], isWaitedFor: true),
  Module(
    name: "HoldfastFiles", kind: .library, imports: ["CZlib"],
    linuxImports: ["CCrypto", "CLinux"], isProduct: true, isWaitedFor: true),
  Module(name: "HoldfastDownloads", kind: .library, imports: ["HoldfastFiles"], isProduct: true),
  Module(
    name: "Holdfast", kind: .library, imports: ["HoldfastSQLite", "HoldfastFiles"],
    reexports: ["HoldfastSQLite"], isProduct: true),
  Module(
    name: "HoldfastLedger", kind: .library,
    imports: ["Holdfast", "HoldfastFiles"] + (isInstalled ? [] : ["HoldfastDownloads"]),
    isProduct: true, otherFiles: isInstalled ? ["Downloads"] : []),
  Module(
    name: "HoldfastPacks", kind: .library, imports: ["Holdfast", "HoldfastFiles"],
    isProduct: true),
  Module(
    name: "HoldfastMaps", kind: .library,
    imports: ["HoldfastPacks", "Holdfast", "HoldfastFiles"], isProduct: true,
    isWaitedFor: true),
  Module(
    name: "HoldfastTransit", kind: .library, imports: ["Holdfast", "HoldfastFiles"],
    isProduct: true, isWaitedFor: true),
  Module(
    name: "HoldfastFeeds", kind: .library,
    imports: ["HoldfastTransit", "Holdfast", "HoldfastFiles", "CZip", "CInflate"],
    isProduct: true, readsManyBytes: true, isWaitedFor: true),
  Module(
    name: "HoldfastPackTool", kind: .tool,
    imports: ["HoldfastMaps", "HoldfastPacks", "HoldfastFiles"]),
  Module(
    name: "HoldfastPackPlugin", kind: .plugin, imports: ["HoldfastPackTool"], isProduct: true),
  Module(name: "CSamples", kind: .library, path: "Samples/Data/CSamples"),
  Module(
    name: "HoldfastSamples", kind: .library, imports: ["CSamples"],
    path: "Samples/Data/HoldfastSamples"),
  Module(name: "CInspectorPage", kind: .library),
  Module(
    name: "HoldfastInspector", kind: .library,
    imports: ["HoldfastFiles", "CMicroHTTPD", "CInspectorPage"], otherFiles: ["Page"]),
  Module(
    name: "HoldfastTool", kind: .tool,
    imports: [
      "HoldfastInspector", "HoldfastFeeds", "HoldfastTransit", "HoldfastMaps", "HoldfastPacks",
      "HoldfastLedger", "Holdfast", "HoldfastFiles", "HoldfastSamples",
    ],
    isProduct: true),

  Module(
    name: "CFaults", kind: .library, imports: ["CSQLite"], cipherImports: ["CSQLCipher"],
    path: "Tests/CFaults"),
  Module(name: "CThreadSanitizer", kind: .library, path: "Tests/CThreadSanitizer"),
  Module(name: "CTracer", kind: .library, path: "Tests/CTracer"),
  Module(
    name: "HoldfastPackCampaign", kind: .tool,
    imports: ["HoldfastMaps", "HoldfastPacks", "Holdfast", "HoldfastFiles", "CTracer"],
    path: "Tests/HoldfastPackCampaign"),
  Module(
    name: "HoldfastTestSupport", kind: .library, imports: ["CThreadSanitizer"],
    path: "Tests/HoldfastTestSupport"),
  Module(
    name: "HoldfastSQLiteTests", kind: .test, imports: ["HoldfastSQLite", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastFilesTests", kind: .test, imports: ["HoldfastFiles", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastDownloadsTests", kind: .test,
    imports: ["HoldfastDownloads", "HoldfastFiles", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastLedgerTests", kind: .test,
    imports: [
      "HoldfastLedger", "HoldfastDownloads", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
  Module(
    name: "HoldfastPacksTests", kind: .test,
    imports: [
      "HoldfastPackCampaign", "HoldfastPacks", "CFaults", "Holdfast", "HoldfastFiles",
      "HoldfastTestSupport",
    ]),
  Module(
    name: "HoldfastMapsTests", kind: .test,
    imports: [
      "HoldfastMaps", "HoldfastPacks", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
  Module(
    name: "HoldfastTests", kind: .test,
    imports: ["CFaults", "Holdfast", "HoldfastFiles", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastEncryptionTests", kind: .test, imports: ["Holdfast", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastEncryptedFilesTests", kind: .test, imports: ["HoldfastTestSupport"],
    cipherImports: ["HoldfastTransit", "HoldfastPacks", "Holdfast", "HoldfastFiles"]),
  Module(
    name: "HoldfastTransitTests", kind: .test,
    imports: [
      "HoldfastTransit", "HoldfastFeeds", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
  Module(
    name: "HoldfastInspectorTests", kind: .test,
    imports: ["HoldfastInspector", "HoldfastFiles", "HoldfastTestSupport"]),
  Module(
    name: "HoldfastFeedsTests", kind: .test,
    imports: [
      "HoldfastFeeds", "HoldfastTransit", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
  Module(
    name: "CommandLineTests", kind: .test,
    imports: [
      "HoldfastTool", "HoldfastPackTool", "HoldfastFeeds", "HoldfastTransit", "HoldfastMaps",
      "HoldfastPacks", "HoldfastLedger", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
  Module(
    name: "ConsumerTests", kind: .test,
    imports: [
      "HoldfastFeeds", "HoldfastTransit", "HoldfastMaps", "HoldfastPacks", "HoldfastLedger",
      "HoldfastDownloads", "Holdfast", "HoldfastFiles", "HoldfastTestSupport",
    ]),
]

/// The modules of this build: all of them, or the test targets that `HOLDFAST_TESTS` names and what
/// they import, because a sanitizer's build takes minutes and runs few of the tests.
let modules: [Module] = {
  guard let tests = Context.environment["HOLDFAST_TESTS"] else { return allModules }
  var wanted = Set(tests.split(separator: " ").map(String.init))
  // Each row imports rows above it.
  for module in allModules.reversed() where wanted.contains(module.name) {
    wanted.formUnion(module.imports + module.linuxImports + module.cipherImports)
  }
  return allModules.filter { wanted.contains($0.name) }
}()

/// The files that are left out of a test target: with `HOLDFAST_SUITES`, the tests whose names do not
/// end so, if others do, because most of a sanitizer's build would be tests that it does not run.
func leftOut(of target: String) -> [String] {
  guard let suites = Context.environment["HOLDFAST_SUITES"] else { return [] }
  let files = FileManager.default.enumerator(atPath: "\(Context.packageDirectory)/Tests/\(target)")
  let tests = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("Tests.swift") }
  let others = tests.filter { !$0.hasSuffix("\(suites).swift") }
  return others.count < tests.count ? others : []
}

// Every target is compiled alike: the compiler's strictest reading, and no warning survives.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The flags of a build that is never repeated, with `HOLDFAST_BUILD_ONCE`.
///
/// Each module is compiled at once. That takes two thirds of the time, and each later build longer. No
/// module imports one of tests, so its interface is not written first. What reads feeds byte by byte is
/// optimized in a build of all tests, of whose time a third would be its own.
func flags(of module: Module) -> [SwiftSetting] {
  if isInstalled { return module.isWaitedFor ? [] : [.unsafeFlags(["-Osize"])] }
  guard Context.environment["HOLDFAST_BUILD_ONCE"] != nil else { return [] }
  var flags = ["-wmo", "-num-threads", "2"]
  if case .test = module.kind { flags.append("-no-emit-module-separately-wmo") }
  let hasAllTests = Context.environment["HOLDFAST_TESTS"] == nil
  if module.readsManyBytes, hasAllTests { flags.append("-O") }
  return [.unsafeFlags(flags)]
}

/// The modules that others export as their own, without those others.
func reexports(of modules: [String]) -> [String] {
  let all = allModules.filter { modules.contains($0.name) }.flatMap(\.reexports)
  return Set(all).subtracting(modules).sorted()
}

// A tool that is built already, as in this package's own checks, is not built once more for the plugin.
let hasPackTool = Context.environment["HOLDFAST_PACK_TOOL"] != nil

let package = Package(
  name: "holdfast",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: modules.filter(\.isProduct).map { module in
    switch module.kind {
    case .tool: .executable(name: "holdfast", targets: [module.name])
    case .plugin: .plugin(name: module.name, targets: [module.name])
    default: .library(name: module.name, targets: [module.name] + module.reexports)
    }
  },
  traits: [
    .trait(name: "SQLCipher", description: "Encrypted databases, with SQLCipher in place of SQLite")
  ],
  dependencies: packages,
  targets: modules.map { module in
    let imports =
      (module.imports + reexports(of: module.imports)).map(Target.Dependency.init(stringLiteral:))
      + module.linuxImports.map { .target(name: $0, condition: .when(platforms: [.linux])) }
      + module.cipherImports.map { .target(name: $0, condition: .when(traits: ["SQLCipher"])) }
    switch module.kind {
    case .system(let pkgConfig, let apt, let brew):
      // On Apple platforms SQLite is the SDK's own, which pkg-config does not know.
      return .systemLibrary(
        name: module.name,
        pkgConfig: pkgConfig,
        providers: (apt.map { [.apt([$0])] } ?? []) + (brew.map { [.brew([$0])] } ?? []))
    case .framework(let product, let package):
      return .target(
        name: module.name,
        dependencies: [
          .product(name: product, package: package, condition: .when(traits: ["SQLCipher"]))
        ],
        publicHeadersPath: ".")
    case .library:
      return .target(
        name: module.name, dependencies: imports, path: module.path, exclude: module.otherFiles,
        swiftSettings: settings + flags(of: module))
    case .tool:
      return .executableTarget(
        name: module.name, dependencies: imports, path: module.path,
        swiftSettings: settings + flags(of: module))
    case .plugin:
      return .plugin(
        name: module.name, capability: .buildTool(),
        dependencies: hasPackTool ? [] : module.imports.map { .target(name: $0) })
    case .test:
      // The linker that the toolchain brings takes a quarter of the time of the system's.
      let linker = LinkerSetting.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))
      return .testTarget(
        name: module.name, dependencies: imports, exclude: leftOut(of: module.name),
        swiftSettings: settings + flags(of: module), linkerSettings: [linker])
    }
  },
  swiftLanguageModes: [.v6]
)
