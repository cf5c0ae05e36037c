// swift-tools-version: 6.2

import PackageDescription

// A program that takes the libraries as any other package would. A dependency by URL and version has
// the same products; this one by path is built against the sources beside it.
let package = Package(
  name: "inbox",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "daybook", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "inbox",
      dependencies: [
        .product(name: "SectionedResults", package: "daybook"),
        .product(name: "SectionedResultsGRDB", package: "daybook"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
