// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// Every target of ours is Swift 6 and free of warnings.
let base: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// What is optimised: everything in a release, and less where a build in half the time is worth more.
///
/// `QUICK=run`, for the debug configuration, optimises what computes in the program to try. `QUICK=test`,
/// for the release configuration, optimises that and other packages, whose generic code takes most of the
/// time of the tests. Packages that depend on ours never see these flags.
let quick = Context.environment["QUICK"]
func flags(run: [String] = [], test: [String] = []) -> [SwiftSetting] {
  let flags = quick == "run" ? run : quick == "test" ? test : []
  return base + (flags.isEmpty ? [] : [.unsafeFlags(flags)])
}
/// In the release configuration: both processors compile the files that changed.
let byFile = ["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"]

/// A module that computes; what is generic of it is specialised by those who use it.
let computing = flags(
  run: ["-O", "-wmo", "-num-threads", "2", "-cross-module-optimization"],
  test: ["-cross-module-optimization"])
/// The same for a large one.
let large = flags(run: ["-O"], test: byFile)
/// One that waits for people, not for tests: in those it takes a third of the time to build, and a
/// quarter more to run.
let shown = flags(run: ["-O"], test: byFile + ["-Onone"])
/// A module that mostly waits, or compares texts.
let strict = flags(test: byFile + ["-Onone"])
/// Its tests, which are optimised in no build.
let strictTests = strict + [.unsafeFlags(["-Onone"])]

/// The sources of other packages, in `vendor` of an archive that `make dist` made: nothing is fetched.
let isVendored = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/vendor")
func dependency(_ repository: String, from version: Version) -> Package.Dependency {
  let name = repository.split(separator: "/")[1]
  return isVendored
    ? .package(path: "vendor/\(name)")
    : .package(url: "https://github.com/\(repository)", from: version)
}

/// The archive of libFuzzer, for `make fuzz` and `make sanitize`.
let libFuzzer = Context.environment["LIBFUZZER"]
/// The only test targets to build, for the same.
let testTargets = Context.environment["TEST_TARGETS"]?.split(separator: " ").map(String.init)

let package = Package(
  name: "daybook",
  // Of the library alone; the program is for Linux.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  // No executable product: with one, whoever depends on the library would fetch what only the program
  // needs. SwiftPM makes the executables all the same.
  products: [
    .library(name: "SectionedResults", targets: ["SectionedResults"]),
    .library(name: "SectionedResultsFoundation", targets: ["SectionedResultsFoundation"]),
    .library(name: "SectionedResultsGRDB", targets: ["SectionedResultsGRDB"]),
    .library(name: "SectionedResultsTesting", targets: ["SectionedResultsTesting"]),
  ],
  // Who takes SectionedResults alone switches the trait off, and fetches nothing else.
  traits: [
    .trait(name: "GRDB", description: "The product SectionedResultsGRDB"),
    .default(enabledTraits: ["GRDB"]),
  ],
  dependencies: [
    dependency("groue/GRDB.swift", from: "7.10.0"),
    dependency("apple/swift-argument-parser", from: "1.8.2"),
    dependency("LebJe/TOMLKit", from: "0.6.0"),
    dependency("jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"])]),
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
    .target(name: "CTerminal"),
    .target(name: "CStore"),
    .target(name: "CFiles"),
    // The headers come with libsodium-dev; the library is opened at run time, see CSeal.h.
    .target(name: "CSeal"),
    // The headers come with libarchive-dev; the library is opened at run time, see CArchive.h.
    .target(name: "CArchive"),
    // No headers are needed; the library is opened at run time, see CMarkup.h.
    .target(name: "CMarkup"),
    // The same; the library is optional, see CSpell.h.
    .target(name: "CSpell"),
    // The same, see CPictures.h; and the filter of system calls around it.
    .target(name: "CPictures"),

    .target(
      name: "SectionedResults", exclude: ["LICENSE"], swiftSettings: computing),
    .target(
      name: "SectionedResultsTesting", dependencies: ["SectionedResults"], exclude: ["LICENSE"],
      swiftSettings: strict),
    // What needs Foundation: dates as fields, index paths, JSON files.
    .target(
      name: "SectionedResultsFoundation", dependencies: ["SectionedResults"], exclude: ["LICENSE"],
      swiftSettings: strict),
    // What stores over SQLite share; the journal's is one of them.
    .target(
      name: "SectionedResultsSQL",
      dependencies: [
        "SectionedResults",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
      ],
      exclude: ["LICENSE"], swiftSettings: computing),
    .target(
      name: "SectionedResultsGRDB",
      dependencies: [
        "SectionedResults", "SectionedResultsFoundation", "SectionedResultsSQL",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
      ],
      exclude: ["LICENSE"], swiftSettings: computing),
    .target(name: "Files", dependencies: ["CFiles"], swiftSettings: strict),
    .target(name: "Seal", dependencies: ["CSeal"], swiftSettings: strict),
    .target(name: "Journal", dependencies: ["Markdown"], swiftSettings: computing),
    .target(name: "Markdown", swiftSettings: strict),
    .target(
      name: "JournalStore",
      dependencies: [
        "Files", "Journal", "Seal", "SectionedResults", "SectionedResultsSQL", "CSeal", "CStore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: large),
    .target(
      name: "JournalFormats",
      dependencies: [
        "Journal", "Markdown", "CArchive", "CMarkup",
        .product(name: "TOMLKit", package: "TOMLKit"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: strict),
    .target(
      name: "JournalSync",
      dependencies: ["Files", "Journal", "JournalFormats", "JournalStore", "Seal"],
      swiftSettings: strict),
    .target(
      name: "TextLayout", dependencies: ["Markdown", "SectionedResults"],
      swiftSettings: computing),
    .target(
      name: "Terminal",
      dependencies: ["Files", "TextLayout", "CNcurses", "CReadline", "CTerminal"],
      swiftSettings: computing),
    .target(
      name: "Screen", dependencies: ["Journal", "Markdown", "SectionedResults", "TextLayout"],
      swiftSettings: shown),
    .executableTarget(
      name: "daybook",
      dependencies: [
        "Files", "SectionedResults", "Journal", "JournalStore", "JournalFormats", "JournalSync",
        "Seal", "Markdown", "Screen", "Terminal", "TextLayout", "CPictures", "CSpell",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      resources: [
        "demo.keys", "demo.txt", "themes/auto.toml", "themes/calm.toml", "themes/light.toml",
        "themes/dark.toml",
        "themes/contrast.toml", "themes/mono.toml",
      ].map { .embedInCode("../../Resources/\($0)") },
      swiftSettings: strict),
    .executableTarget(
      name: "daybook-manual", dependencies: ["Journal", "Markdown", "Screen"],
      path: "Sources/Manual", swiftSettings: strict),
    .executableTarget(
      name: "daybook-bench",
      dependencies: [
        "Files", "SectionedResults", "SectionedResultsGRDB", "Journal", "JournalStore", "Seal",
        "Screen", "TextLayout", "CNcurses", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Benchmarks", swiftSettings: strict),
    // A second program over the libraries. As another package it would see what is public.
    .executableTarget(
      name: "inbox",
      dependencies: [
        "SectionedResults", "SectionedResultsGRDB", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/Inbox", swiftSettings: strict + [.unsafeFlags(["-package-name", "inbox"])]),

    // Random numbers and slow oracles: what the tests compute.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: computing),
    .target(
      name: "ResultsTestSupport", dependencies: ["SectionedResults", "TestSupport"],
      path: "Tests/ResultsTestSupport", resources: [.copy("Vectors")], swiftSettings: computing),
    .testTarget(
      name: "SectionedResultsTests",
      dependencies: [
        "SectionedResults", "SectionedResultsFoundation", "SectionedResultsTesting",
        "ResultsTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SectionedResultsGRDBTests",
      dependencies: [
        "SectionedResultsGRDB", "SectionedResultsSQL", "SectionedResults",
        "SectionedResultsTesting", "ResultsTestSupport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FilesTests", dependencies: ["Files"],
      swiftSettings: strictTests),
    .testTarget(
      name: "SealTests", dependencies: ["CSeal", "Seal", "TestSupport"], swiftSettings: strictTests),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", "TestSupport"],
      swiftSettings: strictTests),
    .testTarget(
      name: "MarkdownTests",
      dependencies: ["Markdown", "TextLayout", "JournalFormats", "Journal", "TestSupport"],
      swiftSettings: strictTests),
    .testTarget(
      name: "JournalStoreTests",
      dependencies: [
        "Files", "JournalStore", "Journal", "Seal", "CSeal", "SectionedResults",
        "SectionedResultsSQL", "ResultsTestSupport", "TestSupport",
      ],
      resources: [.copy("Fixtures")], swiftSettings: strictTests),
    .testTarget(
      name: "JournalFormatsTests", dependencies: ["JournalFormats", "Journal", "TestSupport"],
      resources: [.copy("Fixtures")],
      swiftSettings: strictTests),
    // A layer below SQLite whose unsynced writes a test takes away.
    .target(name: "SimulatedDisk", path: "Tests/SimulatedDisk"),
    .testTarget(
      name: "JournalSyncTests",
      dependencies: [
        "JournalSync", "Journal", "JournalFormats", "JournalStore", "Files", "Seal",
        "SimulatedDisk", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScreenTests", dependencies: ["Screen", "Journal", "SectionedResults"],
      swiftSettings: strictTests),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal", "TextLayout", "Files", "SectionedResults", "TestSupport"],
      swiftSettings: strictTests),
    .testTarget(
      name: "DaybookTests",
      dependencies: [
        "daybook", "daybook-manual", "Files", "Journal", "JournalStore", "Seal", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Record/Reports"],
      swiftSettings: strictTests),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["daybook-bench", "Screen"],
      swiftSettings: strictTests),
    .target(
      name: "FuzzDriver", path: "Tests/FuzzDriver",
      cSettings: libFuzzer == nil ? [] : [.define("FUZZING")],
      linkerSettings: libFuzzer.map { [.unsafeFlags([$0]), .linkedLibrary("stdc++")] } ?? []),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "daybook", "FuzzDriver", "Journal", "JournalFormats", "JournalStore", "JournalSync",
        "Markdown", "Screen", "Seal", "TestSupport", "TextLayout",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Corpus")],
      swiftSettings: strict + (libFuzzer == nil ? [] : [.define("FUZZING")])),
  ]
)

if let testTargets {
  package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}
